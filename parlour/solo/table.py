"""A table for one: a person, bots in the other seats, and the match between them.

A version is the number of positions that the page was offered. It only grows, even when a decision is taken back.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

from parlour.bots import Chooser, PolicyBot, SearchBot, View, simulated
from parlour.bots.levels import plan
from parlour.core import html
from parlour.core.contract import CHANCE, UNSEEN, Step
from parlour.core.course import NO_LESSON, Course, course
from parlour.core.errors import CannotUndo, NotYourTurn, UnknownName
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.moments import moment
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.core.scene import SPECTATOR, Line, Scene, past
from parlour.core.standing import decided, progress, weightiest

PERSON = 0  # the seat of the reader
PACES = {"normal": 900, "slow": 2500, "fast": 400, "instant": 0}  # milliseconds from one move to a bot's next, at least
SEARCH = "search"  # a bot that looks ahead for SIMULATIONS simulations, or SECONDS
SIMULATIONS, SECONDS = 200, 1.0


@dataclass(frozen=True)
class Frame:
    """A position as the page gets it: see docs/architecture.md."""

    version: int
    html: str
    log: str
    moment: str
    sounds: str = ""
    great: bool = False


def levels(game: Game) -> tuple[str, ...]:
    """Return the bots that a reader can play against, the default first."""
    return (*simulated(game)[:1], SEARCH, *simulated(game)[1:])


def chooser(game: Game, level: str) -> Chooser:
    """Return a bot for this level. Raises UnknownName."""
    if level not in levels(game):
        raise UnknownName(f"There is no bot {level!r} here.", allowed=levels(game))
    if level == SEARCH:
        return SearchBot(game, level, replace(plan(game, "medium"), simulations=SIMULATIONS, seconds=SECONDS))
    return PolicyBot(game, level)


class Table:
    """A match with the reader in seat PERSON and bots in the others; `rules` is the address of the rulebook."""

    def __init__(
        self, match: Match, rules: str, level: str, *, pace: str = "", version: int = 0, lesson: Course = NO_LESSON
    ) -> None:
        """Begin with this match. `version` is that of the last position of the table before, on the same page. Raises
        UnknownName."""
        self.game, self.match, self.level, self.rules = match.game, match, level, rules
        self.pace = PACES.get(pace, PACES["normal"])
        self.lesson = lesson
        self._bot = chooser(self.game, level)
        self._lines: list[list[Line]] = [self._tell(step) for step in match.history()]
        self.version = version + 1
        self.frames: list[Frame] = []  # those that the page has not got
        self.fresh = True  # whether they replace everything that the page has
        self._show(self.scene(), None)
        self._at = time.monotonic()  # when the last step was made
        self._hurries = False

    @classmethod
    def new(cls, game: Game, options: Mapping[str, str], rules: str, body: Mapping[str, object], version: int) -> Table:
        """Return a new table; `body` has the number of players, the bot and the reader's name. Raises BadSetup,
        UnknownName."""
        fewest, _ = game.facts.players
        players, level = int(str(body.get("players") or fewest)), str(body.get("bot") or levels(game)[0])
        bots = [f"{level.capitalize()} bot" + (f" {number}" if players > 2 else "") for number in range(1, players)]
        names = [str(body.get("name") or "Guest")[:24], *bots]
        match = Match(game, options=options, names=names)
        return cls(match, rules, level, pace=str(body.get("pace") or ""), version=version)

    @classmethod
    def learning(cls, game: Game, ruleset: str, rules: str, name: str, version: int) -> Table:
        """Return a table whose game begins with the lesson of its ruleset. Raises UnknownName."""
        found = course(game, ruleset)
        if found is None:
            raise UnknownName("There is no lesson here.", allowed=game.lessons)
        record = game.lessons[ruleset].record
        options = game.recorded(record.options)
        names = [name or "Guest", *record.names[1:]]
        match = Match(game, edition=game.named(record.edition), options=options, names=names, auto=False)
        made = cls(match, rules, levels(game)[0], version=version, lesson=found)
        while (due := found.due(match)) is not None and due[0] == CHANCE:
            made._lines.append(made._tell(match.step(due[1])))
        match.given = match.version
        made.frames.clear()
        made._show(made.scene(), CHANCE)
        return made

    @classmethod
    def continued(cls, game: Game, text: str, rules: str, level: str, pace: str) -> Table:
        """Return a table that continues a record. Raises BrokenRecord, OtherRules, UnknownName."""
        record = Record.parse(text)
        lesson = course(game, record.options.get(RULESET, "")) if record.given else None
        return cls(replay(record, lambda _: game), rules, level, pace=pace, lesson=lesson or NO_LESSON)

    # What the reader sees -----------------------------------------------------------------------
    def scene(self) -> Scene:
        """Return what the reader sees now."""
        return self.lesson.taught(self.match, self.match.scene(PERSON), PERSON)

    def past(self, step: int) -> Frame:
        """Return the position after a step of the record, to be looked at. Raises UnknownName."""
        steps = self.match.history()
        if not 0 < step <= len(steps):
            raise UnknownName(f"There is no step {step}.", allowed=[f"1 to {len(steps)}"])
        made, names = steps[step - 1], self.match.names
        scene = past(self.game.scenes.scene(made.after, PERSON, names), tuple(self._lines[step - 1]))
        return Frame(step, html.render(scene, self.rules), "", "")

    def turning(self) -> tuple[int, str]:
        """Return the step that decided a finished game, and what the log says of it; -1 and "" without one."""
        game, names, steps = self.game, self.match.names, self.match.history()
        scores, won = progress(game, chain((one.before for one in steps), [self.match.state]), len(names))
        ahead = decided(scores, self.match.returns, won)
        told = list(game.scenes.tell(steps[ahead], SPECTATOR, names)) if ahead >= 0 else []
        return (ahead + 1, weightiest(told)) if told else (-1, "")

    def present(self) -> Frame:
        """Return the present position, with the whole log."""
        log = html.lines([line for lines in self._lines for line in lines], 0, self.rules)
        return Frame(self.version, html.render(self.scene(), self.rules), log, "")

    @property
    def mine(self) -> bool:
        """Whether the reader has to decide."""
        return self.match.current_player == PERSON

    # What happens -------------------------------------------------------------------------------
    def play(self, move: str | int) -> None:
        """Make the reader's move, and what chance then does. Raises what `Match.parse` raises."""
        due = self.lesson.due(self.match)
        action = self.match.parse(move, PERSON)
        if due is not None and due[1] != action:
            raise NotYourTurn("The lesson continues with a different move.")
        self._go(action)

    def undo(self) -> None:
        """Take back the reader's last decision. Raises CannotUndo."""
        if self.lesson.due(self.match) is not None:
            raise CannotUndo("You can’t take back a move in a lesson.")
        self.match.undo(PERSON)
        self._lines.pop()
        self.frames.clear()
        self.version += 1
        self.fresh = True
        self._show(self.scene(), None)

    def due(self) -> int:
        """Return in how many milliseconds a bot moves, or the lesson; -1 if neither does now."""
        player = self.match.current_player
        course_goes_on = self.lesson.due(self.match) is not None
        if self.match.over or player == PERSON or (player == CHANCE and not course_goes_on):
            return -1
        if self.game.may_ask(self.match.state):
            return 0  # how long it takes reveals nothing about who was asked
        return 0 if self._hurries else max(0, round(self.pace - 1000 * (time.monotonic() - self._at)))

    def hurry(self) -> None:
        """Let bots take no time until the reader has to decide."""
        self._hurries = True

    def go_on(self) -> None:
        """Let the bot whose turn it is move, or the lesson."""
        due = self.lesson.due(self.match)
        self._go(due[1] if due is not None else self._bot.choose(View.of(self.match, self.match.current_player)))

    def _go(self, action: int) -> None:
        """Make a step, with the chance that follows."""
        steps = [self.match.step(action)]
        while (due := self.lesson.due(self.match)) is not None and due[0] == CHANCE:
            steps.append(self.match.step(due[1]))
        if len(self.lesson.steps) >= self.match.version:  # so far all was given
            self.match.given = self.match.version
        if due is None:
            steps += self.match.draw()
        self._at = time.monotonic()
        self._hurries &= not (self.mine or self.match.over)
        for step in steps:
            self._lines.append(self._tell(step))
            if self.game.rules.observed_action(step.before, step.action, PERSON) != UNSEEN:
                self.version += 1
                now = step is steps[-1]
                scene = self.scene() if now else self.game.scenes.scene(step.after, PERSON, self.match.names)
                self._show(scene, step.actor)
            elif step is steps[-1] and self.mine:
                self.version += 1
                self._show(self.scene(), None)

    def _tell(self, step: Step) -> list[Line]:
        return list(self.game.scenes.tell(step, PERSON, self.match.names))

    def _show(self, scene: Scene, actor: int | None) -> None:
        """Note a position for the page."""
        told = [line for lines in self._lines for line in lines] if self.fresh else self._lines[-1]
        first = 0 if self.fresh else sum(map(len, self._lines[:-1]))
        log = html.lines(told, first, self.rules)
        which, lines, stage = moment(scene, actor), self._lines[-1] if self._lines else [], self.game.stage
        drawn = html.render(scene, self.rules)
        said = stage.heard(which, lines), stage.is_great(which, lines)
        self.frames.append(Frame(self.version, drawn, log, which, *(("", False) if actor is None else said)))
