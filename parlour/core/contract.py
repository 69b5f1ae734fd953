"""The contract of a game: the names that its modules have, what each means and when it is called.

`parlour.core.loading` reads off these Protocols whether a folder is a game; docs/add-a-game.md shows one being written.
Seats are numbered from 0. `state` is a `State` of the game's own (`parlour.core.struct`); `out` is a buffer that the
caller owns: it is at least as long as the constant says that the function names, what is in it before means nothing,
and what lies behind the count that the function returns means nothing afterwards.

"Compiled" says that the function has to be in the dialect that Numba compiles as well as CPython runs it
(docs/add-a-game.md, section 2). Functions that are "plain" are only ever run by CPython.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from parlour.core.scene import Line, Reason, Scene

# Who decides, where no seat does. All the numbers with a meaning below 0 are different, so that
# none is ever taken for another: seats, actions and outcomes are never negative.
CHANCE = -1  # dice, cards: an outcome is due
TERMINAL = -4  # nobody: the game is over
# What a seat sees of an action that it does not see whole.
HIDDEN = -11  # that it happened, but not what it was
UNSEEN = -12  # not even that it happened

Buffer = MutableSequence[int]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a match: `actor` (a seat or CHANCE) did `action` in `before`, which gave `after`."""

    before: Any
    actor: int
    action: int
    after: Any


class Rules(Protocol):
    """`rules.py` or `rules/`: plain functions over a `State`.

    What `parlour.core.defaults` also has may be left out where it says the same.
    """

    VERSION: int  # from 1; raised when an old record would be replayed differently
    N_ACTIONS: int  # decisions are the ints from 0 to below N_ACTIONS, in all states the same
    MAX_LEGAL: int  # the most decisions that are ever legal at once: the length of `legal_actions`' buffer
    MAX_OUTCOMES: int  # the most outcomes of chance that are ever possible at once, at least 1; likewise
    OBSERVATION_SIZE: int  # the length of `observation`; not written by the game but taken from its facts
    State: Any  # a class made by `parlour.core.struct.struct`

    def setup(self, players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> Any:
        """Return the state before the first outcome of chance or decision. Plain; called once a game.

        `players` is within the facts' range. `parts`: component -> value, from the edition. `options`: option -> the
        place of its value among `Option.values`, for every option. ValueError, in a sentence, where parts make no game.
        """
        ...

    def bound(self, state: Any) -> int:
        """Return a number of steps that no sensible random game reaches when set up like `state`; 0: there is no end.

        Plain. Asked of the state that `setup` made. Random play that takes longer is reported as a fault.
        """
        ...

    def hidden_information(self, state: Any) -> bool:
        """Whether a seat may ever know less than another in this game, as it was set up. The same all game long.

        Plain. Where it is so, nobody gets the record before the end, a device that is passed on has a curtain, and only
        decisions that `may_undo` names can be taken back.
        """
        ...

    def current_player(self, state: Any) -> int:
        """Return the seat that decides, CHANCE where an outcome is due, or TERMINAL. Compiled."""
        ...

    def legal_actions(self, state: Any, out: Buffer) -> int:
        """Write the legal decisions into `out` (MAX_LEGAL), ascending, and return how many. Compiled.

        0 where CHANCE or nobody is to move; elsewhere at least 1.
        """
        ...

    def apply(self, state: Any, action: int) -> None:
        """Change `state` by a legal decision or, where CHANCE is due, by an outcome. Deterministic; compiled.

        Whoever calls has checked that it is legal. Every legal decision changes the state.
        """
        ...

    def chance_outcomes(self, state: Any, out: Buffer, weights: Buffer) -> int:
        """Write the possible outcomes and their weights (MAX_OUTCOMES each) and return how many. Compiled.

        Outcomes are different ints from 0; weights are whole numbers above 0 whose sum is below 2**31, and an outcome
        comes with probability weight / sum. 0 where chance is not due.
        """
        ...

    def sample_chance(self, state: Any, rng: Buffer) -> int:
        """Draw one of `chance_outcomes` by its weight from `rng` (`parlour.core.rng`). Compiled; only where CHANCE is
        due. Any number of draws from `rng` may be used up, the same plain and compiled."""
        ...

    def returns(self, state: Any, out: MutableSequence[float]) -> None:
        """Write each seat's utility into `out` (one a seat): shares of 1 among the winners, 0 for the rest. Compiled.

        All 0 before the end. This is what bots maximise and ratings count.
        """
        ...

    def scores(self, state: Any, out: Buffer) -> None:
        """Write each seat's score, in the game's own points, into `out` (one a seat). Compiled; at any time."""
        ...

    def observation(self, state: Any, player: int, out: Buffer) -> int:
        """Write what `player` (a seat or SPECTATOR) sees now into `out` (OBSERVATION_SIZE); return how many. Compiled.

        The facts name the numbers and bound them (`Facts.observed`). It says nothing that `player` cannot know; what
        was seen earlier and is covered again need not be in it.
        """
        ...

    def observed_action(self, state: Any, action: int, player: int) -> int:
        """Return what `player` (a seat or SPECTATOR) sees of `action`, about to be applied in `state`. Compiled.

        The action itself; HIDDEN where they see that something happens, but not what; UNSEEN where
        they notice nothing: to them there is no such step, their scene stays, no line tells of it
        and no version counts it. A number from 0 that is not the action stands for what they do see
        of it ("a card of this suit"); those from N_ACTIONS on are free for that. Where a step shows
        what was hidden, it is a different number for each thing that may be seen.
        """
        ...

    def resample(self, state: Any, player: int, rng: Buffer) -> None:
        """Draw again, from `rng`, all that `player` (a seat or SPECTATOR) cannot know, as likely as it is. Compiled.

        What they have seen stays: observation, whose turn it is, their own legal decisions. The result must not depend
        on what is hidden. Bots and analyses are only ever given a state that has been resampled.
        """
        ...


class Shortcuts(Protocol):
    """What the rules may have besides, to be faster; a conformance test holds each to the long way. Compiled."""

    def random_action(self, state: Any, rng: Buffer, out: Buffer) -> int:
        """out[random_below(rng, legal_actions(state, out))]; what is in `out` afterwards does not matter."""
        ...


class Undoing(Protocol):
    """What the rules have besides where something is hidden and a decision may yet be taken back."""

    def may_undo(self, before: Any, action: int, after: Any) -> bool:
        """Whether the decision `action`, made in `before`, told no seat and no spectator more than that it was made.

        Asked only while the seat that made it is still to decide and nothing has come since. A decision that shows a
        hidden thing, whose result depends on one, or that was paid for by what it showed, is final: when in doubt,
        False. A conformance test deals hidden things again and looks for differences. Plain Python only.
        """
        ...


class Asking(Protocol):
    """What the rules have besides where a player may be asked in secret, so that nobody else may notice (FT-26).

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
    """`text.py`: the game's words. Plain.

    `parse_*` undo `format_*`. They are given single blanks (`Game.read_action`), in capitals or not, and besides what
    is written read only what `docs/notation.md` says.
    """

    TITLE: str
    TAGLINE: str  # what one does in it, in one sentence
    MINUTES: tuple[int, int]  # how long a game takes people, from .. to

    def format_action(self, state: Any, action: int) -> str:
        """Return the decision's text: one line, and in each state a different one for each legal decision."""
        ...

    def parse_action(self, state: Any, text: str) -> int:
        """Return the decision that `text` names, legal or not. InvalidMove where it names none, saying what would."""
        ...

    def format_outcome(self, state: Any, outcome: int) -> str:
        """Return the text of an outcome of chance, as `format_action` does of a decision."""
        ...

    def parse_outcome(self, state: Any, text: str) -> int:
        """Return the outcome that `text` names, possible or not. InvalidMove where it names none."""
        ...

    def why_not(self, state: Any, action: int) -> Reason:
        """Return why `action`, from 0 to below N_ACTIONS, is not legal here: a sentence and the clause behind it.

        Called only where a seat decides and the action is not legal. Whoever made the attempt reads it, so it must not
        say what that seat cannot know.
        """
        ...


class Scenes(Protocol):
    """`scene.py`: all that leaves the process for a viewer (a seat, or SPECTATOR). Plain.

    `names` are the players' names by seat. It may have a THEME besides, a dict of dicts: under
    "light" and "dark", CSS custom property -> colour (the same properties in both); under "narrow"
    and "wide", CSS properties of the board; where these have `grid-template-areas`, each child of
    the board lies in the area named by its key.
    """

    def scene(self, state: Any, viewer: int, names: Sequence[str]) -> Scene:
        """Return the whole table as `viewer` sees it, with all that they may do now."""
        ...

    def tell(self, step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
        """Return the lines of the log that tell `viewer` of a step; none where it is not worth one, or UNSEEN."""
        ...


class Solver(Protocol):
    """`study/solver.py`, of a game that can be played exactly: in the dialect of the rules, compiled with them.

    A `workspace` is what it works in: whatever `Solution.workspace` made for this table (edition,
    options) and this engine. Each thread has one of its own. States are those of the engine, and
    their hidden things have been resampled.
    """

    BOTS: Mapping[str, str]  # name -> what it is, in a line; the best first. Their numbers below are their places here
    CHANCES: tuple[str, ...]  # those whose values are chances to win, 0 to 1; others may value what they like
    EXACT: tuple[int, ...]  # the numbers of players for whom hints and analyses ask the first bot, not the search
    ENTRIES: tuple[str, ...]  # what Python calls: "values", and whatever `study/solution.py` calls besides

    def choose(self, bot: int, state: Any, work: Any, out: Buffer, workspace: Any) -> int:
        """The legal decision that bot number `bot` makes in `state`: the one it values most, of equals the first.

        Called inside simulations, at decisions only. `work`: another state of the same table, to be used up. `out`: a
        buffer of MAX_LEGAL ints.
        """
        ...

    def values(self, bot: int, states: Any, out: Buffer, workspace: Any, found: MutableSequence[float]) -> int:
        """All legal decisions of states[0] into `out`, ascending, and what `bot` says they are worth into `found`
        (MAX_LEGAL floats); how many. states[1] is used up. Called for each decision of a bot, hint and analysis.
        """
        ...
