"""The parameters of the loops: named tuples of arrays or lists, which both engines take."""

from __future__ import annotations

from typing import Any, NamedTuple


class Buffers(NamedTuple):
    """The buffers of a bot.

    `out`, `outcomes`, `weights` have MAX_LEGAL, MAX_OUTCOMES and MAX_OUTCOMES ints. `scratch` has
    three states (two for `drivers.expected`, one for the state that a bot sees). `memo` has MEMO
    floats, initially `drivers.UNKNOWN`.
    """

    out: Any
    outcomes: Any
    weights: Any
    scratch: Any
    memo: Any


class Net(NamedTuple):
    """A network (`parlour.engine.net`), and what it works in; `Engine.net` makes it.

    `rows` (a row of weights for each feature, the last row what is added without any; no rows: there is no network),
    `last` (a row for each seat but one: the weights of the hidden units, and what is added), `base` (1 if it corrects
    the policy's outlook). The rest are buffers: the features `found`, the `sums` of the hidden units, what is `seen`,
    and the `plans` of that (`weights.Layout`).
    """

    rows: Any
    last: Any
    base: int
    found: Any
    sums: Any
    seen: Any
    plans: Any


class Lessons(NamedTuple):
    """The positions that `learned.teach` writes, a row for each, and how it plays.

    The features in `table` and how many they are in `counts`; the `players` who decided; their `games`, from 0 on; by
    seat, the `odds` that the network corrects and what the position has to say (`values`). `later` (seats x seats) is a
    buffer. `trace` is lambda: how much more a position learns from far later ones than from the next. `random`
    decisions in a million are drawn. `bot` is the number of a bot (`drivers`, or LEARNED + 1 for the second network)
    that has a seat in all games but one of seats + 1; -1 for none. With `whole` it has all seats. With `rival` (and not
    `whole`) it has all seats but one, draws nothing, and its positions are not written.
    """

    table: Any
    counts: Any
    players: Any
    games: Any
    odds: Any
    values: Any
    later: Any
    trace: float
    random: int
    bot: int
    whole: int
    rival: int


class Games(NamedTuple):
    """The games to play: `games` of `seed` from number `first` on.

    Each has at most `most` decisions.
    """

    seed: int
    first: int
    games: int
    most: int


class Results(NamedTuple):
    """The results, a row for each game.

    Scores (games x players), returns (the same), decisions (or, in a survey, a row with its
    columns).
    """

    totals: Any
    shares: Any
    rows: Any


class Close(NamedTuple):
    """What a survey notes when it looks closely, and what it needs for that; `Engine.close` makes it.

    `kinds` is how many kinds of events the game has. `rows` (games x CLOSE floats; no rows if nothing is asked),
    `uses` (actions, then kinds of events, x USES ints), `script` (the steps of a match; empty if bots play; UNKNOWN
    where one ends). Of the game being played: `points` of the seats, `tracks` (seats x TRACK floats), `marks` (seats
    x uses), `sight` (OBSERVATION_SIZE), `seen` (SEEN x 2) and `now` (NOW ints).
    """

    kinds: int
    rows: Any
    uses: Any
    script: Any
    points: Any
    tracks: Any
    marks: Any
    sight: Any
    seen: Any
    now: Any


class Probe(NamedTuple):
    """What `probing` needs: how many rollouts each action gets; buffers for their `values` (MAX_LEGAL x 2) and the
    `shares` of the seats; and the `rows` to fill (games x COLUMNS), zeros at first."""

    rollouts: int
    values: Any
    shares: Any
    rows: Any


class Luck(NamedTuple):
    """What `luck` needs; `Engine.luck_of` makes it.

    `budget` is how many ends of an event are looked at, at most; `script` the steps of a match and -1 (empty if bots
    play); `rows` gets the luck (games x players). The rest are buffers: a `stack` of states, of each of its levels the
    `outcomes`, their `weights`, what has been done of them (`levels`, with the columns of `luck`) and their `mass` of
    the probability; what is expected of an event (`hope`) and what came of it (`share`), by seat.
    """

    budget: int
    script: Any
    rows: Any
    stack: Any
    outcomes: Any
    weights: Any
    levels: Any
    mass: Any
    hope: Any
    share: Any


class Lanes(NamedTuple):
    """The games of a batch, a row for each lane.

    `current` is the seat to decide (TERMINAL if the game is over or cut), `deciders` the seat that made the game's last
    decision, -1 before the first; `rewards`, `ended` and `truncated` are of the last step; game number `streams` of
    `seeds` is played, and `lengths` counts its decisions. `finals` and `last_deciders` are of the game before.
    `template` has the state at the start.
    """

    states: Any
    rngs: Any
    template: Any
    current: Any
    deciders: Any
    rewards: Any
    ended: Any
    truncated: Any
    streams: Any
    seeds: Any
    lengths: Any
    finals: Any
    last_deciders: Any


class Course(NamedTuple):
    """How a batch continues: the next game of a lane is `stride` streams on, and starts at once with `reset`.

    A game is cut after `most` decisions. With `margins` rewards are differences of scores.
    """

    stride: int
    most: int
    margins: bool
    reset: bool


class Stretch(NamedTuple):
    """The lanes that a thread plays just now, from `first` to the one before `last`, and the buffers of all threads.

    `worker` is the number of the thread, and of its row in the buffers: `outs` has room for legal actions and for an
    observation, `points` for scores; `found` is a number for each thread. `jobs` sets the first three.
    """

    first: int
    last: int
    worker: int
    outs: Any
    points: Any
    found: Any


class View(NamedTuple):
    """Where a batch writes what the seats to decide see and may do, a row for each lane; no rows for what is not asked.

    `rows` gets the numbers of an observation, `floats` the same as a tensor (`plans` has the columns of
    `observing.Plan`), and `mask` a 1 for each legal action.
    """

    rows: Any
    floats: Any
    plans: Any
    mask: Any


class Desk(NamedTuple):
    """The buffers of `inspection`: two of each kind, to compare what the rules write."""

    out: Any
    twin: Any
    outcomes: Any
    weights: Any
    seen: Any
    again: Any
    shares: Any


class Limits(NamedTuple):
    """The limits that `inspection` checks.

    These are the players, the bound (0: no bound), and the numbers of events, endings and counts.
    """

    players: int
    bound: int
    kinds: int
    endings: int
    counts: int
