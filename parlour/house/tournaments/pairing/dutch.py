"""Swiss tournaments for two: the FIDE Dutch System, as py4swiss pairs it.

py4swiss takes tournaments as FIDE's report file has them (TRF). It has no build for some machines, Linux on ARM among
them, and is slow for large fields; `paired` returns None there, and `swiss` pairs as for larger tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from parlour.house.tournaments.pairing.kinds import UNIT, Entrant, Form, lot, seeded
from parlour.house.tournaments.pairing.sheet import ABSENT, BOTS, GAME, WALKOVER, Line, Sheet

if TYPE_CHECKING:
    from py4swiss.trf.results import RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

MOST: Final = 256  # entrants: more take py4swiss too long, and `swiss` pairs them in a blink
HALF: Final = UNIT // 2


def paired(
    form: Form, entrants: Sequence[Entrant], before: Sheet, number: int, last: int
) -> list[tuple[str, str | None]] | None:
    """Return the pairs of round `number`, the best first, who moves first in front; None at a bye.

    `last` is the number of the last round. Those who should be apart are, unless the rules then allow no pairing.
    Returns None if py4swiss is not there, the field is larger than MOST, or the rules allow no pairing at all, as in a
    small field that has played too many rounds.
    """
    if len(entrants) > MOST or find_spec("py4swiss") is None:
        return None
    # Imported here, as it brings pydantic, half a second that no other part of a house needs.
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf

    order = seeded(form, entrants)
    names = {one.id: place for place, one in enumerate(order, 1)}
    settings = _settings(form, last, {names[one.id] for one in order if not one.plays(number)})
    players = [_section(one, names, before.get(one.id, ()), number, settings) for one in order]
    apart = {(names[one.id], names[other]) for one in order for other in one.apart if other in names}
    for forbidden in (apart, set[tuple[int, int]]()) if apart else (apart,):
        settings.forbidden_pairs = forbidden
        try:
            pairs = DutchEngine.generate_pairings(ParsedTrf(player_sections=players, x_section=settings))
        except PairingError:
            continue
        return [(order[pair.white - 1].id, order[pair.black - 1].id if pair.black else None) for pair in pairs]
    return None


def _settings(form: Form, last: int, missing: set[int]) -> XSection:
    """Return the rounds, the lot for the first seat, who does not play, and what each result brings."""
    from py4swiss.trf.results import ColorToken, ResultToken, ScoringPointSystem
    from py4swiss.trf.sections import XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    scores = ScoringPointSystem()
    # A player who lost to a bot or drew, for want of another player, has had their bye as well, so they get no
    # other (rule C.2). A forfeit win with a colour says so here; a real one has none.
    scores.score_dict = scores.score_dict | {
        (ResultToken.FORFEIT_WIN, ColorToken.WHITE): 0,
        (ResultToken.FORFEIT_WIN, ColorToken.BLACK): 5,
    }
    first = XSectionConfiguration(first_round_color=lot(form.seed, "first seat") % 2 == 0)
    return XSection(number_of_rounds=last, zeroed_ids=missing, scoring_point_system=scores, configuration=first)


def _section(
    one: Entrant, names: dict[str, int], lines: Sequence[Line], number: int, settings: XSection
) -> PlayerSection:
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection

    by_round = {line.round: line for line in lines}
    missed = RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.ZERO_POINT_BYE)
    results = [_result(line, names) if (line := by_round.get(past)) else missed for past in range(1, number)]
    total = sum(settings.scoring_point_system.get_points_times_ten(result) for result in results)
    place = names[one.id]
    return PlayerSection(
        code=PlayerCode.PLAYER, starting_number=place, points_times_ten=total, rank=place, results=results
    )


def _result(line: Line, names: dict[str, int]) -> RoundResult:
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult

    none = ColorToken.BYE_OR_NOT_PAIRED
    if line.kind == GAME:
        won = ResultToken.WIN if line.units > HALF else ResultToken.DRAW if line.units == HALF else ResultToken.LOSS
        color = ColorToken.BLACK if line.seat else ColorToken.WHITE
        return RoundResult(id=names.get(line.met[0], 0), color=color, result=won)
    if line.kind == ABSENT:
        return RoundResult(id=0, color=none, result=ResultToken.FORFEIT_LOSS)
    if line.kind == WALKOVER:
        return RoundResult(id=0, color=none, result=ResultToken.FORFEIT_WIN)
    if line.kind == BOTS and line.units < UNIT:
        color = ColorToken.BLACK if line.units == HALF else ColorToken.WHITE
        return RoundResult(id=0, color=color, result=ResultToken.FORFEIT_WIN)
    return RoundResult(id=0, color=none, result=ResultToken.PAIRING_ALLOCATED_BYE)
