"""The door to pairings: who plays whom in each system, how many rounds there are, how everyone stands, when it is over.

All are pure functions of their arguments, which can be pickled, so a worker can run them. docs/tournaments.md says how
long they take, and by which rules they pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing import arena, knock_out, round_robin, simultaneous, swiss
from parlour.house.tournaments.pairing import standings as places
from parlour.house.tournaments.pairing.kinds import (
    ARENA,
    ENTRANTS,
    FIXED,
    KNOCK_OUT,
    ROUND_ROBIN,
    ROUNDS,
    SIMULTANEOUS,
    SWISS,
    Entrant,
    Form,
    Paired,
    Played,
    Standing,
)  # fmt: skip
from parlour.house.tournaments.pairing.sheet import playing, sheet


def pairings(form: Form, entrants: Sequence[Entrant], history: Sequence[Played], number: int) -> list[Paired]:
    """Return who plays whom in round `number`, from 1, and who has a bye.

    `history`: what is over, in the order in which it ended; games of round `number` or later are ignored, so that the
    answer stays the same while a round is played. An arena has waves instead of rounds: there `entrants` are those who
    wait now, all of the history counts, and players who are not in the answer keep waiting. Raises BadInput for more
    than ENTRANTS entrants, an id twice, or a round of a knock-out before the one before it is decided."""
    _check(form, entrants, number)
    if form.system != ARENA:
        _check_history(form, entrants, history)
    if form.system == ARENA:
        return arena.paired(form, entrants, history, number)
    last = rounds(form, len(entrants))
    if number > last:
        return []
    if form.system == SWISS:
        return swiss.paired(form, entrants, history, number, last)
    if form.system == ROUND_ROBIN:
        return round_robin.paired(form, entrants, number)
    if form.system == KNOCK_OUT:
        return knock_out.paired(form, entrants, history, number)
    return simultaneous.paired(form, entrants, number)


def replays(form: Form, entrants: Sequence[Entrant], history: Sequence[Played], number: int) -> list[Paired]:
    """Return the tables that round `number` of a knock-out needs once more, because equals can't all advance; none in
    other systems. Ask when all tables of the round are over; a second time it returns none."""
    return knock_out.replays(form, entrants, history, number) if form.system == KNOCK_OUT else []


def rounds(form: Form, count: int) -> int:
    """Return how many rounds a tournament of `count` entrants has; 0 for an arena, which time ends.

    A Swiss tournament has as many as its form says, otherwise as many as leave at most one player who has won all.
    That number grows with latecomers, so a house should put it into the form when the first round begins.
    """
    if form.system == ARENA or count < 1:
        return 0
    if form.system == ROUND_ROBIN:
        round_robin.check(form, count)
        return len(round_robin.schedule(count, form.seats, form.bots))
    if form.system == KNOCK_OUT:
        return len(knock_out.plan(count, form))
    if form.system == SIMULTANEOUS:
        return 1
    if form.rounds:
        return form.rounds
    enough = 1
    while form.seats**enough < count:
        enough += 1
    return min(enough, ROUNDS)


def standings(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> list[Standing]:
    """Return how everyone stands, the best first; equals share a place. `standings.BREAKS` names the tie-breaks."""
    _check(form, entrants, 1)
    _check_history(form, entrants, history)
    return places.standings(form, entrants, history)


def finished(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> bool:
    """Return whether everything is played; never in an arena, which time ends."""
    if form.system == ARENA:
        return False
    if form.system == KNOCK_OUT:
        return knock_out.over(form, entrants, history)
    last = rounds(form, len(entrants))
    lines = sheet(history)
    here = [one.id for one in playing(entrants, last) if one.id != form.host]
    return all(any(line.round == last for line in lines.get(one, ())) for one in here)


def _check_history(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> None:
    known = {form.host, None, *(one.id for one in entrants)}
    stranger = next((one for game in history for one in game.seats if one not in known), None)
    if stranger is not None:
        raise BadInput(f"{stranger!r} has played, but is not entered; entrants who left are given too.")


def _check(form: Form, entrants: Sequence[Entrant], number: int) -> None:
    if number < 1:
        raise BadInput(f"There is no round {number}.", allowed=("1 and more",))
    if len(entrants) > ENTRANTS:
        raise BadInput(f"{len(entrants)} entrants are too many.", allowed=(f"at most {ENTRANTS}",))
    twice = [one for one, times in Counter(one.id for one in entrants).items() if times > 1]
    if twice:
        raise BadInput(f"{twice[0]!r} is entered twice.")
    late = next((one for one in entrants if one.joined > 1), None)
    if late and form.system in FIXED:
        raise BadInput(f"{late.id!r} can't join after round 1: everything is drawn then.", allowed=(ARENA, SWISS))
