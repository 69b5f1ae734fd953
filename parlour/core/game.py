"""What a game is: the names that its modules have, and a `Game` that holds them together."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from numbers import Integral
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

from parlour.core.errors import BadSetup, UnknownName, whole
from parlour.core.scene import Line, Reason, Scene
from parlour.core.solving import Answer, Command, Question

if TYPE_CHECKING:
    from parlour.core.match import Match

CHANCE = -1
TERMINAL = -4
HIDDEN = -1  # seen to happen, but not what
UNSEEN = -2  # not even seen to happen
STATED, DERIVED, OUTSIDE, HOUSE, RULING = "stated", "derived", "outside", "house", "ruling"
RULESET = "ruleset"  # the option that, where a game has it, makes several games of one
MARKS = (STATED, DERIVED, OUTSIDE, HOUSE, RULING)

Buffer = MutableSequence[int]
Chosen = Mapping[str, str | int]  # options as somebody gives them: see `Option.read`


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a table is set up. `values[0]` is the default; the state holds the value's index.

    `rulesets`: those in which the choice makes a difference, all of them where none is named.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    help: str
    rulesets: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        return self.values[0]

    def matters(self, ruleset: str) -> bool:
        """Whether the choice makes a difference in this ruleset."""
        return not self.rulesets or ruleset in self.rulesets

    def read(self, value: object) -> str:
        """The value that is meant: "true" by True, "8000" by 8000, each by its own text. UnknownName lists them."""
        text = value
        if isinstance(value, bool):
            text = str(value).lower()
        elif isinstance(value, Integral):
            text = str(value)
        if not isinstance(text, str) or text not in self.values:
            raise UnknownName(f"Option {self.name} cannot be {value!r}.", allowed=self.values)
        return text


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a match: `actor` (a seat or CHANCE) did `action` in `before`, which gave `after`."""

    before: Any
    actor: int
    action: int
    after: Any


class Rules(Protocol):
    """`rules.py`: plain functions over a `State`, in the dialect that also compiles (docs/add-a-game.md)."""

    VERSION: int  # raised when an old record would be replayed differently
    PLAYERS: tuple[int, int]  # fewest, most
    N_ACTIONS: int
    MAX_LEGAL: int  # size of a buffer for legal_actions
    MAX_OUTCOMES: int  # size of the buffers for chance_outcomes
    OBSERVATION_SIZE: int
    OPTIONS: tuple[Option, ...]
    State: Any

    def setup(self, players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> Any:
        """The state before the first chance event. Plain Python only; `parts` is `Edition.parts`."""
        ...

    def bound(self, state: Any) -> int:
        """A number of steps that no sensible random game reaches; 0 where the options set no end."""
        ...

    def hidden_information(self, state: Any) -> bool:
        """Whether a seat may ever know less than another in this game, as it was set up. The same all game long.

        Plain Python only. Where it is so, nobody gets the record before the end, a device that is passed on has a
        curtain, and only decisions that `may_undo` names can be taken back.
        """
        ...

    def current_player(self, state: Any) -> int: ...
    def legal_actions(self, state: Any, out: Buffer) -> int: ...
    def apply(self, state: Any, action: int) -> None: ...
    def chance_outcomes(self, state: Any, out: Buffer, weights: Buffer) -> int: ...
    def sample_chance(self, state: Any, rng: Buffer) -> int: ...
    def returns(self, state: Any, out: MutableSequence[float]) -> None: ...
    def scores(self, state: Any, out: Buffer) -> None: ...
    def observation(self, state: Any, player: int, out: Buffer) -> int: ...
    def observed_action(self, state: Any, action: int, player: int) -> int:
        """What `player` sees of `action` about to be applied in `state`: itself, HIDDEN (or less than all), or UNSEEN.

        UNSEEN: to him there is no such step: his scene stays, no line is told, no version counts it.
        """
        ...

    def resample(self, state: Any, player: int, rng: Buffer) -> None: ...


class Shortcuts(Protocol):
    """What `rules.py` may have besides, to be faster; a conformance test holds each to the long way."""

    def random_action(self, state: Any, rng: Buffer, out: Buffer) -> int:
        """out[random_below(rng, legal_actions(state, out))]; what is in `out` afterwards does not matter."""
        ...


class Undoing(Protocol):
    """What `rules.py` has besides where something is hidden and a decision may yet be taken back."""

    def may_undo(self, before: Any, action: int, after: Any) -> bool:
        """Whether the decision `action`, made in `before`, told no seat and no spectator more than that it was made.

        Asked only while the seat that made it is still to decide and nothing has come since. A decision that shows a
        hidden thing, whose result depends on one, or that was paid for by what it showed, is final: when in doubt,
        False. A conformance test deals hidden things again and looks for differences. Plain Python only.
        """
        ...


class Asking(Protocol):
    """What `rules.py` has besides where a player may be asked in secret, so that nobody else may notice (FT-26).

    The rules ask one seat after another; `parlour.core.asking` asks them all at the same time, which is the same where
    an answer only matters when all before have let it pass.
    """

    PASS: int  # the action by which they let it pass

    def may_ask(self, state: Any) -> bool:
        """Whether, as far as everybody knows, any seat might be asked before the game goes on: then it waits.

        A function of what everybody knows: the same whether or not anybody is asked, or has answered.
        """
        ...


class Answering(Protocol):
    """What `scene.py` has besides in such a game."""

    def answered(self, state: Any, action: int, names: Sequence[str]) -> str:
        """The words for a seat that was asked in `state` and answered `action`, while the others have their time."""
        ...


LET_BE = ("no", "none", "pass")  # words that let things be, wherever that is a choice


class Text(Protocol):
    """`text.py`: the game's words. `parse_*` undo `format_*`; they are given single blanks (`Game.read_action`), and
    besides what is written, in capitals or not, read only what `docs/notation.md` says."""

    TITLE: str
    TAGLINE: str
    MINUTES: tuple[int, int]

    def format_action(self, state: Any, action: int) -> str: ...
    def parse_action(self, state: Any, text: str) -> int: ...
    def format_outcome(self, state: Any, outcome: int) -> str: ...
    def parse_outcome(self, state: Any, text: str) -> int: ...
    def why_not(self, state: Any, action: int) -> Reason: ...


class Scenes(Protocol):
    """`scene.py`: all that leaves the process for a viewer (a seat, or SPECTATOR).

    `names` are the players' names by seat. THEME: under "light" and "dark", CSS custom property -> colour (the same
    properties in both); under "narrow" and "wide", CSS properties of the grid in which the children of the board
    lie, each in the area named by its key.
    """

    THEME: dict[str, dict[str, str]]

    def scene(self, state: Any, viewer: int, names: Sequence[str]) -> Scene: ...
    def tell(self, step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]: ...


class Solver(Protocol):
    """`study/solver.py`, of a game that can be played exactly: in the dialect of the rules, compiled with them.

    A `room` is what it works in: whatever `Solution.room` made for this table (edition, options) and this engine. Each
    thread has a room of its own. States are those of the engine, and their hidden things have been resampled.
    """

    BOTS: Mapping[str, str]  # name -> what it is, in a line; the best first. Their numbers below are their places here
    CHANCES: tuple[str, ...]  # those whose values are chances to win, 0 to 1; others may value what they like
    EXACT: tuple[int, ...]  # the numbers of players for whom hints and analyses ask the first bot, not the search
    ENTRIES: tuple[str, ...]  # what Python calls: "values", and whatever `study/solution.py` calls besides

    def choose(self, bot: int, state: Any, work: Any, out: Buffer, room: Any) -> int:
        """The legal decision that bot number `bot` makes in `state`: the one it values most, of equals the first.

        Called inside simulations, at decisions only. `work`: another state of the same table, to be used up. `out`: a
        buffer of MAX_LEGAL ints.
        """
        ...

    def values(self, bot: int, states: Any, out: Buffer, room: Any, found: MutableSequence[float]) -> int:
        """All legal decisions of states[0] into `out`, ascending, and what `bot` says they are worth into `found`
        (MAX_LEGAL floats); how many. states[1] is used up. Called for each decision of a bot, hint and analysis.
        """
        ...


class Solution(Protocol):
    """`study/solution.py`, beside `solver.py`: its tables, and what the commands ask of it. Plain Python, not compiled.

    It is handed an engine, and imports none; NumPy is imported inside the functions that need it, so that those who
    only play do not load it. Besides `room` all is optional: `SOLVE` goes with `solve`, `ADVISE` with `advise`,
    `POSITION` with `position`; `parlour.core.solving` has the words they are written in.
    """

    SOLVE: Command  # what `parlour solve GAME` has besides --edition, --option, --json
    ADVISE: Command  # what `parlour advise` has of this game, whether a position is described or in a record
    POSITION: Command  # what `parlour advise GAME` has to describe a position; without it records alone are asked about

    def room(self, game: Game, engine: Any, state: Any) -> Any:
        """What `solver` works in, for games set up as `state` was: made once for each table, engine and thread.

        Tuples of the engine's buffers (`integers`, `reals`), so that it is arrays when compiled, lists when not.
        """
        ...

    def solve(self, question: Question) -> Answer:
        """The answer to `parlour solve GAME`. ParlourError is told on one line; `Interrupted` says what is kept."""
        ...

    def position(self, question: Question) -> Match:
        """The position that the options describe, at a decision. UnknownName, BadSetup for what cannot be."""
        ...

    def advise(self, match: Match, question: Question) -> Answer:
        """What each decision of the player to move is worth. BadSetup where nobody decides."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """One component of an edition: its value, where it comes from (one of MARKS) and the clause."""

    value: Any
    mark: str
    clause: str
    note: str = ""


@dataclass(frozen=True)
class Edition:
    """A named set of components, as written in `editions/NAME.toml`."""

    name: str
    title: str
    note: str
    components: Mapping[str, Part]

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Component name -> value: what `setup` is given and what a record keeps."""
        return {name: part.value for name, part in self.components.items()}

    @staticmethod
    def parse(name: str, text: str) -> Edition:
        """Read an edition; ValueError names what is missing."""
        data = tomllib.loads(text)
        if not isinstance(data.get("title"), str):
            raise ValueError(f"edition {name}: title missing")
        components = {}
        for key, value in data.items():
            if isinstance(value, dict):
                if missing := {"value", "mark", "clause"} - value.keys():
                    raise ValueError(f"edition {name}, [{key}]: {', '.join(sorted(missing))} missing")
                if value["mark"] not in MARKS:
                    raise ValueError(f"edition {name}, [{key}]: mark must be one of {', '.join(MARKS)}")
                components[key] = Part(value["value"], value["mark"], value["clause"], value.get("note", ""))
        return Edition(name, data["title"], data.get("note", ""), components)


@dataclass(frozen=True)
class Game:
    """A folder of modules and data, loaded. Two Games are equal when they are the same folder."""

    name: str
    package: str

    def __reduce__(self) -> tuple[type[Game], tuple[str, str]]:
        return Game, (self.name, self.package)  # copied and pickled without what was loaded

    @cached_property
    def rules(self) -> Rules:
        return cast(Rules, self._module("rules"))

    @cached_property
    def asking(self) -> Asking | None:
        """The rules of a game in which players are asked in secret, None elsewhere."""
        return cast(Asking, self.rules) if hasattr(self.rules, "may_ask") else None

    def may_ask(self, state: Any) -> bool:
        """`Asking.may_ask`; False in a game without secret questions."""
        return self.asking is not None and self.asking.may_ask(state)

    def answered(self, state: Any, action: int, names: Sequence[str]) -> str:
        """`Answering.answered`."""
        return cast(Answering, self.scenes).answered(state, action, names)

    def may_undo(self, step: Step) -> bool:
        """Whether a decision told nobody more than that it was made: always so where nothing is hidden."""
        if not self.rules.hidden_information(step.before):
            return True
        judge = getattr(self.rules, "may_undo", None)
        return bool(judge and judge(step.before, step.action, step.after))

    @cached_property
    def text(self) -> Text:
        return cast(Text, self._module("text"))

    def read_action(self, state: Any, text: str) -> int:
        """The decision that somebody has written; blanks too many do no harm. InvalidMove when it cannot be read."""
        return self.text.parse_action(state, " ".join(text.split()))

    def read_outcome(self, state: Any, text: str) -> int:
        """The outcome of chance that somebody has written, likewise. InvalidMove when it cannot be read."""
        return self.text.parse_outcome(state, " ".join(text.split()))

    @cached_property
    def scenes(self) -> Scenes:
        return cast(Scenes, self._module("scene"))

    @cached_property
    def policy(self) -> ModuleType | None:
        """The optional `policy.py`: what the game knows about playing well (see `parlour.bots`)."""
        return self._optional("policy")

    @cached_property
    def events(self) -> ModuleType | None:
        """The optional `events.py`: what is worth counting in many games (see `parlour.analysis`)."""
        return self._optional("events")

    @cached_property
    def solver(self) -> Solver | None:
        """The optional `study/solver.py`: exact play, where a game has it."""
        return cast("Solver | None", self._optional("study.solver"))

    @cached_property
    def solution(self) -> Solution:
        """`study/solution.py`, in a game that has a `solver`. BadSetup elsewhere."""
        if self.solver is None:
            raise BadSetup(f"{self.text.TITLE} has no solver.")
        return cast(Solution, self._module("study.solution"))

    @cached_property
    def rulesets(self) -> tuple[str, ...]:
        """The values of the option that makes several games of one, the default first; ("",) without it."""
        return next((option.values for option in self.rules.OPTIONS if option.name == RULESET), ("",))

    def guide(self, ruleset: str = "") -> tuple[tuple[str, str, str], ...]:
        """The optional `guide.py`: the first steps at a table, each a key of the opening scene (or ""), a sentence, the
        clause behind it. GUIDE, or GUIDES by ruleset (the first unless given)."""
        if (module := self._optional("guide")) is None:
            return ()
        found = module.GUIDES[ruleset or self.rulesets[0]] if hasattr(module, "GUIDES") else module.GUIDE
        return cast("tuple[tuple[str, str, str], ...]", found)

    @cached_property
    def editions(self) -> dict[str, Edition]:
        """Editions by name, the default first (the one whose file says `default = true`)."""
        found = []
        for file in resources.files(self.package).joinpath("editions").iterdir():
            if file.name.endswith(".toml"):
                text = file.read_text("utf-8")
                name = file.name.removesuffix(".toml")
                found.append((not tomllib.loads(text).get("default", False), name, Edition.parse(name, text)))
        return {name: edition for _, name, edition in sorted(found, key=lambda item: item[:2])}

    @cached_property
    def rulebook(self) -> str:
        """Parlour's own rulebook of the game, Markdown; each clause starts with its number in bold."""
        return self.file("rulebook.md")

    @cached_property
    def art(self) -> str:
        """The game's SVG symbols: one <svg> with <symbol id="NAME-...">; "" when it draws none."""
        return self.file("art.svg") if resources.files(self.package).joinpath("art.svg").is_file() else ""

    @property
    def seats(self) -> str:
        """How many may play, in words: "2 to 4", or "2"."""
        fewest, most = self.rules.PLAYERS
        return str(most) if fewest == most else f"{fewest} to {most}"

    def file(self, name: str) -> str:
        """The text of a file in the game's folder."""
        return resources.files(self.package).joinpath(name).read_text("utf-8")

    def edition(self, name: str | None = None) -> Edition:
        """The edition called `name`, or the default one. UnknownName lists what there is."""
        if name is None:
            return next(iter(self.editions.values()))
        try:
            return self.editions[name]
        except KeyError:
            raise UnknownName(f"{self.name} has no edition {name!r}.", allowed=self.editions) from None

    def options(self, chosen: Chosen | None = None) -> dict[str, str]:
        """All options with their values: `chosen` where given, defaults elsewhere.

        Errors: UnknownName (option, value; lists those there are), BadSetup (not a mapping, or an option is changed
        that makes no difference in the ruleset).
        """
        values = {option.name: option.default for option in self.rules.OPTIONS} | self.read(chosen)
        if idle := self._idle(values):
            raise BadSetup(
                f"Option {idle[0].name} makes no difference in {values[RULESET]}.",
                clause=idle[0].clause,
                allowed=[f"{idle[0].name}={idle[0].default}"],
            )
        return values

    def read(self, chosen: Chosen | None) -> dict[str, str]:
        """The options in `chosen`, each with the text of its value. Errors as in `options`, rulesets apart."""
        if not isinstance(chosen or {}, Mapping):
            raise BadSetup(f"Options are given as names with their values, not as {chosen!r}.")
        known = {option.name: option for option in self.rules.OPTIONS}
        for name in chosen or {}:
            if name not in known:
                raise UnknownName(f"{self.name} has no option {name!r}.", allowed=known)
        return {name: known[name].read(value) for name, value in (chosen or {}).items()}

    def recorded(self, options: Mapping[str, str]) -> dict[str, str]:
        """The options that a record was played with: where one makes no difference, as older records may have it, its
        default. UnknownName."""
        values = {option.name: option.default for option in self.rules.OPTIONS} | self.read(options)
        return values | {option.name: option.default for option in self._idle(values)}

    def _idle(self, values: Mapping[str, str]) -> list[Option]:
        """The options that are not at their default, and make no difference in the ruleset that `values` names."""
        ruleset = values.get(RULESET, "")
        return [o for o in self.rules.OPTIONS if values[o.name] != o.default and not o.matters(ruleset)]

    def rulesets_for(self, chosen: Chosen) -> tuple[str, ...]:
        """The rulesets in which all that is `chosen` makes a difference; ("",) in a game that has no choice of them."""
        given = self.read(chosen)
        if RULESET in given:
            return (given[RULESET],)
        usual = {option.name: option.default for option in self.rules.OPTIONS} | given
        return tuple(name for name in self.rulesets if not self._idle(usual | {RULESET: name}))

    def start(self, players: int, edition: Edition, options: Mapping[str, str]) -> Any:
        """The state before the first chance event. BadSetup when the number of players does not fit."""
        fewest, most = self.rules.PLAYERS
        if not fewest <= whole(players, "The number of players") <= most:
            raise BadSetup(f"{self.text.TITLE} is for {self.seats} players, not {players}.")
        index = {o.name: o.values.index(options[o.name]) for o in self.rules.OPTIONS}
        return self.rules.setup(players, edition.parts, index)

    def _optional(self, name: str) -> ModuleType | None:
        file = resources.files(self.package).joinpath(f"{name.replace('.', '/')}.py")
        return self._module(name) if file.is_file() else None

    def _module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")
