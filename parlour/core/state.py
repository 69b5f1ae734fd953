"""One position of a game, to play, search and learn from, under the names that OpenSpiel uses.

It has rules and numbers only: no text, record or proof of fairness, which `Match` has. Chance is explicit: where dice
or cards are due, the outcomes are actions like any other, with their probabilities.
"""

from __future__ import annotations

import operator
import random
from array import array
from collections.abc import Sequence

import msgspec

from parlour.core import plain
from parlour.core.contract import CHANCE, HIDDEN, TERMINAL, UNSEEN
from parlour.core.edition import Edition
from parlour.core.errors import BadSetup, CannotUndo, IllegalMove, InvalidMove, MatchOver, NotYourTurn
from parlour.core.game import Game
from parlour.core.mechanics import Mechanics
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.stored import FORMAT, Stored
from parlour.core.struct import GameState, copy, flatten, unflatten


class State:
    """A position of `game`, changed in place by `apply_action`.

    >>> state = parlour.new_initial_state(name, players=2)
    >>> while not state.is_terminal():
    ...     actions = state.legal_actions()
    ...     state.apply_action(random.choice(actions))

    Seats are numbered from 0; `current_player` is CHANCE (-1) where an outcome is due, and TERMINAL (-4) at the end, as
    in OpenSpiel. Decisions are the numbers below `Game.num_distinct_actions`, outcomes those from 0 to
    `len(chance_outcomes()) - 1`.
    """

    __slots__ = ("_actions", "_heard", "_legal", "_mechanics", "_outcomes", "_since", "_state", "_turn", "_weights")

    def __init__(self, mechanics: Mechanics) -> None:
        self._mechanics = mechanics
        self._state = mechanics.begin()
        self._actions: list[tuple[int, int]] = []  # who acted (a seat or CHANCE), and the number of the action
        self._turn: int | None = None  # who acts in this position, once asked for
        self._legal: list[int] | None = None  # the same of its decisions or outcomes
        self._outcomes: list[int] = []  # of these, what the rules call them
        self._weights: list[int] = []
        # Of a redrawn state: its numbers then, flattened, and what each seat had noticed
        self._since: tuple[tuple[int, ...], tuple[str, ...]] | None = None
        self._heard: tuple[int, tuple[int, ...], tuple[str, ...]] | None = None

    @classmethod
    def at(cls, mechanics: Mechanics, state: GameState) -> State:
        """Return a position with the numbers of `state` (of plain rules), of which each seat has noticed what it sees.

        What happened before cannot be taken back there.
        """
        made = cls(mechanics)
        made._state = mechanics.packed(state)
        seats = range(mechanics.players)
        told = tuple(f"seat {one} sees " + ",".join(map(str, made.observation(one))) for one in seats)
        made._since = (tuple(flatten(state)), told)
        return made

    # The game ---------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game."""
        return self._mechanics.game

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self._mechanics.players

    @property
    def edition(self) -> Edition:
        """The edition: the numbers of its parts."""
        return self._mechanics.edition

    @property
    def options(self) -> dict[str, str]:
        """Every option with its value."""
        return dict(self._mechanics.options)

    @property
    def max_game_length(self) -> int:
        """A number of actions, chance included, that no sensible random game reaches; 0 if none is known."""
        return self.game.rules.bound(self._mechanics.start) or self.game.facts.longest

    @property
    def information(self) -> str:
        """ "perfect" or "imperfect": whether a seat may ever know less than another, with this set-up."""
        return "imperfect" if self.game.rules.hidden_information(self._mechanics.start) else "perfect"

    # The position -----------------------------------------------------------------------------------
    def current_player(self) -> int:
        """Return the seat that decides, CHANCE (-1) where an outcome is due, or TERMINAL (-4)."""
        turn = self._turn
        if turn is None:
            turn = self._turn = self._mechanics.current_player(self._state)
        return turn

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        """Return whether an outcome of chance is due."""
        return self.current_player() == CHANCE

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Return what `apply_action` takes now, ascending; decisions, or outcomes where chance is due.

        Empty at the end, and for a `seat` that is not to decide.
        """
        if seat is not None and seat != self.current_player():
            return []
        return self._possible()[:]

    def legal_actions_mask(self, seat: int | None = None) -> list[int]:
        """Return a 1 for each legal action and a 0 for each other, by its number.

        Its length is `Game.num_distinct_actions`, or `Game.max_chance_outcomes` where chance is due.
        """
        chance = self.is_chance_node() and seat in (None, CHANCE)
        mask = [0] * (self.game.max_chance_outcomes if chance else self.game.num_distinct_actions)
        for action in self.legal_actions(seat):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome that is possible now with its probability; empty if chance is not due."""
        weights = self.chance_weights()
        total = sum(weights)
        return [(number, weight / total) for number, weight in enumerate(weights)]

    def chance_weights(self) -> list[int]:
        """Return the exact weights of the outcomes 0, 1, 2, ...: an outcome's probability is its share of their sum."""
        if not self.is_chance_node():
            return []
        self._possible()
        return self._weights[:]

    def returns(self) -> list[float]:
        """Return each seat's utility: the winners share 1, the others get 0; all 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self._mechanics.players
        return self._mechanics.returns(self._state)

    def rewards(self) -> list[float]:
        """Return what the last action brought each seat: the returns at the end, 0 before."""
        return self.returns()

    def scores(self) -> list[int]:
        """Return each seat's score in the game's own points."""
        return self._mechanics.scores(self._state)

    def plain(self) -> GameState:
        """Return a copy of the numbers as plain rules have them; what is hidden is among them."""
        return copy(self._mechanics.plain(self._state))

    # Playing ----------------------------------------------------------------------------------------
    def apply_action(self, action: int) -> None:
        """Make a decision, or give an outcome of chance.

        Raises IllegalMove with the clause, InvalidMove if it is not a whole number, or MatchOver; nothing changes then.
        """
        possible = self._legal if self._legal is not None else self._possible()
        if action not in possible or action.__class__ is bool:
            raise self._refusal(action)
        player, action = self.current_player(), operator.index(action)
        self._mechanics.apply(self._state, self._outcomes[action] if player == CHANCE else action)
        self._actions.append((player, action))
        self._turn = self._legal = None

    def apply_chance(self, rng: random.Random) -> int:
        """Draw an outcome by its probability and give it; return its number. Quicker than to list them first.

        Raises NotYourTurn if chance is not due.
        """
        if not self.is_chance_node():
            raise NotYourTurn("No dice or cards are due now.")
        action, outcome = self._mechanics.draw(self._state, rng)
        self._mechanics.apply(self._state, outcome)
        self._actions.append((CHANCE, action))
        self._turn = self._legal = None
        return action

    def child(self, action: int) -> State:
        """Return the position after an action, and leave this one as it is. Raises what `apply_action` raises."""
        made = self.clone()
        made.apply_action(action)
        return made

    def clone(self) -> State:
        """Return an independent copy."""
        made = object.__new__(type(self))
        made._mechanics, made._state, made._actions = (
            self._mechanics,
            self._mechanics.copy(self._state),
            self._actions[:],
        )
        made._turn, made._legal, made._outcomes, made._weights = self._turn, self._legal, self._outcomes, self._weights
        made._since, made._heard = self._since, self._heard
        return made

    __copy__ = clone

    def __deepcopy__(self, _memo: object) -> State:
        return self.clone()  # what states of a game share does not change

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action, which `player` (CHANCE for an outcome) made. It is played again up to there.

        Raises CannotUndo if that was not the last action.
        """
        if not self._actions or self._actions[-1] != (player, action):
            last = "no action has been made" if not self._actions else "it was {1}, by {0}".format(*self._actions[-1])
            raise CannotUndo(f"Only the last action can be taken back: {last}.")
        earlier = self._actions[:-1]
        self._state, self._actions, self._heard = self._first(), [], None
        self._turn = self._legal = None
        for _, one in earlier:
            self.apply_action(one)

    def history(self) -> list[int]:
        """Return all actions so far, outcomes included."""
        return [action for _, action in self._actions]

    def full_history(self) -> list[tuple[int, int]]:
        """Return (who acted, action) for all actions so far; CHANCE for outcomes."""
        return list(self._actions)

    # What a seat knows ------------------------------------------------------------------------------
    def observation(self, seat: int | None = None) -> list[int]:
        """Return the numbers that a seat (None: the one to decide; or SPECTATOR) sees, as `Facts.observed` has them."""
        return self._mechanics.observe(self._state, self._seat(seat))

    def observation_tensor(self, seat: int | None = None) -> array[float]:
        """Return the observation as float32: one-hot where a number is a name, bit by bit where it is a mask.

        `Game.observation_spec` says where each field is; `numpy.asarray` takes it without a copy.
        """
        return self._mechanics.tensor(self._state, self._seat(seat))

    def observation_dict(self, seat: int | None = None) -> dict[str, object]:
        """Return the observation by the names of its fields, fit for JSON, with the legal decisions in words.

        "you" is the seat (-2: a spectator), "to_move" the seat to decide as that seat sees it, if any.
        """
        viewer = self._seat(seat)
        numbers, at = self._mechanics.observe(self._state, viewer), 0
        fields: dict[str, object] = {}
        for part in self.game.facts.observed:
            fields[part.name] = numbers[at] if part.size == 1 else numbers[at : at + part.size]
            at += part.size
        state = self._mechanics.plain(self._state)
        scene = self.game.scenes.scene(state, viewer, self._mechanics.names)
        mine = self.current_player() == viewer
        legal = {str(one): self.action_to_string(one) for one in self.legal_actions()} if mine else {}
        return {"you": viewer, "to_move": scene.to_move, "fields": fields, "legal_actions": legal}

    def information_state_string(self, seat: int | None = None) -> str:
        """Return all that a seat has noticed since the start: equal for two positions that it cannot tell apart.

        Each step is who acted and what the seat saw of it ("?": only that something happened). It is continued from
        where it was last asked for.
        """
        seat = self._player(seat)
        at, numbers, heard = self._heard or self._first_heard()
        if at < len(self._actions):
            heard = self._hear(at, numbers, heard)
        return heard[seat]

    def resample_from_infostate(self, seat: int | None = None, rng: random.Random | int | None = None) -> State:
        """Return a position in which all that `seat` cannot know is drawn anew, by its probability.

        `rng`: a `random.Random`, or a seed; None draws a new one. For the seat itself, `information_state_string`
        continues; those of the others begin with what they see in the position that was drawn. What happened before
        cannot be taken back there.
        """
        seat = self._player(seat)
        words = [0] * RNG_SIZE
        source = rng if isinstance(rng, random.Random) else random.Random(rng)
        seed_rng(words, source.getrandbits(62), 0)
        state = copy(self._mechanics.plain(self._state))
        self.game.rules.resample(state, seat, words)
        made = self.at(self._mechanics, state)
        assert made._since is not None
        told = list(made._since[1])
        told[seat] = self.information_state_string(seat)
        made._since = (made._since[0], tuple(told))
        return made

    # Text -------------------------------------------------------------------------------------------
    def action_to_string(self, action: int) -> str:
        """Return a legal decision, or an outcome where chance is due, in words."""
        if action not in self._possible():
            raise self._refusal(action)
        state = self._mechanics.plain(self._state)
        if self.is_chance_node():
            return self.game.text.format_outcome(state, self._outcomes[action])
        return self.game.text.format_action(state, action)

    def string_to_action(self, text: str) -> int:
        """Return the legal decision, or the outcome where chance is due, that `text` names.

        Raises InvalidMove, IllegalMove.
        """
        state, possible = self._mechanics.plain(self._state), self._possible()
        if self.is_chance_node():
            outcome = self.game.read_outcome(state, text)
            action = self._outcomes.index(outcome) if outcome in self._outcomes else -1
        else:
            action = self.game.read_action(state, text)
        if action not in possible:
            raise self._refusal(action)
        return action

    def serialize(self) -> str:
        """Return the position as JSON, which `parlour.deserialize_state` reads."""
        stored = Stored(
            FORMAT, self.game.name, self.game.rules.VERSION, self.num_players, self.edition.name, self.edition.parts,
            self._mechanics.options, self._actions, self._since,
        )  # fmt: skip
        return msgspec.json.encode(stored).decode()

    def restore(self, stored: Stored) -> None:
        """Bring a first position to where `serialize` found it. Raises InvalidMove where that is not possible."""
        if stored.since is not None:
            if len(stored.since[1]) != self.num_players:
                raise InvalidMove(f"This position has {len(stored.since[1])} seats, not {self.num_players}.")
            self._since = stored.since
            self._state, self._turn, self._legal = self._first(), None, None
            self._possible()  # numbers that are not a position of the game fail here, not later
        for player, action in stored.actions:
            if self.current_player() != player:
                raise InvalidMove(
                    f"Action {len(self._actions) + 1} is by {player}, and {self.current_player()} is due."
                )
            self.apply_action(action)

    def __str__(self) -> str:
        scene = self.game.scenes.scene(self._mechanics.plain(self._state), SPECTATOR, self._mechanics.names)
        return plain.render(scene)

    def __repr__(self) -> str:
        player = self.current_player()
        who = {CHANCE: "chance to draw", TERMINAL: "over"}.get(player, f"seat {player} to decide")
        return f"<State of {self.game.name}, {self.num_players} players, {len(self._actions)} actions, {who}>"

    # Inside -----------------------------------------------------------------------------------------
    def _possible(self) -> list[int]:
        """Return the actions that are possible now, found once a position."""
        legal = self._legal
        if legal is None:
            player = self.current_player()
            if player >= 0:
                legal = self._mechanics.legal(self._state)
            elif player == CHANCE:
                self._outcomes, self._weights = self._mechanics.chance(self._state)
                legal = list(range(len(self._weights)))
            else:
                legal = []
            self._legal = legal
        return legal

    def _first(self) -> GameState:
        """Return the state that this one began from."""
        if self._since is None:
            return self._mechanics.begin()
        return self._mechanics.packed(unflatten(self.game.rules.State, list(self._since[0])))

    def _first_heard(self) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
        if self._since is not None:
            return 0, *self._since
        return (
            0,
            tuple(flatten(self._mechanics.start)),
            tuple(f"seat {seat}" for seat in range(self._mechanics.players)),
        )

    def _hear(self, at: int, numbers: Sequence[int], told: Sequence[str]) -> tuple[str, ...]:
        """Continue what the seats have noticed from the action number `at`, when the state was `numbers`."""
        rules = self.game.rules
        state = unflatten(rules.State, list(numbers))
        more: list[list[str]] = [[one] for one in told]
        outcomes, weights = [0] * rules.MAX_OUTCOMES, [0] * rules.MAX_OUTCOMES
        for player, action in self._actions[at:]:
            if player == CHANCE:
                rules.chance_outcomes(state, outcomes, weights)
                action = outcomes[action]
            for seat, words in enumerate(more):
                seen = rules.observed_action(state, action, seat)
                if seen != UNSEEN:
                    words.append(f"{player}:{'?' if seen == HIDDEN else seen}")
            rules.apply(state, action)
        heard = tuple(" ".join(words) for words in more)
        self._heard = (len(self._actions), tuple(flatten(state)), heard)
        return heard

    def _seat(self, seat: int | None) -> int:
        """Return a seat or SPECTATOR; None is the seat to decide, or a spectator where none is."""
        if seat is None:
            player = self.current_player()
            return player if player >= 0 else SPECTATOR
        return SPECTATOR if seat == SPECTATOR else self._player(seat)

    def _player(self, seat: int | None) -> int:
        if seat is None:
            seat = self.current_player()
            if seat < 0:
                raise BadSetup("No seat is to decide here, so say which seat is meant.")
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self._mechanics.players:
            raise BadSetup(f"There is no seat {seat!r}; the seats are 0 to {self._mechanics.players - 1}.")
        return seat

    def _refusal(self, action: object) -> Exception:
        """Return why an action is not possible now."""
        player = self.current_player()
        if player == TERMINAL:
            return MatchOver("The game is over; no more actions are possible.")
        if isinstance(action, bool) or not isinstance(action, int):
            return InvalidMove(f"An action is a whole number, not {action!r}.")
        if player == CHANCE:
            return IllegalMove(f"There is no outcome {action} here; they are 0 to {len(self._possible()) - 1}.")
        if not 0 <= action < self.game.num_distinct_actions:
            return IllegalMove(f"There is no action {action}; they are 0 to {self.game.num_distinct_actions - 1}.")
        why = self.game.text.why_not(self._mechanics.plain(self._state), action)
        return IllegalMove(why.text, clause=why.clause)
