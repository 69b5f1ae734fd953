"""Bots against each other. Every block of games is one seed, played at every table in every rotation of the seats."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from parlour import bots as known
from parlour.analysis.crew import Crew, Job, Own, Played, imported, place_of, play, play_here
from parlour.bots import outside
from parlour.bots.outside import Named
from parlour.bots.own import SECONDS, Bot
from parlour.core.edition import Edition, EditionLike
from parlour.core.errors import BadSetup, ParlourError, positive
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.engine.frames import Columns, Framed

__all__ = ["Block", "Contest", "Crew", "Job", "Played", "Progress", "Run", "play", "play_here", "run"]

SCHEME = "parlour-arena-1"

Block = tuple[Played, ...]
Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Contest:
    """The bots and the setup of an arena. With its seed it determines every game. `options` holds only those that are
    not the default. `clock`: the seconds that bots of your own have for each decision. `given` has, by their names,
    those bots that are classes or objects; `between` finds them. `edition` may be given as `Game.edition` reads it; one
    of your own is kept as it was then.

    Raises when made: BadSetup (too few bots, one named twice, a number of players that does not fit), UnknownName.
    """

    game: Game
    bots: tuple[str, ...]
    players: int
    edition: EditionLike
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    clock: float = SECONDS
    given: Mapping[str, Own] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        positive(self.clock, "Seconds")
        for name in self.bots:
            outside.chooser(self.game, self.given.get(name, name))
        if len(set(self.bots)) < max(2, len(self.bots)):
            raise BadSetup("An arena needs two bots or more, each with a name of its own.")
        if taken := [name for name in self.given if name in known.names(self.game)]:
            raise BadSetup(f"{taken[0]!r} is the name of a known bot. Give yours another `name`.")
        object.__setattr__(self, "edition", self.game.settled(self.edition))
        self.game.start(self.players, self.box, self.game.options(self.options))

    @property
    def box(self) -> Edition:
        """The edition."""
        return self.game.edition(self.edition)

    @classmethod
    def between(
        cls,
        game: Game,
        bots: Sequence[Named],
        players: int,
        edition: EditionLike,
        options: Mapping[str, str] | None = None,
        seed: int = 1,
        clock: float = SECONDS,
    ) -> Contest:
        """Return a contest between bots of any kind: names, classes or objects. Raises what it raises when made."""
        chosen = outside.seated(bots, len(bots))
        given = {outside.label(one): one for one in chosen if not isinstance(one, str)}
        return cls(game, tuple(map(outside.label, chosen)), players, edition, options or {}, seed, clock, given)

    def is_own(self, name: str) -> bool:
        """Return whether one of its bots is of your own."""
        return name in self.given or outside.is_own(name)

    @cached_property
    def sendable(self) -> bool:
        """Return whether other processes can play its games. They can't with an object, of which there is one, nor with
        a class that they can't import."""
        for one in self.given.values():
            if not isinstance(one, type) or one.__module__ == "__main__":
                return False
            try:
                if imported(place_of(one)) is not one:
                    return False
            except (ImportError, AttributeError):
                return False
        return True

    @cached_property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """The bots at each table: each bot as often as the others, none twice at a table if there are enough."""
        each, left = divmod(self.players, len(self.bots))
        return tuple(tuple(sorted((*self.bots * each, *more))) for more in combinations(self.bots, left))

    def block(self, number: int) -> tuple[tuple[str, ...], ...]:
        """Return the games of a block, each as its bots by seat: at each table every rotation of one order of the bots.

        Each block draws a new order. So each bot has each seat equally often, and over the blocks each neighbour.
        Rotations that are equal (two bots that alternate) would be the same game again and are played once.
        """
        if number in self._blocks:
            return self._blocks[number]
        games: list[tuple[str, ...]] = []
        for place, table in enumerate(self.tables):
            order = list(table)
            random.Random(f"{SCHEME}/{self.seed}/{number}/{place}").shuffle(order)
            turned = [tuple(order[shift:] + order[:shift]) for shift in range(self.players)]
            games += dict.fromkeys(turned)
        self._blocks[number] = tuple(games)
        return self._blocks[number]

    @cached_property
    def _blocks(self) -> dict[int, tuple[tuple[str, ...], ...]]:
        return {}

    def jobs(self, number: int) -> list[Job]:
        """Return the games of a block, to be played; all have the same stream of chance."""
        seed = seed_of(f"{SCHEME}/{self.seed}/{number}")
        name = (self.game.name, self.game.package)
        options = tuple(sorted(self.options.items()))
        games = enumerate(self.block(number))
        given = tuple(self.given.items())
        return [Job(name, self.edition, options, seed, number, i, seats, self.clock, given) for i, seats in games]

    def settings(self) -> dict[str, object]:
        """Return everything that determines the games, for JSON, and what an edition of your own is based on."""
        clock = {"clock": self.clock} if any(map(self.is_own, self.bots)) else {}
        base = {"base": self.box.base} if self.box.base else {}
        return (
            {
                "arena": SCHEME,
                "game": self.game.name,
                "rules": self.game.rules.VERSION,
                "edition": self.box.name,
                "parts": self.box.parts,
                "options": self.game.options(self.options),
                "players": self.players,
                "bots": list(self.bots),
                "plans": {name: known.terms(self.game, name) for name in self.bots if name in known.LEVELS},
                "seed": self.seed,
            }
            | clock
            | base
        )


@dataclass
class Run(Framed):
    """The games of a contest: whole blocks in order, and why it ended.

    `ended` is "games" (all of them), "rule" (the stopping rule), "time" or "interrupted".
    """

    contest: Contest
    blocks: list[Block]
    ended: str
    seconds: float  # of this run

    @property
    def games(self) -> int:
        """The number of games in the blocks."""
        return sum(map(len, self.blocks))

    def columns(self) -> Columns:
        """Return a row for each seat of each game: the game's block and its number there, the seat (from 1), its bot,
        and what `Played` has of it."""
        games = [one for block in self.blocks for one in block]
        rows = [
            (one.block, one.number, seat + 1, *numbers, one.luck[seat] if one.luck else None, one.fault or None)
            for one in games
            for seat, numbers in enumerate(
                zip(one.seats, one.returns, one.scores, one.decisions, one.seconds, strict=True)
            )
        ]
        names = ("block", "number", "seat", "bot", "return", "score", "decisions", "seconds", "luck", "fault")
        return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def run(
    contest: Contest, games: int, crew: Crew, *, before: Iterable[Played] = (),
    keep: Callable[[Played], object] | None = None,
    enough: Callable[[Block], bool] | None = None, seconds: float | None = None, progress: Progress | None = None,
) -> Run:  # fmt: skip
    """Play at least `games` games in whole blocks, or fewer if `enough` returns True for a block, or time runs out.

    Blocks count in order and only when whole, so the result does not depend on the number of processes or their speed.
    `before` holds games already played; `keep` receives each new one at once. Ctrl-C ends the run without an error.
    """
    begun = time.monotonic()
    wanted = total = 0
    while total < games:
        total += len(contest.block(wanted))
        wanted += 1
    known_games = {(one.block, one.number): one for one in before if one.block < wanted}
    blocks: list[Block] = []
    ended = ""

    def count() -> bool:
        """Add the blocks that are whole now. Return whether the run is complete."""
        nonlocal ended
        while len(blocks) < wanted:
            number = len(blocks)
            found = [known_games.get((number, i)) for i in range(len(contest.block(number)))]
            whole = tuple(one for one in found if one is not None)
            if len(whole) < len(found):
                return False
            blocks.append(whole)
            if enough is not None and enough(whole):
                ended = "rule"
                return True
        ended = "games"
        return True

    def left() -> Iterator[Job]:
        for number in range(len(blocks), wanted):
            yield from (job for job in contest.jobs(number) if (job.block, job.number) not in known_games)

    try:
        if not count():
            if not all(map(contest.is_own, contest.bots)):
                crew.warm(contest.game)  # not on the clock
            begun = time.monotonic()
            games_of = crew.play if contest.sendable else play_here
            with closing(games_of(left(), seconds)) as played:
                for one in played:
                    known_games[one.block, one.number] = one
                    if keep is not None:
                        keep(one)
                    if one.block < len(blocks):
                        _correct(blocks, one, ruled=enough is not None)
                    if progress is not None:
                        progress(len(known_games), total)
                    if count():
                        break
            ended = ended or "time"
    except KeyboardInterrupt:
        ended = "interrupted"
    finally:
        for bot in contest.given.values():
            if isinstance(bot, Bot):
                with suppress(Exception):  # it has played its last game
                    bot.close()
    return Run(contest, blocks, ended, time.monotonic() - begun)


def _correct(blocks: list[Block], one: Played, *, ruled: bool) -> None:
    """Replace a game that has counted, but was not played as it should: an audit has found out. Raises ParlourError if
    a stopping rule has `ruled` on it."""
    if ruled:
        raise ParlourError(
            "Games that were wrong counted for the stopping rule. With --out, the same command starts it again "
            "with the right ones."
        )
    block = blocks[one.block]
    blocks[one.block] = (*block[: one.number], one, *block[one.number + 1 :])
