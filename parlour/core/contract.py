"""The contract of a game: the names that its modules define, what each means and when it is called.

`parlour.core.loading` reads these Protocols to check whether a folder is a game; docs/add-a-game.md
writes a game step by step. Seats are numbered from 0. `state` is a `State` of the game's own;
`GameState` is any game's (`parlour.core.struct`). `out` is a buffer that the caller owns. It is at
least as long as the constant that the function names. Its content before the call means nothing,
and neither does anything beyond the returned count after the call.

"Compiled" means that the function must be written in the dialect that both Numba and CPython can
run (docs/add-a-game.md, section 2). "Plain" functions only ever run in CPython.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from parlour.core.scene import Line, Reason, Scene
from parlour.core.struct import GameState

# `current_player` when no seat decides. All numbers below 0 that have a meaning are different, so
# that none is mistaken for another; seats, actions and outcomes are never negative.
CHANCE = -1  # the dice or cards: an outcome is due
TERMINAL = -4  # the game is over
# What a seat sees of an action that is not fully visible to it.
HIDDEN = -11  # that it happened, but not what it was
UNSEEN = -12  # not even that it happened

Buffer = MutableSequence[int]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a match: `actor` (a seat or CHANCE) turns `before` into `after` by `action`."""

    before: Any
    actor: int
    action: int
    after: Any


@dataclass(frozen=True, slots=True)
class Ground:
    """Something that speaks for a decision: what it is, how much it weighs (on any scale of the
    game's own, above 0), and the numbers that its words need."""

    what: str
    weight: float
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something that a player can do in a game and learns from: the `key` under which it is stored, its name, one
    sentence that says how it is done, and the clause behind it."""

    key: str
    name: str
    sentence: str
    clause: str = ""


class NoGame(ValueError):
    """What `setup` raises if the parts of an edition make no game: a whole sentence, and the clause that says so."""

    def __init__(self, sentence: str, clause: str = "") -> None:
        super().__init__(sentence)
        self.clause = clause


class Rules(Protocol):
    """`rules.py` or `rules/`: plain functions over a `State`.

    Rules may leave out any function for which `parlour.core.defaults` does the right thing.
    """

    VERSION: int  # from 1; raise it when an old record would replay differently; for words alone, do not
    N_ACTIONS: int  # decisions are the ints from 0 to N_ACTIONS - 1, the same in all states
    MAX_LEGAL: int  # the most decisions that are ever legal at once; the length of `legal_actions`' buffer
    MAX_OUTCOMES: int  # the most outcomes that are ever possible at once, at least 1; the length of their buffers
    OBSERVATION_SIZE: int  # the length of `observation`, computed from the game's facts
    State: type[GameState]  # a class made by `parlour.core.struct.struct`

    def setup(self, players: int, parts: Mapping[str, object], options: Mapping[str, int]) -> GameState:
        """Return the state before the first outcome of chance or decision.

        Plain; called once per game. `players` is within the range of the facts. `parts`: component
        -> value, from the edition. `options`: every option -> the index of its value in
        `Option.values`. Raises NoGame, with a sentence and its clause, or another ValueError if the
        parts do not make a game. The bounds in the edition's file (`parlour.core.bounds`) have been
        checked where a person has changed it, but not where a record names the parts.
        """
        ...

    def bound(self, state: GameState) -> int:
        """Return a number of steps that no sensible random game from here reaches; 0 if none.

        Plain. `state` is what `setup` returned. Random play that takes longer is reported as a
        fault.
        """
        ...

    def hidden_information(self, state: GameState) -> bool:
        """Return whether, with this set-up, a seat may ever know less than another.

        It never changes during a game. Plain. If so, no one gets the record before the end, a
        shared device hides the table between players, and players can only take back decisions that
        `may_undo` allows.
        """
        ...

    def current_player(self, state: GameState) -> int:
        """Return the seat that decides, CHANCE where an outcome is due, or TERMINAL. Compiled."""
        ...

    def legal_actions(self, state: GameState, out: Buffer) -> int:
        """Write the legal decisions into `out` (MAX_LEGAL), ascending, and return how many.

        Compiled. Returns 0 if CHANCE is due or the game is over, otherwise at least 1.
        """
        ...

    def apply(self, state: GameState, action: int) -> None:
        """Change `state` by a legal decision or, if CHANCE is due, by an outcome.

        Deterministic; compiled. The caller has checked that the action is legal. Every legal
        decision changes the state.
        """
        ...

    def chance_outcomes(self, state: GameState, out: Buffer, weights: Buffer) -> int:
        """Write the possible outcomes and their weights (MAX_OUTCOMES each); return how many.

        Compiled. Outcomes are distinct ints from 0. Weights are positive whole numbers whose sum is
        below 2**31; an outcome has probability weight / sum. Returns 0 if chance is not due.
        """
        ...

    def sample_chance(self, state: GameState, rng: Buffer) -> int:
        """Draw one of `chance_outcomes` by its weight from `rng` (`parlour.core.rng`). Compiled.

        Called only if CHANCE is due. It may draw from `rng` any number of times, but equally often
        plain and compiled.
        """
        ...

    def returns(self, state: GameState, out: MutableSequence[float]) -> None:
        """Write each seat's utility into `out`: the winners share 1, the rest get 0. Compiled.

        All are 0 before the end. Bots maximise this number, and ratings count it.
        """
        ...

    def scores(self, state: GameState, out: Buffer) -> None:
        """Write each seat's score, in the game's own points, into `out` (one per seat).

        Compiled; at any time.
        """
        ...

    def observation(self, state: GameState, player: int, out: Buffer) -> int:
        """Write what `player` (a seat or SPECTATOR) sees now into `out`; return how many numbers.

        Compiled; `out` has OBSERVATION_SIZE. The facts name the numbers and bound them
        (`Facts.observed`). Seats are counted from `player`, for a spectator from seat 0. The
        observation contains nothing that `player` cannot know. It need not contain what `player`
        saw earlier and is hidden again.
        """
        ...

    def observed_action(self, state: GameState, action: int, player: int) -> int:
        """Return what `player` (a seat or SPECTATOR) sees of `action`, due in `state`. Compiled.

        The action itself if they see all of it; HIDDEN if they see that something happens, but not
        what; UNSEEN if they notice nothing: for them the step does not exist, so their scene stays
        the same, no line mentions it and no version counts it. Any other number from 0 means the
        part that they do see ("a card of this suit"); those from N_ACTIONS on are free for that. If
        a step shows what was hidden, return a different number for each thing that may be seen, even
        to the seat that decides, which otherwise sees all of its own action.
        """
        ...

    def resample(self, state: GameState, player: int, rng: Buffer) -> None:
        """Redraw from `rng`, by its probability, all that `player` cannot know. Compiled.

        `player` is a seat or SPECTATOR. What they have seen stays: the observation, whose turn it
        is, their own legal decisions. The result must not depend on hidden things. Bots and
        analyses only ever receive resampled states. `BELIEFS`, an optional tuple beside it, names
        fields of the state that only record what viewers can infer; they need not be as likely as
        the truth.
        """
        ...


class Shortcuts(Protocol):
    """Optional functions that make the rules faster. Compiled.

    A conformance test compares each with the slow way.
    """

    def random_action(self, state: GameState, rng: Buffer, out: Buffer) -> int:
        """Return out[random_below(rng, legal_actions(state, out))], a random legal decision.

        What it leaves in `out` does not matter.
        """
        ...


class Undoing(Protocol):
    """What rules with hidden information add if players may take back a decision."""

    def may_undo(self, before: GameState, action: int, after: GameState) -> bool:
        """Return whether `action`, made in `before`, showed the others only that it was made.

        Called only while the seat that made the decision is still to decide and nothing has
        happened since. The others are all seats and spectators. A decision is final if it shows a
        hidden thing, if its result depends on one, or if it was paid for by what it showed. When in
        doubt, return False. A conformance test deals the hidden things again and looks for
        differences. Plain.
        """
        ...


class Asking(Protocol):
    """What the rules add if the game can ask a player in secret, unnoticed by the others.

    The rules ask one seat after another. `parlour.core.asking` asks them all at the same time,
    which is equivalent because an answer only matters if all earlier seats have passed.
    """

    PASS: int  # the action that passes

    def may_ask(self, state: GameState) -> bool:
        """Return whether, from public knowledge, any seat might be asked before the game continues.

        If so, the game waits. This is a function of public knowledge only: the same whether or not a
        seat is asked or has answered.
        """
        ...


class Answering(Protocol):
    """What `scene.py` adds in such a game."""

    def answered(self, state: GameState, action: int, names: Sequence[str]) -> str:
        """Return what to say to a seat that answered `action` in `state` while the others
        decide."""
        ...


LET_BE = ("no", "none", "pass")  # words for passing, in any game that offers it


class Text(Protocol):
    """`text.py`: the game's words. Plain.

    `parse_*` reverse `format_*`. Their input has single blanks only (`Game.read_action`) and any
    capitalisation. Apart from what `format_*` writes they accept only what `docs/notation.md`
    lists.
    """

    TITLE: str
    TAGLINE: str  # what players do in it, in one sentence
    MINUTES: tuple[int, int] | Mapping[str, tuple[int, int]]  # a game takes people, least and most; or by ruleset

    def format_action(self, state: GameState, action: int) -> str:
        """Return the decision's text: one line, different for each legal decision of a state."""
        ...

    def parse_action(self, state: GameState, text: str) -> int:
        """Return the decision that `text` names, legal or not.

        Raises InvalidMove, which says what would be valid.
        """
        ...

    def format_outcome(self, state: GameState, outcome: int) -> str:
        """Return the text of an outcome of chance, as `format_action` does for a decision."""
        ...

    def parse_outcome(self, state: GameState, text: str) -> int:
        """Return the outcome that `text` names, possible or not.

        Raises InvalidMove if it names none.
        """
        ...

    def why_not(self, state: GameState, action: int) -> Reason:
        """Return why `action`, from 0 to N_ACTIONS - 1, is not legal here, with its clause.

        Called only when a seat decides and the action is illegal. The player at that seat reads it,
        so it must not reveal anything that they cannot know.
        """
        ...


class Rulesets(Protocol):
    """What `text.py` may add in a game of several rulesets."""

    RULESETS: Mapping[str, str]  # each value of the option -> one line: its name, and what it is


class Scenes(Protocol):
    """`scene.py`: everything that leaves the process for a viewer (a seat, or SPECTATOR). Plain.

    `names` are the players' names by seat. The module may define THEME, a dict of dicts. "light"
    and "dark" map CSS custom properties to colours (the same properties in both). "narrow" and
    "wide" hold CSS properties of the board; if they include `grid-template-areas`, each child of
    the board is in the area named by its key. If a game's scores do not show how near each seat is
    to winning, the module may define `race(state)`, a number for each seat that does, even when the
    game is over, and RACE, that number in words: the result of a game shows how these numbers ran.
    `raced(state)`, a word for each seat, may say what these count, if that differs ("Kings").
    If scores only lag behind, it may define `worth(state)` instead, which is the scores in the end.
    If a player can win at once, whatever the scores, it may define `sudden(state)`: whether one has.
    CHEER, optional, is a tuple of symbols of the game's art, which fly up when the viewer has won;
    without it these are the winner's marks.
    """

    def scene(self, state: GameState, viewer: int, names: Sequence[str]) -> Scene:
        """Return the whole table as `viewer` sees it, with everything that they may do now."""
        ...

    def tell(self, step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
        """Return the log's lines about a step for `viewer`; none if it is minor or UNSEEN."""
        ...


class Solver(Protocol):
    """`study/solver.py` of a game with exact play: in the dialect of the rules, compiled with them.

    A `workspace` is whatever `Solution.workspace` made for this table (edition, options) and this
    engine; each thread has its own. States are those of the engine, with hidden things resampled.
    """

    BOTS: Mapping[str, str]  # name -> a one-line description, the best bot first; a bot's number is its index here
    CHANCES: tuple[str, ...]  # bots whose values are chances to win, 0 to 1; others may use any scale
    EXACT: tuple[int, ...]  # player counts for which hints and analyses use the first bot, not the search
    ENTRIES: tuple[str, ...]  # what Python calls: "values", and whatever else `study/solution.py` calls

    def choose(self, bot: int, state: GameState, work: GameState, out: Buffer, workspace: object) -> int:
        """Return the best legal decision in `state` for bot number `bot`; the first of equals.

        Called inside simulations, at decisions only. `work` is another state of the same table,
        which the call may overwrite. `out` is a buffer of MAX_LEGAL ints.
        """
        ...

    def values(
        self, bot: int, states: Sequence[GameState], out: Buffer, workspace: object, found: MutableSequence[float]
    ) -> int:
        """Write all legal decisions of states[0] into `out`, ascending, and their values to
        `found`.

        The values are those of bot number `bot`; `found` has MAX_LEGAL floats. Returns how many.
        May overwrite states[1]. Called for each decision of a bot, hint and analysis.
        """
        ...


class Grounds(Protocol):
    """`study/grounds.py`, optional: the reasons for each decision, among the facts that `policy.py` uses.
    Plain. A hint gives the reason that sets its decision apart most (`parlour.bots.because`).
    """

    def grounds(self, state: GameState, action: int) -> Sequence[Ground]:
        """Return the reasons for the legal decision `action` of the seat that decides; empty if no
        reason is certain.

        Grounds follow from what that seat knows: they are the same in every resampled state. Their
        `what` makes them comparable between decisions, and their `weight` says how much they count.
        One that is `ALIKE` says that the decisions do not differ; hints give it if no other ground
        sets them apart.
        """
        ...


class Because(Protocol):
    """`show/because.py`, which a game with grounds has."""

    def because(self, ground: Ground, names: Sequence[str]) -> str:
        """Return a ground in words, at most `BECAUSE` characters with short names: a clause that
        can follow "because", is true without the others, and has no full stop."""
        ...


class Achievements(Protocol):
    """`study/achievements.py`, optional: what is worth achieving. Plain; called once a finished game, off the event
    loop, and again if the list of achievements changes."""

    ACHIEVEMENTS: tuple[Achievement, ...]  # in the order in which a player meets them

    def achieved(self, steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
        """Yield what the players of a finished game achieved: the key, the seat, and the index in `steps` of the step
        that did it.

        A pure function of the steps. It may yield the same key and seat again; the first counts. Everyone may read the
        result, as a finished game hides nothing.
        """
        ...


class Themes(Protocol):
    """`study/themes.py`, optional: what puzzles of this game are about, beside what holds in every game
    (`parlour.analysis.themes`). Plain."""

    THEMES: Mapping[str, str]  # theme -> what a person reads, three words at most

    def themes(self, state: GameState, action: int) -> Sequence[str]:
        """Return the themes of `action`, the best decision of the seat that decides in `state`. They follow from what
        that seat knows."""
        ...


ALIKE = "alike"  # `Ground.what` of what is the same in all decisions
BECAUSE = 90
