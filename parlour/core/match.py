"""A match: a game in progress, with its seats, its chance and its record.

This is the one place that checks legality. The record (every decision, every outcome of chance) is
the truth; the state is the result of replaying it.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

from msgspec.structs import replace

from parlour.core import fair, html, plain, undo
from parlour.core.contract import CHANCE, TERMINAL, UNSEEN, Step
from parlour.core.edition import EditionLike
from parlour.core.errors import (
    BadSetup,
    CannotUndo,
    IllegalMove,
    InvalidMove,
    MatchOver,
    NotYourTurn,
    flag,
    texts,
    whole,
)
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.mechanics import Mechanics
from parlour.core.record import Record
from parlour.core.scene import SPECTATOR, Line, Scene
from parlour.core.struct import copy


class Match:
    """One game from its first draw to its end.

    `seed` is the secret of `parlour.core.fair`: a text of 64 hexadecimal digits, any number for a
    repeatable match, or None for a fresh one. With `auto=True` the match draws chance as soon as it
    is due.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        *,
        edition: EditionLike | None = None,
        options: Chosen | None = None,
        names: Sequence[str] | None = None,
        seed: int | str | None = None,
        words: Sequence[str] = (),
        auto: bool = True,
    ) -> None:
        if not isinstance(game, Game):
            raise BadSetup(f"A match needs a Game, not {game!r}; `parlour.new` takes its name.")
        names = names if names is None else texts(names, "Names")
        if players is None:
            players = game.facts.players[0] if names is None else len(names)
        elif names is not None and whole(players, "The number of players") != len(names):
            raise BadSetup(f"{players} players and {len(names)} names were given.")
        self.game = game
        self._mechanics = Mechanics(game, players, edition, options)
        self.edition, self.options = self._mechanics.edition, self._mechanics.options
        self.state = game.start(players, self.edition, self.options)
        self.names = tuple(names or [f"Player {seat + 1}" for seat in range(players)])
        self.seed: str | None = fair.secret(seed)  # None: a replay of a record that keeps it secret
        self.written = self.options  # as the record names them: an older one lacks options that are newer
        setup = fair.Setup(
            game.name, game.rules.VERSION, self.edition.name, self.edition.parts, self.options, len(self.names)
        )
        self.commitment = fair.commitment(self.seed, setup)
        self.words = texts(words, "Words for the draw")
        self.steps: list[tuple[int, int, str]] = []  # actor, action, text
        self.given = 0  # of the steps, those that the match began with (`Record.given`)
        if flag(auto, "`auto`"):
            self.draw()

    def clone(self) -> Match:
        """Return an independent copy, with the same dice and cards to come."""
        made = object.__new__(type(self))
        vars(made).update(vars(self) | {"state": copy(self.state), "steps": [*self.steps], "options": {**self.options}})
        return made

    __copy__ = clone

    # The position -------------------------------------------------------------------------------
    @property
    def version(self) -> int:
        """The number of steps so far; a move refers to it."""
        return len(self.steps)

    @property
    def current_player(self) -> int:
        """The seat that decides, CHANCE or TERMINAL."""
        return self._mechanics.current_player(self.state)

    @property
    def over(self) -> bool:
        return self.current_player == TERMINAL

    @property
    def returns(self) -> list[float]:
        """The utilities by seat: the winners share 1, the rest get 0; all are 0 before the end."""
        return self._mechanics.returns(self.state)

    @property
    def scores(self) -> list[int]:
        """The game's own scores by seat."""
        return self._mechanics.scores(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty before the end."""
        return tuple(seat for seat, share in enumerate(self.returns) if share > 0) if self.over else ()

    def legal_action_ids(self) -> list[int]:
        """Return the legal decisions as numbers, ascending; empty if no seat is to decide."""
        return self._mechanics.legal(self.state)

    def legal_actions(self) -> list[str]:
        """Return the legal decisions as text, in the order of their numbers."""
        return [self.game.text.format_action(self.state, action) for action in self.legal_action_ids()]

    def legal_mask(self) -> list[int]:
        """Return a 1 for each legal decision and a 0 for each other, by its number."""
        mask = [0] * self.game.num_distinct_actions
        for action in self.legal_action_ids():
            mask[action] = 1
        return mask

    def observation(self, viewer: int = SPECTATOR) -> list[int]:
        """Return the numbers that a seat or SPECTATOR sees now, as `Game.observation_spec` names and bounds them."""
        return self._mechanics.observe(self.state, self._viewer(viewer))

    def scene(self, viewer: int = SPECTATOR) -> Scene:
        """Return what `viewer` (a seat or SPECTATOR) sees now."""
        viewer = self._viewer(viewer)
        scene = self.game.scenes.scene(self.state, viewer, self.names)
        return replace(scene, undo=True) if viewer == self.current_player >= 0 and self.can_undo(viewer) else scene

    def information_state(self, player: int) -> tuple[tuple[int, int], ...]:
        """Return what `player` has seen since the start, with perfect recall.

        One pair (actor, what they saw of the action) for each step that they noticed.
        """
        player = self.seat(player)
        observed = self.game.rules.observed_action
        seen = ((s.actor, observed(s.before, s.action, player)) for s in self.history())
        return tuple(one for one in seen if one[1] != UNSEEN)

    def seat(self, number: int) -> int:
        """Return the number of a seat, from 0. Raises BadSetup if there is no such seat."""
        if not 0 <= whole(number, "A seat") < len(self.names):
            raise BadSetup(f"There is no seat {number}; the seats are 0 to {len(self.names) - 1}.")
        return operator.index(number)

    def _viewer(self, viewer: int) -> int:
        """Return a seat or SPECTATOR; CHANCE and TERMINAL, as `current_player` has them, mean a spectator."""
        nobody = whole(viewer, "A viewer") in (SPECTATOR, CHANCE, TERMINAL)
        return SPECTATOR if nobody else self.seat(viewer)

    # Playing ------------------------------------------------------------------------------------
    def parse(self, move: str | int, seat: int | None = None) -> int:
        """Return the legal action that `move` names for `seat` (None: the seat to decide).

        Raises MatchOver, NotYourTurn, InvalidMove (cannot be read), IllegalMove (with the clause).
        """
        seat = seat if seat is None else whole(seat, "A seat", NotYourTurn)
        player = self.current_player
        if player == TERMINAL:
            raise MatchOver("The game is over; no more moves are made.")
        if player == CHANCE or seat not in (None, player):
            raise NotYourTurn(f"It is not your turn: waiting for {self._waited_for(seat)}.")
        if isinstance(move, str):
            action = self.game.read_action(self.state, move)
        else:
            action = whole(move, "The number of a move", InvalidMove)
        if action not in self.legal_action_ids():
            if not 0 <= action < self.game.rules.N_ACTIONS:
                raise IllegalMove(f"There is no action {action}; they are 0 to {self.game.rules.N_ACTIONS - 1}.")
            why = self.game.text.why_not(self.state, action)
            raise IllegalMove(why.text, clause=why.clause)
        return action

    def _waited_for(self, seat: int | None) -> str:
        """Name the player to decide, as far as the scene of `seat` shows who that is."""
        viewer = seat if seat is not None and 0 <= seat < len(self.names) else SPECTATOR
        player = self.game.scenes.scene(self.state, viewer, self.names).to_move
        return "the dice and cards" if player in (None, viewer) else self.names[player]

    def play(self, move: str | int, seat: int | None = None) -> list[Step]:
        """Make a move and draw the chance that is then due; return the steps made.

        Raises what `parse` raises; then nothing has changed.
        """
        action = self.parse(move, seat)
        self._need_seed()
        return [self.step(action), *self.draw()]

    def draw(self) -> list[Step]:
        """Draw every outcome of chance that is due; return the steps made.

        Raises BadSetup in the replay of a record without its seed, which only `force` can continue.
        """
        steps = []
        while self.current_player == CHANCE:
            outcomes, weights = self.chance_outcomes()
            index = fair.Draws(self._need_seed(), self.words).pick(weights, self.version)
            steps.append(self.step(outcomes[index]))
        return steps

    def _need_seed(self) -> str:
        if self.seed is None:
            raise BadSetup("The seed of this match is not known, so its dice and cards cannot be drawn.")
        return self.seed

    def chance_outcomes(self) -> tuple[list[int], list[int]]:
        """Return the possible outcomes and their integer weights; empty if chance is not due."""
        return self._mechanics.chance(self.state)

    def force(self, outcome: str | int) -> Step:
        """Make chance give this outcome (for analysis, tests and replay).

        Raises IllegalMove if it cannot.
        """
        return self.step(self.parse_outcome(outcome))

    def parse_outcome(self, outcome: str | int) -> int:
        """Return the outcome of chance that `outcome` names, if it is possible now.

        Raises InvalidMove, IllegalMove, NotYourTurn.
        """
        if self.current_player != CHANCE:
            raise NotYourTurn("No dice or cards are due now.")
        if isinstance(outcome, str):
            outcome = self.game.read_outcome(self.state, outcome)
        else:
            outcome = whole(outcome, "The number of an outcome", InvalidMove)
        if outcome not in self.chance_outcomes()[0]:
            raise IllegalMove("That outcome is not possible here.")
        return outcome

    def advance(self, action: int) -> None:
        """Apply a decision or outcome and record it. It must be legal: nothing is checked."""
        actor = self.current_player
        form = self.game.text.format_outcome if actor == CHANCE else self.game.text.format_action
        self.steps.append((actor, action, form(self.state, action)))
        self._mechanics.apply(self.state, action)

    def step(self, action: int) -> Step:
        """Do `advance`, and return the step with the states before and after it."""
        before = copy(self.state)
        actor = self.current_player
        self.advance(action)
        return Step(before, actor, action, copy(self.state))

    # Taking back --------------------------------------------------------------------------------
    def can_undo(self, seat: int | None = None) -> bool:
        """Return whether `seat` (None: the seat to decide) may take back their last decision."""
        return not self._why_no_undo(seat)

    def undo(self, seat: int | None = None) -> Step:
        """Take back the last decision of `seat` (None: the seat to decide) and return its step.

        Raises CannotUndo if their play is complete, if dice or cards have followed, or if the
        decision has shown a viewer something.
        """
        if why := self._why_no_undo(seat):
            raise CannotUndo(why)
        step = self._last()
        assert step is not None
        self.steps.pop()
        self.state = step.before
        return step

    def _why_no_undo(self, seat: int | None) -> str:
        seat = seat if seat is None else whole(seat, "A seat", CannotUndo)
        if self.version <= self.given or self.steps[-1][0] != self.current_player:  # most often: no replay
            return "There is nothing to take back: your play is complete, or dice or cards have followed."
        return undo.why_not(self.game, self._last(), self.current_player, seat)

    def _last(self) -> Step | None:
        """Return the last step, with the states before and after it."""
        if not self.steps:
            return None
        state = self.game.start(len(self.names), self.edition, self.options)
        for _, action, _ in self.steps[:-1]:
            self._mechanics.apply(state, action)
        actor, action, _ = self.steps[-1]
        return Step(state, actor, action, copy(self.state))

    # The record -------------------------------------------------------------------------------
    def record(self, *, reveal: bool = True) -> Record:
        """Return the record so far; without the seed unless `reveal`."""
        return Record(
            game=self.game.name,
            rules_version=self.game.rules.VERSION,
            edition=self.edition.name,
            parts=self.edition.parts,
            options=dict(self.written),
            names=self.names,
            commitment=self.commitment,
            words=self.words,
            seed=self.seed if reveal else None,
            steps=tuple((actor, text) for actor, _, text in self.steps),
            given=self.given,
        )

    def history(self) -> list[Step]:
        """Return all steps with the states before and after them, replayed from the start."""
        state = self.game.start(len(self.names), self.edition, self.options)
        steps = []
        for actor, action, _ in self.steps:
            before = copy(state)
            self._mechanics.apply(state, action)
            steps.append(Step(before, actor, action, copy(state)))
        return steps

    def log(self, viewer: int = SPECTATOR) -> list[Line]:
        """Return the whole log as `viewer` may read it."""
        viewer = self._viewer(viewer)
        return [line for step in self.history() for line in self.game.scenes.tell(step, viewer, self.names)]

    def _repr_html_(self) -> str:
        """Return the table as a spectator sees it, for notebooks."""
        return html.notebook(self.game, self.scene())

    def __repr__(self) -> str:
        player = self.current_player
        who = {CHANCE: "chance to draw", TERMINAL: "over"}.get(player, f"seat {player} to decide")
        return f"<Match of {self.game.name}, {len(self.names)} players, {self.version} steps, {who}>"

    def __str__(self) -> str:
        return plain.render(self.scene())
