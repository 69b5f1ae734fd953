"""What the loops are given, in structures that both engines take: named tuples of arrays, or of
lists."""

from __future__ import annotations

from typing import Any, NamedTuple


class Buffers(NamedTuple):
    """What a bot works in: `out`, `outcomes`, `weights` are buffers of MAX_LEGAL, MAX_OUTCOMES and
    MAX_OUTCOMES ints, `scratch` holds three states (two for `drivers.expected`, one for what a bot
    is shown), `memo` MEMO floats that are `drivers.UNKNOWN` at first."""

    out: Any
    outcomes: Any
    weights: Any
    scratch: Any
    memo: Any


class Games(NamedTuple):
    """Which games are played: so many of `seed` from number `first` on, each with at most `most`
    decisions."""

    seed: int
    first: int
    games: int
    most: int


class Results(NamedTuple):
    """What came of them, a row each: scores (games x players), returns (the same), decisions (or,
    in a survey, a row with its columns)."""

    totals: Any
    shares: Any
    rows: Any


class Lanes(NamedTuple):
    """Games side by side (`parlour.engine.batch`), a place each; `template` is the state that each
    begins with."""

    states: Any
    rngs: Any
    template: Any
    players: Any
    rewards: Any
    ended: Any
    streams: Any


class Desk(NamedTuple):
    """What `inspection` works in: two buffers of each kind, so that what the rules write can be
    compared."""

    out: Any
    twin: Any
    outcomes: Any
    weights: Any
    seen: Any
    again: Any
    shares: Any


class Limits(NamedTuple):
    """What `inspection` holds a game to: its players, its bound (0 is none), how many events,
    endings and counts it names."""

    players: int
    bound: int
    kinds: int
    endings: int
    counts: int
