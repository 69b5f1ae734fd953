"""A match: a game under way, with its seats, its chance and its record.

Legality is checked here once. The record (every decision, every outcome of chance) is the truth; the
state is what comes of replaying it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parlour.core import fair, html, plain, undo
from parlour.core.contract import CHANCE, TERMINAL, UNSEEN, Step
from parlour.core.edition import Edition
from parlour.core.errors import BadSetup, CannotUndo, IllegalMove, InvalidMove, MatchOver, NotYourTurn, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.scene import SPECTATOR, Line, Scene
from parlour.core.struct import copy


class Match:
    """One game from its first draw to its end.

    `seed` is the secret of `parlour.core.fair`: a text of 64 hexadecimal digits, or any number for a
    repeatable match, or None for a fresh one. With `auto=True` chance is drawn as soon as it is due.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        *,
        edition: str | Edition | None = None,
        options: Chosen | None = None,
        names: Sequence[str] | None = None,
        seed: int | str | None = None,
        words: Sequence[str] = (),
        auto: bool = True,
    ) -> None:
        if not _texts(names):
            raise BadSetup(f"Names are a list, with one text for each player, not {names!r}.")
        if players is None:
            players = game.facts.players[0] if names is None else len(names)
        elif names is not None and whole(players, "The number of players") != len(names):
            raise BadSetup(f"{players} players and {len(names)} names were given.")
        self.game = game
        self.edition = edition if isinstance(edition, Edition) else game.edition(edition)
        self.options = game.options(options)
        self.state = game.start(players, self.edition, self.options)
        self.names = tuple(names or [f"Player {seat + 1}" for seat in range(players)])
        self.seed: str | None = fair.secret(seed)  # None: this is the replay of a record that keeps it secret
        self.commitment = fair.commitment(self.seed)
        self.words = tuple(words)
        self.steps: list[tuple[int, int, str]] = []  # actor, action, text
        if auto:
            self.draw()

    def __copy__(self) -> Match:
        """A match of its own: what is played in one is not played in the other. The same dice and cards lie ahead."""
        made = object.__new__(type(self))
        vars(made).update(vars(self) | {"state": copy(self.state), "steps": [*self.steps], "options": {**self.options}})
        return made

    # What is so --------------------------------------------------------------------------------
    @property
    def version(self) -> int:
        """The number of steps so far: what a move answers to."""
        return len(self.steps)

    @property
    def current_player(self) -> int:
        """The seat that decides, CHANCE or TERMINAL."""
        return self.game.rules.current_player(self.state)

    @property
    def over(self) -> bool:
        return self.current_player == TERMINAL

    @property
    def returns(self) -> list[float]:
        """The utilities by seat: 1 shared by the winners, 0 to the rest; all 0 before the end."""
        out = [0.0] * len(self.names)
        self.game.rules.returns(self.state, out)
        return out

    @property
    def scores(self) -> list[int]:
        """The game's own scores by seat."""
        out = [0] * len(self.names)
        self.game.rules.scores(self.state, out)
        return out

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, empty before the end."""
        return tuple(seat for seat, share in enumerate(self.returns) if share > 0) if self.over else ()

    def legal_action_ids(self) -> list[int]:
        """The legal decisions as numbers, ascending; empty when chance is due or the match is over."""
        out = [0] * self.game.rules.MAX_LEGAL
        return out[: self.game.rules.legal_actions(self.state, out)]

    def legal_actions(self) -> list[str]:
        """The legal decisions as text, in the order of their numbers."""
        return [self.game.text.format_action(self.state, action) for action in self.legal_action_ids()]

    def scene(self, viewer: int = SPECTATOR) -> Scene:
        """What `viewer` (a seat or SPECTATOR) sees now."""
        scene = self.game.scenes.scene(self.state, viewer, self.names)
        return replace(scene, undo=True) if viewer == self.current_player >= 0 and self.can_undo(viewer) else scene

    def information_state(self, player: int) -> tuple[tuple[int, int], ...]:
        """What `player` has seen since the start, with perfect recall: (actor, action or HIDDEN) by step he saw."""
        observed = self.game.rules.observed_action
        seen = ((s.actor, observed(s.before, s.action, player)) for s in self.history())
        return tuple(one for one in seen if one[1] != UNSEEN)

    # What is done ------------------------------------------------------------------------------
    def parse(self, move: str | int, seat: int | None = None) -> int:
        """The legal action that `move` names for `seat` (None: whoever is to decide).

        Errors: MatchOver, NotYourTurn, InvalidMove (cannot be read), IllegalMove (with the clause).
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
        """Who decides, as the scene of `seat` tells it: who is asked something in secret is named to nobody else."""
        viewer = seat if seat is not None and 0 <= seat < len(self.names) else SPECTATOR
        player = self.game.scenes.scene(self.state, viewer, self.names).to_move
        return "the dice and cards" if player in (None, viewer) else self.names[player]

    def play(self, move: str | int, seat: int | None = None) -> list[Step]:
        """Make a move and draw what chance is then due; the steps made. Errors as in `parse`, nothing changed."""
        action = self.parse(move, seat)
        self._need_seed()
        return [self.step(action), *self.draw()]

    def draw(self) -> list[Step]:
        """Draw every outcome of chance that is due; the steps made.

        BadSetup in the replay of a record without its seed, where only `force` can go on.
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
        """The outcomes possible now and their integer weights; empty when chance is not due."""
        out = [0] * self.game.rules.MAX_OUTCOMES
        weights = [0] * self.game.rules.MAX_OUTCOMES
        n = self.game.rules.chance_outcomes(self.state, out, weights)
        return out[:n], weights[:n]

    def force(self, outcome: str | int) -> Step:
        """Let chance give this outcome (for analysis, tests and replay); IllegalMove when it cannot."""
        return self.step(self.parse_outcome(outcome))

    def parse_outcome(self, outcome: str | int) -> int:
        """The outcome of chance that is meant, if it can come now. Errors: InvalidMove, IllegalMove, NotYourTurn."""
        if self.current_player != CHANCE:
            raise NotYourTurn("No dice or cards are due now.")
        if isinstance(outcome, str):
            outcome = self.game.read_outcome(self.state, outcome)
        else:
            outcome = whole(outcome, "The number of an outcome", InvalidMove)
        if outcome not in self.chance_outcomes()[0]:
            raise IllegalMove("That outcome cannot come here.")
        return outcome

    def advance(self, action: int) -> None:
        """Apply a decision or outcome that is known to be legal, and note it; nothing is checked."""
        actor = self.current_player
        form = self.game.text.format_outcome if actor == CHANCE else self.game.text.format_action
        self.steps.append((actor, action, form(self.state, action)))
        self.game.rules.apply(self.state, action)

    def step(self, action: int) -> Step:
        """`advance`, with the states before and after for whoever tells of it."""
        before = copy(self.state)
        actor = self.current_player
        self.advance(action)
        return Step(before, actor, action, copy(self.state))

    # What is taken back --------------------------------------------------------------------------
    def can_undo(self, seat: int | None = None) -> bool:
        """Whether `seat` (None: whoever is to decide) may take back his last decision (`core.undo`)."""
        return not self._why_no_undo(seat)

    def undo(self, seat: int | None = None) -> Step:
        """Take back the last decision of `seat` (None: of whoever is to decide); the step that is no more.

        CannotUndo when his play is complete, dice or cards have spoken, or it has shown something to anybody.
        """
        if why := self._why_no_undo(seat):
            raise CannotUndo(why)
        step = self._last()
        assert step is not None
        self.steps.pop()
        self.state = step.before
        return step

    def _why_no_undo(self, seat: int | None) -> str:
        if not self.steps or self.steps[-1][0] != self.current_player:  # most often; and nothing is replayed for it
            return "There is nothing to take back: your play is complete, or dice or cards have spoken since."
        return undo.why_not(self.game, self._last(), self.current_player, seat)

    def _last(self) -> Step | None:
        """The last step, with the states before and after."""
        if not self.steps:
            return None
        state = self.game.start(len(self.names), self.edition, self.options)
        for _, action, _ in self.steps[:-1]:
            self.game.rules.apply(state, action)
        actor, action, _ = self.steps[-1]
        return Step(state, actor, action, copy(self.state))

    # What is kept ------------------------------------------------------------------------------
    def record(self, *, reveal: bool = True) -> Record:
        """The record so far; without the seed unless `reveal`."""
        return Record(
            game=self.game.name,
            rules_version=self.game.rules.VERSION,
            edition=self.edition.name,
            parts=self.edition.parts,
            options=dict(self.options),
            names=self.names,
            commitment=self.commitment,
            words=self.words,
            seed=self.seed if reveal else None,
            steps=tuple((actor, text) for actor, _, text in self.steps),
        )

    def history(self) -> list[Step]:
        """All steps with the states before and after, replayed from the start."""
        state = self.game.start(len(self.names), self.edition, self.options)
        steps = []
        for actor, action, _ in self.steps:
            before = copy(state)
            self.game.rules.apply(state, action)
            steps.append(Step(before, actor, action, copy(state)))
        return steps

    def log(self, viewer: int = SPECTATOR) -> list[Line]:
        """The whole log as `viewer` may read it."""
        return [line for step in self.history() for line in self.game.scenes.tell(step, viewer, self.names)]

    def _repr_html_(self) -> str:
        """For notebooks: the table as a spectator sees it."""
        return html.notebook(self.game, self.scene())

    def __str__(self) -> str:
        return plain.render(self.scene())


def _texts(names: object) -> bool:
    """Whether these are several texts, or None."""
    if names is None:
        return True
    return isinstance(names, Sequence) and not isinstance(names, str) and all(isinstance(name, str) for name in names)
