"""What can be measured in many games: each measure once, with its formula and where it comes from.

Sums are over games g, decisions d, turns t (runs of decisions of one seat) and seats s; n is the number of seats. A
seat leads after a turn if it alone has the most points (`rules.scores`); w is the only winner of a game, where there is
one. gap(s, t) is how many points s is behind the best after turn t, and widest(g) the most that lay between the first
and the last seat after any turn. Games that were cut short count in lengths and choices only.

Sources: C. Browne, "Automatic generation and evaluation of recombination games", PhD thesis, QUT 2008 (chapter 5), and
C. Browne, F. Maire, "Evolutionary game design", IEEE TCIAIG 2 (2010); E. Piette, M. Stephenson, D. Soemers, C. Browne,
"General board game concepts", IEEE CoG 2021 (the concepts and metrics of Ludii); R. Gaina, M. Balla, A. Dockhorn,
R. Montoliu, D. Perez-Liebana, "TAG: a tabletop games framework", AIIDE workshop EXAG 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from parlour.analysis import decision_values, luck, strong_among_weak
from parlour.analysis.estimates import Estimate, Floats, ratio, variation
from parlour.analysis.sampling import Sample, Setup
from parlour.analysis.tables import ORDINALS
from parlour.core.errors import UnknownName
from parlour.engine import interpret, survey

BROWNE, LUDII, TAG = "Browne 2008", "Piette et al. 2021", "Gaina et al. 2020"
PACE = 10.0  # seconds for each decision, which we assume; `parlour house times` measures it
GAMES, SKILL, STAKES, LUCK = "games", "skill", "stakes", "luck"  # what has to be played for a measure


@dataclass(frozen=True)
class Measure:
    """A measure: its name, its title for people, its unit ("%": a share), its formula and its source.

    `needs`: what has to be played for it, GAMES, SKILL, STAKES or LUCK. `of` computes it from these games; None if they
    say nothing about it.
    """

    name: str
    title: str
    unit: str
    formula: str
    source: str
    of: Callable[[Look], Estimate | None]
    needs: str = GAMES

    @property
    def share(self) -> bool:
        """Whether it is a share."""
        return self.unit == "%"


@dataclass(frozen=True, eq=False)
class Look:
    """What a measure is computed from: a setup, its games, and what was played besides (None if it was not)."""

    setup: Setup
    sample: Sample
    pace: float = PACE
    skill: strong_among_weak.Skill | None = None
    stakes: decision_values.Stakes | None = None
    chance: luck.Luck | None = None

    def row(self, column: int) -> Floats:
        """Return a column of the rows, a number for each game."""
        return self.sample.rows[:, column].astype(np.float64)

    def close(self, column: int) -> Floats:
        """Return a column of the close rows."""
        return self.sample.close[:, column]

    def ended(self, numbers: Floats | np.ndarray, *, share: bool = False) -> Estimate | None:
        """Return the mean over the games that ended by the rules."""
        over = self.sample.over.astype(np.float64)
        return ratio(np.where(self.sample.over, numbers, 0.0), over, share=share)

    def won(self, numbers: Floats, *, share: bool = False) -> Estimate | None:
        """Return the mean over the games with an only winner in which points ever differed after a turn."""
        told = (self.close(survey.WON) > 0) & (self.close(survey.WIDEST) > 0)
        return ratio(np.where(told, numbers, 0.0), told.astype(np.float64), share=share)


def _over(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)


# Who wins ------------------------------------------------------------------------------------------
def _place(place: int) -> Callable[[Look], Estimate | None]:
    def of(look: Look) -> Estimate | None:
        shape, sample = look.setup.shape, look.sample
        if place >= shape.players or len(set(look.setup.bots)) > 1:
            return None
        step = interpret(shape.game).survey.watched.direction(shape.start()) * place
        seats = (sample.rows[:, survey.STARTER] + step) % shape.players
        return look.ended(np.take_along_axis(sample.returns, seats[:, None], 1)[:, 0], share=True)

    return of


def _seat(seat: int) -> Callable[[Look], Estimate | None]:
    return lambda look: look.ended(look.sample.returns[:, seat], share=True)


def _lucky(seat: int) -> Callable[[Look], Estimate | None]:
    return lambda look: luck.share(look.chance, seat)


def _shared(look: Look) -> Estimate | None:
    return look.ended((look.close(survey.WON) == 0).astype(np.float64), share=True)


def _unfinished(look: Look) -> Estimate | None:
    return ratio(~look.sample.over, share=True)


# How long it is ------------------------------------------------------------------------------------
def _branching(look: Look) -> Estimate | None:
    return ratio(look.close(survey.CHOICES), look.row(survey.DECISIONS))


def _choices(look: Look) -> Estimate | None:
    forced = look.close(survey.FORCED)
    return ratio(look.close(survey.CHOICES) - forced, look.row(survey.DECISIONS) - forced)


def _minutes(look: Look) -> Estimate | None:
    return ratio(look.row(survey.DECISIONS) * look.pace / 60)


# How it is won -------------------------------------------------------------------------------------
def _settled(look: Look) -> Estimate | None:
    return look.won(_over(look.close(survey.SETTLED), look.close(survey.TURNS)), share=True)


def _last_lead(look: Look) -> Estimate | None:
    return look.ended(_over(look.close(survey.LAST_LEAD), look.close(survey.TURNS)), share=True)


def _behind(look: Look) -> Estimate | None:
    return look.won(_over(look.close(survey.BEHIND), look.close(survey.TURNS)), share=True)


def _comeback(look: Look) -> Estimate | None:
    return look.won(_over(look.close(survey.DEEPEST), look.close(survey.WIDEST)), share=True)


def _drama(look: Look) -> Estimate | None:
    scale = np.sqrt(look.close(survey.WIDEST))
    return look.won(_over(_over(look.close(survey.DRAMA), look.close(survey.BEHIND)), scale), share=True)


def _closeness(look: Look) -> Estimate | None:
    return look.won(1 - _over(np.abs(look.close(survey.MARGIN)), look.close(survey.WIDEST)), share=True)


def _margin(look: Look) -> Estimate | None:
    won = look.close(survey.WON)
    return ratio(look.close(survey.MARGIN) * won, won)


def _winners(look: Look) -> Estimate | None:
    shares = look.sample.returns * look.sample.over[:, None]
    return ratio((look.sample.scores * shares).sum(axis=1), shares.sum(axis=1))


def _gap(look: Look) -> Estimate | None:
    """Not of the last turn, but of the final scores: some games count points only then."""
    return look.ended((look.sample.scores.max(axis=1) - look.sample.scores.min(axis=1)).astype(np.float64))


# The list ------------------------------------------------------------------------------------------
FIXED: tuple[Measure, ...] = (
    Measure("shared-wins", "win shared", "%", "games with several winners / games", f"drawishness, {BROWNE}", _shared),
    Measure("unfinished", "cut short", "%", "games without an end / games", f"timeouts, {LUDII}", _unfinished),
    Measure("decisions", "decisions a game", "", "Σ decisions / games", f"duration, {LUDII}; game duration, {TAG}",
            lambda look: ratio(look.row(survey.DECISIONS))),
    Measure("turns", "turns a game", "", "Σ runs of decisions of one seat / games", f"duration in turns, {LUDII}",
            lambda look: ratio(look.close(survey.TURNS))),
    Measure("steps", "decisions, dice and cards a game", "", "Σ steps / games", f"duration in actions, {LUDII}",
            lambda look: ratio(look.row(survey.STEPS))),
    Measure("minutes", "minutes a game", "min", "decisions x pace / 60", "the pace (seconds a decision) is assumed",
            _minutes),
    Measure("length-spread", "spread of decisions", "%", "standard deviation of decisions / their mean",
            "coefficient of variation", lambda look: variation(look.row(survey.DECISIONS))),
    Measure("branching", "legal decisions", "", "Σ_d legal decisions / Σ decisions",
            f"branching factor, {LUDII}; {TAG}", _branching),
    Measure("choices", "legal decisions, if more than one", "", "the same over decisions with a choice",
            f"decision factor, {LUDII}", _choices),
    Measure("forced", "forced decisions", "%", "Σ decisions with one legal action / Σ decisions", f"{LUDII}",
            lambda look: ratio(look.close(survey.FORCED), look.row(survey.DECISIONS), share=True)),
    Measure("repeated", "decisions faced before", "%",
            "Σ decisions whose view the seat has had before in the game / Σ decisions",
            f"state repetition, {LUDII}; here of what a seat sees",
            lambda look: ratio(look.close(survey.REPEATED), look.row(survey.DECISIONS), share=True)),
    Measure("lead-changes", "changes of the lead a game", "", "Σ turns after which another seat leads / games",
            f"lead change, {BROWNE}", lambda look: look.ended(look.close(survey.LEADS))),
    Measure("lead-rate", "changes of the lead a turn", "", "Σ changes of the lead / Σ turns", f"lead change, {BROWNE}",
            lambda look: ratio(look.close(survey.LEADS), look.close(survey.TURNS))),
    Measure("settled", "when the winner leads for good", "%", "mean of (last turn without a lead of w) / turns",
            f"decisiveness, {BROWNE}: its moment", _settled),
    Measure("last-lead", "when the lead changes last", "%", "mean of the turn of the last change of the lead / turns",
            f"permanence, {BROWNE}: how early leads last", _last_lead),
    Measure("behind", "turns the winner is behind", "%", "mean of turns with gap(w, t) > 0 / turns", f"drama, {BROWNE}",
            _behind),
    Measure("comeback", "most the winner was behind", "%", "mean of max_t gap(w, t) / widest", f"drama, {BROWNE}: most",
            _comeback),
    Measure("drama", "drama", "%", "mean of (Σ_t √gap(w, t) / turns behind) / √widest, 0 if never behind",
            f"drama, {BROWNE}", _drama),
    Measure("closeness", "closeness", "%", "1 - mean of |points of w - best of the others| / widest",
            f"score difference, {LUDII}", _closeness),
    Measure("margin", "the winner's points beyond the second", "", "mean of points of w - best of the others",
            f"score difference, {LUDII}", _margin),
    Measure("winner-score", "the winner's points", "", "Σ share of the win x points / Σ shares", f"scores, {TAG}",
            _winners),
    Measure("score-gap", "points from first to last", "", "mean of highest - lowest final points", f"scores, {TAG}",
            _gap),
    Measure("skill", "win share of the strong bot beyond an equal share", "%",
            "(p - 1/n) / (1 - 1/n): p, its share among weak bots, in each seat of each deal once",
            "see `strong_among_weak`", lambda look: strong_among_weak.edge(look.skill), SKILL),
    Measure("luck", "variance of wins that skill does not explain", "%",
            "1 - variance between bots / variance of shares of wins", "see `strong_among_weak`",
            lambda look: strong_among_weak.luck(look.skill), SKILL),
    Measure("stakes", "what the best decision adds to the chance to win", "%",
            "mean over decisions of max_a value(a) - mean_a value(a), by random rollouts", "see `decision_values`",
            lambda look: decision_values.gain(look.stakes), STAKES),
    Measure("decisiveness", "spread of the values of decisions", "%",
            "√(mean over decisions of the variance of value(a)), by random rollouts", "see `decision_values`",
            lambda look: decision_values.spread(look.stakes), STAKES),
)  # fmt: skip


def all_measures(setup: Setup) -> dict[str, Measure]:
    """Return every measure of a setup, by name: those of all games, and those of its seats and its `events.py`."""
    game, players = setup.shape.game, setup.shape.players
    found = []
    for place in range(players):
        formula = f"mean share of the win of the seat that is {ORDINALS[place]} to play"
        found.append(Measure(ORDINALS[place], f"{ORDINALS[place]} to play wins", "%", formula,
                             f"advantage P1, balance, {LUDII}", _place(place)))  # fmt: skip
    for seat in range(players):
        formula = f"mean share of the win of seat {seat + 1}"
        found.append(Measure(f"seat-{seat + 1}", f"seat {seat + 1} wins", "%", formula,
                             f"balance, {LUDII}", _seat(seat)))  # fmt: skip
    found += FIXED
    if luck.valued(game):
        found += without_luck(players)
    events, counts, endings = (getattr(game.events, name, ()) for name in ("EVENTS", "COUNTS", "ENDINGS"))
    own = f"{game.name}: events.py"
    for number, ending in enumerate(endings):
        found.append(Measure(f"ending {ending}", f"ended: {ending}", "%", "games that ended so / games", own,
                             _ending(number)))  # fmt: skip
    for number, event in enumerate(events):
        found.append(
            Measure(f"event {event}", event, "%", "games with it / games", own, _event(survey.EVENTS + number))
        )
    for number, count in enumerate(counts):
        column = survey.EVENTS + len(events) + number
        found.append(Measure(f"count {count}", count, "", "mean", own, _count(column)))
    return {one.name: one for one in found}


def without_luck(players: int) -> list[Measure]:
    """Return the measures of games in which positions have a value. None is of the seat that begins, because luck
    may decide which seat that is."""
    taken = [
        Measure(f"seat-{seat + 1}-without-luck", f"seat {seat + 1} wins, luck taken out", "%",
                f"mean of share of the win of seat {seat + 1} - c luck", "AIVAT; see `luck`", _lucky(seat), LUCK)
        for seat in range(players)
    ]  # fmt: skip
    explained = Measure("chance", "variance of wins that chance explains", "%",
                        "1 - variance of shares of wins without luck / variance of shares of wins", "AIVAT; see `luck`",
                        lambda look: luck.explained(look.chance), LUCK)  # fmt: skip
    return [*taken, explained]


def _ending(number: int) -> Callable[[Look], Estimate | None]:
    return lambda look: look.ended((look.row(survey.ENDING) == number).astype(np.float64), share=True)


def _event(column: int) -> Callable[[Look], Estimate | None]:
    return lambda look: ratio(look.row(column) > 0, share=True)


def _count(column: int) -> Callable[[Look], Estimate | None]:
    return lambda look: look.ended(look.row(column))


def chosen(setup: Setup, names: Iterable[str] | None = None) -> list[Measure]:
    """Return the measures of these names; by default all that need nothing but the games themselves.

    "all" means every measure. Raises UnknownName, which lists those there are.
    """
    known = all_measures(setup)
    if names is None:
        return [one for one in known.values() if one.needs == GAMES]
    found: dict[str, Measure] = {}
    for name in names:
        if name == "all":
            found |= known
        elif name in known:
            found[name] = known[name]
        else:
            raise UnknownName(f"There is no measure {name!r} of {setup.shape.game.name}.", allowed=(*known, "all"))
    return list(found.values())


def measured(look: Look, names: Iterable[str] | None = None) -> dict[str, Estimate]:
    """Return the measures of these names (`chosen`) that the games say something about."""
    found = {one.name: one.of(look) for one in chosen(look.setup, names)}
    return {name: estimate for name, estimate in found.items() if estimate is not None}
