"""A trial of editions: a few measures of each, in the same games of quick bots, which are played piece by piece.

A piece has the same games of every edition, and ends after some seconds, so that a page can show how far it is.
`table` puts the pieces together. The measures, their intervals and differences are those of `parlour.analysis.measures`
and `parlour.analysis.comparing`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from parlour import bots
from parlour.analysis import sampling, wording
from parlour.analysis.comparing import Difference, adjusted, differences
from parlour.analysis.estimates import SURE
from parlour.analysis.measures import Look
from parlour.analysis.playing import Played
from parlour.analysis.sampling import Sample, Setup
from parlour.analysis.tables import ORDINALS
from parlour.analysis.trials import Asked, Line, Piece, Trial
from parlour.analysis.wording import of, said
from parlour.core.edition import Edition
from parlour.core.errors import ParlourError
from parlour.core.game import Game

log = logging.getLogger(__name__)
BLOCK, PLAIN_BLOCK = 250, 1  # games of each edition between two looks at the clock
SHOWN = (
    "decisions", "minutes", "forced", "choices", "shared-wins", "unfinished", "closeness", "lead-changes", "settled",
    "comeback",
)  # fmt: skip
RARE = ("forced", "shared-wins", "unfinished")  # shown only where it happens

_plain: set[str] = set()  # games that could not be compiled


def bot_of(game: Game) -> str:
    """Return the bot that plays: greedy, or random if the game doesn't say what a position is worth."""
    return bots.simulated(game)[0]


def setups(asked: Asked) -> list[Setup]:
    """Return the setup of each edition, with the same seed. Raises BadSetup."""
    return [
        Setup.make(asked.game, asked.players, edition=Edition.of(label, dict(parts)), options=dict(asked.options),
                   bots=bot_of(asked.game))
        for label, parts in asked.editions.items()
    ]  # fmt: skip


def prepare(asked: Asked) -> bool:
    """Compile what plays and watches the game, or read it from the cache; return whether that worked. Otherwise plain
    rules play fewer games. Takes up to a minute the first time."""
    try:
        sampling.play(setups(asked)[0], 0, 1, threads=1)
    except ParlourError:
        raise
    except Exception:
        log.exception("The loops of %s could not be compiled; its bots play by the plain rules.", asked.game.name)
        _plain.add(asked.game.name)
    return asked.game.name not in _plain


def piece(asked: Asked, first: int, most: int, seconds: float) -> Piece:
    """Play games of every edition from number `first` on, at most `most` of each, for about `seconds`."""
    began = time.process_time()
    plain = asked.engine == "plain" or asked.game.name in _plain
    size, end = PLAIN_BLOCK if plain else BLOCK, time.monotonic() + seconds
    ready, done = setups(asked), 0
    found: list[list[Sample]] = [[] for _ in ready]
    while done < most and (not done or time.monotonic() < end):
        games = min(size, most - done)
        for setup, samples in zip(ready, found, strict=True):
            samples.append(sampling.play(setup, first + done, games, threads=1, plain=plain))
        done += games
    return Piece(done, [sampling.joined(samples).to_bytes() for samples in found], time.process_time() - began)


def table(asked: Asked, pieces: Sequence[Sequence[bytes]]) -> Trial:
    """Return the editions beside each other; `pieces` has what was seen, piece by piece."""
    played = [
        Played(Look(setup, sampling.joined([Sample.of(data) for data in own])))
        for setup, own in zip(setups(asked), zip(*pieces, strict=True), strict=True)
    ]
    names = (*ORDINALS[: asked.players], *SHOWN)
    before, last = played[max(0, len(played) - 2)], played[-1]
    told = adjusted(differences(names, before, last))
    lines = [_line(one, played) for one in told]
    shown = tuple(one for one in lines if one.name not in RARE or any(value and value[0] for value in one.values))
    return Trial(tuple(asked.editions), last.look.sample.games, bot_of(asked.game), shown)


def _line(one: Difference, played: Sequence[Played]) -> Line:
    measure, alone = one.measure, len(played) == 1
    found = [of(each.estimate(measure.name)) for each in played]
    change = None if alone else of(one.change)
    return Line(
        measure.name, measure.title, measure.unit, tuple(said(measure, each) for each in found),
        tuple(map(_plain_values, found)),
        "" if alone else said(measure, change, signed=True), _plain_values(change),
        not alone and one.change is not None and one.adjusted < SURE,
    )  # fmt: skip


def _plain_values(one: wording.Found | None) -> tuple[float, float, float] | None:
    return None if one is None else (one.value, one.low, one.high)
