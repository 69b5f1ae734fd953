"""Questions about the values of a game, answered by play: what games are like with an edition as it is, and with
other values.

A file of questions (TOML; docs/notes-to-the-authors.toml is one) has, for each, a game, bots, what is counted, and the
values that are tried, each of which may say any of these anew. The answers are kept beside it (JSON); its page
(Markdown) has a table for each question.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from parlour import bots as known
from parlour.analysis import report
from parlour.analysis.intervals import SURE, interval
from parlour.analysis.retracing import retrace
from parlour.analysis.statistics import Numbers, Shares
from parlour.analysis.tables import ORDINALS
from parlour.bots import View
from parlour.core.edition import Edition
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import GameState
from parlour.engine import interpret, simulate, survey
from parlour.games import find

SCHEME = "parlour-notes-1"
KEYS = {"name", "label", "game", "edition", "parts", "options", "players", "plays", "seed", "measures", "always"}
LABELS = ("value", "bots", "players")

Progress = Callable[[int, int, str], object]


class Figure(NamedTuple):
    """A number counted over many games, and its 95 % confidence interval; `share` says whether it is one of games."""

    value: float
    low: float
    high: float
    share: bool = False


@dataclass(frozen=True)
class Trial:
    """Games of one kind: a line of a question's table. `parts` are those that differ from the edition. The moves
    `always` are made whenever they are legal, as if a rule demanded them."""

    label: str
    game: Game
    edition: str
    players: int
    bots: str
    games: int
    seed: int
    measures: tuple[str, ...]
    parts: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    always: tuple[str, ...] = ()

    def asked(self) -> dict[str, object]:
        """Return everything that decides the answer, for JSON."""
        plan = {"plan": known.terms(self.game, self.bots)} if self.bots in known.LEVELS else {}
        return {
            "notes": SCHEME, "game": self.game.name, "rules": self.game.rules.VERSION, "edition": self.edition,
            "changed": dict(self.parts), "options": dict(self.options), "players": self.players, "bots": self.bots,
            "games": self.games, "seed": self.seed, "measures": list(self.measures),
        } | plan | ({"always": list(self.always)} if self.always else {})  # fmt: skip

    def changed(self) -> Edition:
        """Return the edition with its changed parts. Raises BadParts."""
        return self.game.edition(self.edition).changed(self.parts)

    def start(self) -> GameState:
        """Return the state before the first chance event. Raises BadSetup; BadParts if the values make no game."""
        state: GameState = self.game.start(self.players, self.changed(), self.game.options(self.options))
        return state


@dataclass(frozen=True)
class Question:
    """A table of the page, under the marks with its name."""

    name: str
    trials: tuple[Trial, ...]

    @property
    def marks(self) -> tuple[str, str]:
        """The comments around the table in the page."""
        begin, end = (f"<!-- written by `parlour notes`: {self.name}: {word} -->" for word in ("begin", "end"))
        return begin, end


def read(file: Path) -> list[Question]:
    """Return the questions in a file. Raises BadSetup, UnknownName; OSError, tomllib.TOMLDecodeError."""
    return [_question(given) for given in tomllib.loads(file.read_text("utf-8"))["question"]]


def _question(given: dict[str, Any]) -> Question:
    values = given.pop("values")
    trials = []
    for value in values:
        one = given | value | {"options": given.get("options", {}) | value.get("options", {})}
        if strange := one.keys() - KEYS:
            raise BadSetup(f"The question {one['name']!r} has keys that mean nothing: {', '.join(sorted(strange))}.")
        game = find(one["game"])
        trial = Trial(
            one["label"], game, game.named(one.get("edition")).name, 0, "", 0, one.get("seed", 1),
            tuple(one["measures"]), one.get("parts", {}), game.read(one["options"]),
            tuple(one.get("always", ())),
        )  # fmt: skip
        trials += [
            replace(trial, players=players, bots=bots, games=games)
            for players in one["players"]
            for bots, games in one["plays"].items()
        ]
    return Question(given["name"], tuple(trials))


# Playing -----------------------------------------------------------------------------------------
def play(trial: Trial, threads: int | None = None, progress: Progress | None = None) -> dict[str, Figure]:
    """Play a trial's games, all seats with the same bot, and return its measures. Raises UnknownName, BadSetup."""

    def tell(done: int, games: int) -> None:
        if progress is not None:
            progress(done, games, f"{trial.game.name}, {trial.label}, {trial.bots}")

    columns = _columns(trial.game)
    empty = np.zeros((1, survey.EVENTS + len(columns)), np.int64), np.zeros((1, trial.players))
    for name in trial.measures:  # refused before the games, not after them
        _measure(name, *empty, columns, 1)
    if trial.bots in known.simulated(trial.game) and not trial.always:
        policies = [known.driver(trial.game, trial.bots)] * trial.players
        _, returns, rows = simulate.survey(trial.game, trial.start(), policies, trial.games, trial.seed, tell, threads)
    else:
        returns, rows = _searched(trial, tell)
    over = rows[:, survey.ENDING] != survey.UNKNOWN
    if not over.all():
        raise BadSetup(f"{int((~over).sum())} of the games of {trial.label!r} had no end.")
    direction = interpret(trial.game).survey.watched.direction(trial.start())
    return {name: _measure(name, rows, returns, columns, direction) for name in trial.measures}


def _searched(trial: Trial, tell: Callable[[int, int], None]) -> tuple[Shares, Numbers]:
    """Play decision by decision, each bot with its View. Each seat has its own, as one keeps what it has seen."""
    from parlour.bots import worker

    engine = worker.warm(trial.game)
    returns, rows = np.zeros((trial.games, trial.players)), []
    seats = [known.find(trial.game, trial.bots) for _ in range(trial.players)]
    for number in range(trial.games):
        seed = seed_of(f"{SCHEME}/{trial.seed}/{number}")
        match = Match(trial.game, trial.players, edition=trial.changed(), options=trial.options, seed=seed)
        while not match.over:
            seat = match.current_player
            forced = [move for move in match.legal_actions() if move in trial.always] if trial.always else []
            action = match.parse(forced[0]) if forced else seats[seat].choose(View.of(match, seat), engine)
            match.advance(action)
            match.draw()
        returns[number] = match.returns
        rows.append(retrace(match).row)
        tell(number + 1, trial.games)
    return returns, np.array(rows)


# Measuring ---------------------------------------------------------------------------------------
def _columns(game: Game) -> dict[str, tuple[str, int]]:
    """Return what can be measured in a game: name -> (what it is, a column of `survey` or the number of an ending)."""
    events, counts, endings = (getattr(game.events, name, ()) for name in ("EVENTS", "COUNTS", "ENDINGS"))
    found = {"decisions": ("count", survey.DECISIONS), "steps": ("count", survey.STEPS)}
    found |= {name: ("event", survey.EVENTS + i) for i, name in enumerate(events)}
    found |= {name: ("count", survey.EVENTS + len(events) + i) for i, name in enumerate(counts)}
    return found | {name: ("ending", i) for i, name in enumerate(endings)}


def _measure(
    name: str, rows: Numbers, returns: Shares, columns: Mapping[str, tuple[str, int]], direction: int
) -> Figure:
    """Measure what `name` says; the page explains the words. Turns go to the next seat (`direction` 1) or to the one
    before (-1). Raises UnknownName."""
    if name.endswith(" to play") and name.removesuffix(" to play") in ORDINALS[: returns.shape[1]]:
        place = ORDINALS.index(name.removesuffix(" to play"))
        seats = (rows[:, survey.STARTER] + direction * place) % returns.shape[1]
        return _share(np.take_along_axis(returns, seats[:, None], 1))
    if name == "win shared":
        return _share(returns.max(axis=1) < 1)
    if minutes := re.fullmatch(r"seconds for each decision in (\d+) minutes", name):
        mean, low, high = (60 * int(minutes[1]) / max(1.0, n) for n in _mean(rows[:, survey.DECISIONS])[:3])
        return Figure(mean, high, low)
    plain, _, how = name.partition(", ")
    plain, _, exactly = plain.partition(" = ")
    kind, column = columns.get(plain, ("", 0))
    if kind == "ending" and name == plain:
        return _share(rows[:, survey.ENDING] == column)
    if kind == "count" and exactly.isdigit():
        return _share(rows[:, column] == int(exactly))
    if kind == "count" and how == "95 %":
        most = float(np.quantile(rows[:, column], 0.95, method="inverted_cdf"))
        return Figure(most, most, most)
    if (kind, how) in (("event", "times a game"), ("count", "")):
        return _mean(rows[:, column])
    if kind == "event" and name == plain:
        return _share(rows[:, column] > 0)
    raise UnknownName(f"There is no measure {name!r}.", allowed=columns)


def _share(part: NDArray[np.bool_] | Shares) -> Figure:
    share = float(part.mean())
    return Figure(share, *interval(share, len(part)), True)


def _mean(numbers: Numbers) -> Figure:
    mean, half = float(numbers.mean()), SURE * float(numbers.std()) / len(numbers) ** 0.5
    return Figure(mean, mean - half, mean + half)


# Answers and tables ------------------------------------------------------------------------------
class Kept(TypedDict):
    """An answer in the file: `Trial.asked`, and each `Figure` as a list."""

    asked: dict[str, object]
    told: dict[str, list[float]]


class Answers:
    """The file of answers beside a file of questions: JSON, a line for each trial, added when it has been played."""

    def __init__(self, file: Path) -> None:
        self.file = file
        found: list[Kept] = json.loads(file.read_text("utf-8")) if file.exists() else []
        self.kept = {_key(one["asked"]): one for one in found}

    def of(self, trial: Trial) -> dict[str, Figure] | None:
        """Return the answer to a trial, None if it has not been played as it is asked now."""
        one = self.kept.get(_key(trial.asked()))
        return None if one is None else {name: _figure(*numbers) for name, numbers in one["told"].items()}

    def add(self, trial: Trial, figures: Mapping[str, Figure]) -> None:
        """Keep an answer at once."""
        rounded = {name: [*(float(f"{number:.6g}") for number in one[:3]), one.share] for name, one in figures.items()}
        self.kept[_key(trial.asked())] = {"asked": trial.asked(), "told": rounded}
        self._write(self.kept)

    def prune(self, questions: Sequence[Question]) -> None:
        """Drop what is no longer asked, and put the rest in the order of the questions."""
        keys = [_key(trial.asked()) for question in questions for trial in question.trials]
        self._write({key: self.kept[key] for key in dict.fromkeys(keys) if key in self.kept})

    def _write(self, kept: Mapping[str, Kept]) -> None:
        self.kept = dict(kept)
        lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in kept.values()]
        self.file.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


def _figure(value: float, low: float, high: float, share: float) -> Figure:
    return Figure(value, low, high, bool(share))


def _key(asked: Mapping[str, object]) -> str:
    return json.dumps(asked, sort_keys=True)


def table(question: Question, answers: Answers) -> str:
    """Return a question's table in Markdown. Raises BadSetup if a trial has not been played."""
    measures = question.trials[0].measures
    lines = [_line((*LABELS, "games", *measures)), _line(["---"] * len(LABELS) + ["--:"] * (1 + len(measures)))]
    for trial in question.trials:
        if (figures := answers.of(trial)) is None:
            raise BadSetup(f"{question.name}: {trial.label!r} with {trial.bots} has not been played.")
        labels = (trial.label, trial.bots, str(trial.players), f"{trial.games:,}")
        lines.append(_line((*labels, *(text(figures[name]) for name in measures))))
    return "\n".join(lines)


def tabled(page: str, questions: Sequence[Question], answers: Answers) -> str:
    """Return the page with the tables between their marks; a question without marks gets a heading."""
    for question in questions:
        page = report.rewrite(page, table(question, answers), *question.marks, heading=f"## {question.name}")
    return page


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def text(figure: Figure) -> str:
    """Return a figure with half of its interval, and no more digits than that leaves it."""
    value, low, high, share = figure
    half = (high - low) / 2
    if not share:
        digits = max(0, -math.floor(math.log10(half))) if half else 0
        return f"{value:,.{digits}f} ± {half:,.{digits}f}" if half else f"{value:,.0f}"
    if value in (0.0, 1.0):
        return f"100 % (> {100 * low:.4g} %)" if value else f"0 (< {100 * high:.2g} %)"
    digits = 1 if min(value, half) >= 0.0005 else 2
    return f"{100 * value:.{digits}f} ± {100 * half:.{digits}f} %"
