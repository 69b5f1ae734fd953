"""A position of Fortune from a player's description; refused if no game can reach it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import copy
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import follow


class Turn(NamedTuple):
    """A turn under way: its card, the eight faces that the dice show, the number of rolls (None: one, or
    two when `helped`), and whether the Sorceress has `helped`."""

    card: str
    dice: Sequence[str]
    rolls: int | None = None
    helped: bool = False


def position(
    game: Game, turn: Turn, *, scores: Sequence[int] = (0, 0), final: int | None = None,
    edition: EditionLike | None = None, options: Chosen | None = None,
) -> Match:  # fmt: skip
    """Set up a match in which the first seat is in the middle of `turn` and the totals are `scores`.
    The cards turned before are not given, so any other card of the deck may come next.

    `final` is the seat (0 is the first) that started the final round under way; with two players it
    follows from the totals (FO-25). Raises UnknownName for an unknown card or face, BadSetup for
    dice that leave nothing to decide and for a position that no game reaches.
    """
    card, dice, rolls, helped = turn
    match = Match(game, len(scores), edition=edition, options=options, seed=1, auto=False)
    state = match.state
    if card not in r.CARDS:
        raise UnknownName(f"There is no card {card!r}.", allowed=r.CARDS)
    if not state.deck[r.CARDS.index(card)]:
        there = [name for name, number in zip(r.CARDS, state.deck, strict=True) if number]
        raise UnknownName(f"The deck of {game.edition(edition).name} has no card {card!r}.", allowed=there)
    for face in dice:
        if face not in r.FACES:
            raise UnknownName(f"No die shows {face!r}.", allowed=r.FACES)
    if len(dice) != r.N_DICE:
        raise BadSetup(f"Eight dice are to be named, not {len(dice)}.")
    if helped and r.CARDS.index(card) != r.SORCERESS:
        raise BadSetup(f"The card {card!r} gives no help: only the Sorceress helps (FO-18).")
    rolls = (2 if helped else 1) if rolls is None else rolls
    if rolls < 1:
        raise BadSetup("Rolls are counted from 1.")
    if helped and rolls == 1:
        raise BadSetup("The Sorceress helps at a re-roll, so two rolls have been made at least (FO-18).")
    _check_totals(state, scores)
    finisher = _finisher(state, scores, final)
    match.force("seat 1 starts")
    match.force(f"card {card}")
    state = match.state
    state.scores[: len(scores)] = scores
    if finisher is not None:
        state.finisher, state.final_left = finisher, finisher  # those between the first seat and them, and the first
    state.rolls, state.spell = rolls - 1, int(helped)
    match.force("dice " + " ".join(dice))
    if match.state.phase != r.DECIDE:
        raise BadSetup("With these dice the turn is over: there is nothing to decide.")
    return match


def _check_totals(state: Any, scores: Sequence[int]) -> None:
    """FO-12, FO-25: refuse totals that are not possible before a turn of the first seat."""
    if any(score % follow.STEP for score in scores):
        raise BadSetup("Totals are hundreds.")
    if state.floor_at_zero and min(scores) < 0:
        raise BadSetup(f"A total cannot be {min(scores):,}: totals never go below zero at this table (FO-12).")
    if r.beyond(state, scores[0]):
        raise BadSetup(
            f"A player cannot begin a turn with {scores[0]:,}: that is across the line ({_line(state)}), so they have "
            "no more turns (FO-25)."
        )
    most = state.target + (follow.REACH - state.at_least) * follow.STEP  # from the highest total not beyond
    if max(scores) > most:
        raise BadSetup(
            f"A total cannot be {max(scores):,}: no turn leads from the line ({_line(state)}) beyond {most:,}."
        )


def _finisher(state: Any, scores: Sequence[int], final: int | None) -> int | None:
    """FO-25: return the seat that started the final round; None outside a final round."""
    beyond = [seat for seat, score in enumerate(scores) if r.beyond(state, score)]
    if final is not None:
        if fault := _fault(state, scores, final):
            raise BadSetup(fault)
        return final
    if not beyond:
        return None
    if len(scores) == 2:
        return beyond[0]
    seats = [seat for seat in range(1, len(scores)) if _fault(state, scores, seat) is None]
    raise BadSetup(
        f"Seat {beyond[0] + 1} is across the line ({_line(state)}), so this is a final round (FO-25). Say with "
        f"--final who started it: seat {' or '.join(str(seat + 1) for seat in seats)}."
    )


def _fault(state: Any, scores: Sequence[int], final: int) -> str | None:
    """Return why seat `final` cannot have started the final round in which the first seat plays; None if it can."""
    if not 0 < final < len(scores):
        others = "2" if len(scores) == 2 else f"2 to {len(scores)}"
        return f"The final round was started by another player: seat {others}, not {final + 1}."
    for seat in range(1, final):
        if r.beyond(state, scores[seat]):
            return (
                f"Seat {seat + 1} has {scores[seat]:,}, across the line ({_line(state)}), before its last turn: then "
                f"seat {final + 1} cannot have started the final round (FO-25)."
            )
    thrown = sum(not r.beyond(state, score) for score in scores[final + 1 :]) * _worst_island(state)
    if not r.beyond(state, scores[final] + thrown):
        since = " even before what it may have lost on the Island since" if thrown else ""
        return (
            f"Seat {final + 1} cannot have started the final round with {scores[final]:,}: that is not across the line "
            f"({_line(state)}){since} (FO-25)."
        )
    return None


def _worst_island(state: Any) -> int:
    """FO-15: return the most that one turn on the Island costs an opponent."""
    there, most = copy(state), 0
    there.island, there.count[r.SKULL] = 1, r.N_DICE
    for there.card in range(r.N_CARDS):
        if state.deck[there.card] and not r.swords_needed(there):
            most = max(most, r.island_loss(there))
    return most


def _line(state: Any) -> str:
    return f"{state.target:,} is enough" if state.at_least else f"{state.target:,}"
