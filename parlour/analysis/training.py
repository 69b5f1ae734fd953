"""Training: rounds of games of the search against itself, from which a network learns; and its acceptance.

The first round is played with the policy's outlook, each other one with the network of the round before. What was
learnt from one-ply bots misled the search, so only games of the search itself count; a network that plays without a
search learns from games without one. All of it is kept in a folder:
`games-1.jsonl`, `net-1.npz`, `duel-1.jsonl` and so on, `log.json`, `strength.svg`. The same course continues there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from parlour.analysis import blocks, curves, learning
from parlour.analysis.intervals import block_interval
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.learning import Lessons
from parlour.analysis.places import Where
from parlour.analysis.plans import Plan
from parlour.analysis.selfplay import Games, Series, Side
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.engine import weights
from parlour.engine.weights import MOST, Weights

DRAWN, RANDOM = 0.25, 0.03  # decisions of games to learn from that are drawn: by visits, and among all legal ones
BLOCK, QUICK = 20, 200  # rounds of seats in a block, with a search and without
LATE = 14  # rounds after which a network learns slowest, as a copy of one does from its first round on
PILOT = 10  # rounds of seats that say how long a simulation takes

Progress = Callable[[int, int, str], object]  # how many blocks are done, of how many, and of what


@dataclass(frozen=True)
class Course:
    """What is trained, and how: `rounds` of `games` with `simulations` for each decision, learnt from the last
    `window` rounds; then `duels` games with the network against the outlook, each with every seat.

    With 0 simulations nothing is searched: the network learns from what it says of later positions and from the end
    (`parlour.engine.learned`), and plays against `greedy`. With a `rival` it is an exploiter: that bot has all other
    seats, in games to learn from and in duels, and if it is a network, the exploiter begins as a copy of it.
    """

    game: Game
    players: int
    editions: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    lessons: Lessons
    rounds: int = 10
    games: int = 400
    simulations: int = 300
    window: int = 5
    duels: int = 100
    rival: Side | None = None

    def series(self, sides: Sequence[Side], seed: int, *, keep: bool) -> Series:
        """Return games between these sides; those to learn from (`keep`) have some drawn decisions."""
        drawn, chance = (DRAWN, RANDOM) if keep else (0.0, 0.0)
        named = (self.game.name, self.game.package)
        trace = self.lessons.result if not self.simulations else 0.0
        return Series(named, self.players, self.editions, self.options, seed, tuple(sides), drawn, chance, keep, trace)

    @property
    def block(self) -> int:
        """The rounds of seats in a block of games."""
        return BLOCK if self.simulations else QUICK

    @property
    def other(self) -> Side:
        """Who plays against the network where its strength is measured."""
        return self.rival or Side(self.simulations)

    @property
    def settings(self) -> dict[str, object]:
        """Everything that decides the weights, for JSON."""
        rival = "" if self.rival is None else sha256(msgspec.json.encode(self.rival)).hexdigest()[:16]
        plan = self.series([Side(self.simulations)], self.lessons.seed, keep=True).plan(self.games, self.block)
        named = {"game": self.game.name, "editions": list(self.editions), "options": dict(self.options), "rival": rival}
        numbers = ("players", "rounds", "games", "simulations", "window", "duels")
        return named | {one: getattr(self, one) for one in numbers} | asdict(self.lessons) | {"version": plan.version}


class Score(NamedTuple):
    """How games between two sides went: the games, the share of the first side with its 95 % interval, and what a
    simulation of each takes, in microseconds."""

    games: int
    share: float
    low: float
    high: float
    microseconds: tuple[float, float]


@dataclass(frozen=True)
class Round:
    """What came of a round: the positions learnt from, the loss on games held back (of the outlook, of the network),
    the score against the outlook, and the processor hours since the beginning that were spent on searching and
    learning."""

    number: int
    positions: int
    outlook: float
    loss: float
    score: Score
    learning: float
    hours: float


@dataclass(frozen=True)
class How:
    """Where games are played, and who hears of it. None of it changes them."""

    where: Where
    audit: float = 0.0
    progress: Progress | None = None
    notice: blocks.Notice | None = None


def score(found: Sequence[Games]) -> Score:
    """Return how games between two sides went; the blocks of the interval are games with the same draws."""
    players = found[0].shares.shape[1]
    won = np.concatenate([one.shares[np.arange(len(one.first)), one.first] for one in found])
    each = won.reshape(-1, players).mean(axis=1)
    share, low, high = block_interval([float(one) for one in each])
    seconds, simulations = sum(one.seconds for one in found), sum(one.simulations for one in found)
    first, second = 1e6 * seconds / np.maximum(simulations, 1)
    return Score(len(won), share, low, high, (float(first), float(second)))


def play(plan: Plan, how: How, what: str, file: Path | None = None) -> list[Games]:
    """Play a plan of `selfplay.Series`. Raises what `blocks.collect` raises."""

    def told(status: blocks.Status) -> None:
        if how.progress is not None:
            how.progress(status.done, status.total, what)

    found = blocks.collect(plan, how.where, file, audit=how.audit, progress=told, notice=how.notice)
    return [Games.read(one) for one in found]


# Training ------------------------------------------------------------------------------------------
def train(course: Course, folder: Path, how: How, note: Callable[[Round], object] | None = None) -> list[Round]:
    """Train in a folder, or continue what was begun there; `note` receives each round when it is done.

    Raises OtherResults if the folder has another course, and BadSetup for a game that cannot be learnt.
    """
    checked(course.game, course.players)
    return _Training(course, folder, how).run(note or (lambda _: None))


def checked(game: Game, players: int) -> None:
    """Refuse a game that no network can learn. Raises BadSetup."""
    if players < 2:
        raise BadSetup("A network says who will win, so there must be at least two players.")
    if game.rules.OBSERVATION_SIZE == 0:
        raise BadSetup(f"{game.name} does not say what its players see, so a network has nothing to look at.")
    layout = weights.layout(game)
    state, out = game.start(players, game.edition(), game.options()), [0] * layout.most
    if getattr(game.policy, "FEATURES", 0):
        policy = game.policy
        assert policy is not None
        there = out[: policy.features(state, 0, out)]
        if odd := [one for one in there if not 0 <= one < layout.features]:
            raise BadSetup(f"{game.name} has {layout.features} features, but a position has number {odd[0]}.")


@dataclass
class _Training:
    course: Course
    folder: Path
    how: How
    done: list[Round] = field(default_factory=list)

    def run(self, note: Callable[[Round], object]) -> list[Round]:
        """Do all rounds that are not done."""
        course, known = self.course, self._known()
        net = None if course.rival is None else course.rival.weights(course.game)
        played: list[list[Games]] = []
        for number in range(1, course.rounds + 1):
            sides = [Side.of(course.simulations, net), *filter(None, [course.rival])]
            series = course.series(sides, course.lessons.seed + number, keep=True)
            played.append(
                play(series.plan(course.games, course.block), self.how, f"round {number}", self._file(number))
            )
            file = self.folder / f"net-{number}.npz"
            if len(known) >= number and file.is_file():
                net = weights.read(file.read_bytes(), course.game)
                self.done.append(known[number - 1])
                continue
            net, one = self._learnt(number, played, net)
            file.write_bytes(net.written())
            self.done.append(one)
            self._write()
            note(one)
        return self.done

    def _file(self, number: int) -> Path:
        return self.folder / f"games-{number}.jsonl"

    def _learnt(self, number: int, played: list[list[Games]], before: Weights | None) -> tuple[Weights, Round]:
        """Learn from the last rounds, and play against the outlook."""
        course = self.course
        begun = time.process_time()
        some = [one for games in played[-course.window :] for one in games]
        every, held = learning.positions(some, course.lessons.result if course.simulations else 0.0)
        known = every.part(~held)
        late = LATE if course.rival is not None and course.rival.net else 0
        net = learning.learn(known, weights.layout(course.game).features, course.lessons, before, late + number)
        spent = time.process_time() - begun
        sides = [Side.of(course.simulations, net), course.other]
        duel = course.series(sides, course.lessons.seed, keep=False).plan(course.duels, course.block)
        found = score(play(duel, self.how, f"duel {number}", self.folder / f"duel-{number}.jsonl"))
        searched = sum(float(one.seconds.sum()) for games in played for one in games)
        before_it = sum(one.learning for one in self.done)
        hours = (searched + before_it + spent) / 3600
        losses = learning.loss(every.part(held), None), learning.loss(every.part(held), net)
        return net, Round(number, len(known.shares), *losses, found, spent, hours)

    def _known(self) -> list[Round]:
        """Return the rounds that the folder's log has. Raises OtherResults for another course's."""
        file = self.folder / "log.json"
        if not file.is_file():
            return []
        log = json.loads(file.read_text("utf-8"))
        wanted = json.loads(json.dumps(self.course.settings))
        other = [name for name in wanted if log.get("settings", {}).get(name) != wanted[name] and name != "rounds"]
        if other:
            raise OtherResults(f"{file}: this folder has another course ({', '.join(other)}). Choose another folder.")
        return [
            Round(**one | {"score": Score(**one["score"] | {"microseconds": tuple(one["score"]["microseconds"])})})
            for one in log["rounds"]
        ]

    def _write(self) -> None:
        """Write the log and the picture."""
        rounds = [asdict(one) | {"score": one.score._asdict()} for one in self.done]
        log = {"settings": self.course.settings, "rounds": rounds}
        (self.folder / "log.json").write_text(json.dumps(log, indent=1) + "\n", "utf-8")
        (self.folder / "strength.svg").write_text(picture(self.course, self.done), "utf-8")


def picture(course: Course, rounds: Sequence[Round]) -> str:
    """Draw how strong the networks are, over the hours that they took."""
    most = max(one.hours for one in rounds)
    places = [
        curves.Place(
            one.hours / most, f"{one.hours:.2f} h", 100 * one.score.share, 100 * one.score.low, 100 * one.score.high
        )
        for one in rounds
    ]
    sides = f"{course.simulations} simulations a decision on both sides" if course.simulations else "No search"
    note = f"{sides}, {rounds[-1].score.games} games after each round; the bars are 95 % confidence intervals."
    other = "the outlook" if course.simulations else "greedy" if course.rival is None else "its rival"
    panel = curves.Panel(f"share of the wins against {other}, over processor hours", "%", {"": places})
    return curves.draw(f"{course.game.text.TITLE}: training", note, [panel])


# Acceptance ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Verdict:
    """Whether a network is accepted: it is if, at equal time, the whole interval of its share is above an even one."""

    simulations: tuple[int, int]  # of the network, of the outlook
    score: Score
    even: float
    size: int  # bytes

    @property
    def accepted(self) -> bool:
        """Whether the network has earned its place, and fits into the wheel."""
        return self.score.low > self.even and self.size <= MOST


def accept(course: Course, net: Weights, games: int, how: How, folder: Path | None = None) -> Verdict:
    """Play a network against the outlook (or the course's rival), at equal time: the outlook has the simulations of
    the course, the network as many as take as long in a few games before. The number of `games` is fixed.

    In a folder it continues where it ended (`pilot.jsonl`, `accept.jsonl`). Raises OtherResults if the folder has
    another network's.
    """
    outlook, first, second = course.other, None, None
    if folder is not None:
        first, second = folder / "pilot.jsonl", folder / "accept.jsonl"
    pilot = course.series([Side.of(course.simulations, net), outlook], course.lessons.seed + 1, keep=False)
    few = pilot.plan(PILOT * course.players, PILOT)
    took = score(play(few, how, "how long a simulation takes", first)).microseconds
    same = max(1, round(course.simulations * took[1] / took[0])) if course.simulations else 0
    series = course.series([Side.of(same, net), outlook], course.lessons.seed, keep=False)
    found = score(play(series.plan(games, course.block), how, "games of equal time", second))
    return Verdict((same, course.simulations), found, 1 / course.players, len(net.written()))
