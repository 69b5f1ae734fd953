"""The checks themselves, as plain functions, so that they can be tried on games that are wrong on purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Any

import msgspec
import pytest

from parlour.core import html
from parlour.core.clauses import clauses
from parlour.core.errors import IllegalMove, MatchOver, MoveError, NotYourTurn
from parlour.core.game import CHANCE, RULESET, TERMINAL, UNSEEN, Game, Step
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.scene import SPECTATOR, Button, Piece, Scene
from parlour.core.struct import copy, flatten, unflatten

GARBAGE = -12345


def check_position(match: Match) -> None:
    """What holds in every position: whose turn, which actions, what chance can do, how a state is kept."""
    rules, state = match.game.rules, match.state
    before = flatten(state)
    player = match.current_player
    assert player in (CHANCE, TERMINAL, *range(len(match.names)))
    out = [GARBAGE] * rules.MAX_LEGAL
    n = rules.legal_actions(state, out)
    assert (n > 0) == (player >= 0)
    assert n <= rules.MAX_LEGAL == len(out)
    legal = out[:n]
    assert legal == sorted(set(legal)), "legal actions must ascend"
    assert all(0 <= action < rules.N_ACTIONS for action in legal)
    outcomes, weights = match.chance_outcomes()
    assert bool(outcomes) == (player == CHANCE)
    assert len(set(outcomes)) == len(outcomes) <= rules.MAX_OUTCOMES
    assert all(type(weight) is int and weight > 0 for weight in weights)
    returns = match.returns
    assert sum(returns) == pytest.approx(1.0 if player == TERMINAL else 0.0)
    assert all(0 <= share <= 1 for share in returns)
    assert len(match.scores) == len(match.names)
    made = copy(state)
    assert made == state
    assert made is not state
    assert unflatten(type(state), before) == state
    assert flatten(state) == before, "looking must not change the state"


def check_moves(match: Match, seed: int, refused: int = 40) -> None:
    """Every offered action applies to a copy, is written and read back; every other is refused with a reason."""
    game, state = match.game, match.state
    before = flatten(state)
    legal = match.legal_action_ids()
    texts = [game.text.format_action(state, action) for action in legal]
    assert len(set(texts)) == len(texts), "one text for each legal action"
    for action, text in zip(legal, texts, strict=True):
        assert text == text.strip()
        assert "\n" not in text
        assert match.parse(text) == action
        tried = copy(state)
        game.rules.apply(tried, action)
        assert flatten(tried) != before, f"{text} does nothing"
        assert game.rules.current_player(tried) in (CHANCE, TERMINAL, *range(len(match.names)))
    for place in {0, len(legal) - 1}:
        check_reading(match, texts[place], legal[place])
    illegal = [action for action in range(game.rules.N_ACTIONS) if action not in set(legal)]
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 1)
    if len(illegal) > refused:
        illegal = [illegal[random_below(rng, len(illegal))] for _ in range(refused)]
    for action in [*illegal, -1, game.rules.N_ACTIONS]:
        with pytest.raises(IllegalMove) as error:
            match.parse(action)
        assert error.value.message
        assert 0 <= action < game.rules.N_ACTIONS or not error.value.clause
    with pytest.raises(NotYourTurn):
        match.parse(legal[0], (match.current_player + 1) % len(match.names))
    assert flatten(state) == before


def check_reading(match: Match, text: str, action: int) -> None:
    """Blanks too many and capitals are forgiven; a word that says nothing is not."""
    assert match.parse("  " + text.upper().replace(" ", " \t ") + " ") == action
    words = text.split()
    spoilt = [f"{text} zzz", f"zzz {text}", text + "zzz"]
    spoilt += [" ".join([*words[:i], "zzz", *words[i + 1 :]]) for i in range(len(words))]
    for wrong in spoilt:
        with pytest.raises(MoveError):
            match.parse(wrong)


def check_random_action(match: Match, seed: int) -> None:
    """A game's own `random_action`, where it has one, takes the action that the list of them would give."""
    rules, state = match.game.rules, match.state
    if match.current_player < 0 or not hasattr(rules, "random_action"):
        return
    first, second = [0] * RNG_SIZE, [0] * RNG_SIZE
    seed_rng(first, seed, 0)
    seed_rng(second, seed, 0)
    before = flatten(state)
    out = [GARBAGE] * rules.MAX_LEGAL
    n = rules.legal_actions(state, out)
    for _ in range(5):
        assert rules.random_action(state, first, [GARBAGE] * rules.MAX_LEGAL) == out[random_below(second, n)]
        assert first == second, "it draws as much"
    assert flatten(state) == before


def check_chance(match: Match) -> None:
    """Each outcome is written and read back, and applies."""
    game = match.game
    outcomes, _ = match.chance_outcomes()
    texts = [game.text.format_outcome(match.state, outcome) for outcome in outcomes]
    assert len(set(texts)) == len(texts)
    for outcome, text in zip(outcomes, texts, strict=True):
        assert match.parse_outcome(text) == outcome
        assert match.parse_outcome("  " + text.replace(" ", "  ") + " ") == outcome
        with pytest.raises(MoveError):
            match.parse_outcome(f"{text} zzz")
        game.rules.apply(copy(match.state), outcome)
    with pytest.raises(NotYourTurn):
        match.parse(0)


def check_sampling(match: Match, samples: int = 4000) -> None:
    """`sample_chance` agrees with the weights: chi-square, outcomes too rare for it thrown together."""
    outcomes, weights = match.chance_outcomes()
    rng = [0] * RNG_SIZE
    seed_rng(rng, 2026, 1)
    found = Counter(match.game.rules.sample_chance(match.state, rng) for _ in range(samples))
    assert found.keys() <= set(outcomes)
    total = sum(weights)
    bins: list[tuple[float, int]] = []
    expected, seen = 0.0, 0
    for outcome, weight in sorted(zip(outcomes, weights, strict=True), key=lambda pair: pair[1]):
        expected += samples * weight / total
        seen += found[outcome]
        if expected >= 8:
            bins.append((expected, seen))
            expected, seen = 0.0, 0
    if expected and bins:
        bins[-1] = (bins[-1][0] + expected, bins[-1][1] + seen)
    freedom = len(bins) - 1
    if freedom > 0:
        chi = sum((seen - expected) ** 2 / expected for expected, seen in bins)
        # Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal; 4.5 is one in 300,000.
        spread = 2 / (9 * freedom)
        assert ((chi / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5 < 4.5


def check_over(match: Match) -> None:
    """Nothing more can be done, and somebody has won."""
    assert match.over
    assert match.winners
    with pytest.raises(MatchOver):
        match.parse(0)


def observe(game: Game, state: Any, viewer: int) -> list[int]:
    """The observation, checked for its size and for not depending on what was in the buffer."""
    first = [GARBAGE] * (game.rules.OBSERVATION_SIZE + 1)
    n = game.rules.observation(state, viewer, first)
    assert 0 < n <= game.rules.OBSERVATION_SIZE
    assert first[-1] == GARBAGE
    again = [GARBAGE + 1] * (game.rules.OBSERVATION_SIZE + 1)
    assert game.rules.observation(state, viewer, again) == n
    assert first[:n] == again[:n], "every number of an observation is written"
    return first[:n]


def redealt(game: Game, state: Any, viewer: int, rng: list[int]) -> Any:
    """A copy of the state with all that the viewer cannot know dealt again."""
    other = copy(state)
    game.rules.resample(other, viewer, rng)
    return other


def secret(game: Game, state: Any, viewer: int) -> bool:
    """Whether somebody else is asked something of which this viewer does not know."""
    player = game.rules.current_player(state)
    out = [0] * game.rules.MAX_LEGAL
    legal = out[: game.rules.legal_actions(state, out)]
    return player != viewer and any(game.rules.observed_action(state, action, viewer) == UNSEEN for action in legal)


def check_resample(match: Match, viewer: int, rng: list[int]) -> None:
    """What a seat (or a spectator) has seen stays: whose turn it is, what it may do, what it observes."""
    game, state = match.game, match.state
    before = flatten(state)
    other = redealt(game, state, viewer, rng)
    assert flatten(state) == before
    assert observe(game, other, viewer) == observe(game, state, viewer)
    player = game.rules.current_player(state)
    assert game.rules.current_player(other) == player or (secret(game, state, viewer) and player != viewer)
    if player == viewer:
        out, twin = [0] * game.rules.MAX_LEGAL, [0] * game.rules.MAX_LEGAL
        n = game.rules.legal_actions(state, out)
        assert game.rules.legal_actions(other, twin) == n
        assert twin[:n] == out[:n]
        again = list(rng)
        dealt = flatten(redealt(game, state, viewer, rng))
        assert flatten(redealt(game, other, viewer, again)) == dealt, "what is dealt again depends on what is hidden"


def check_no_leak(game: Game, step: Step, viewer: int, names: tuple[str, ...], rng: list[int]) -> None:
    """Every byte that leaves for the viewer, by `scene` and by `tell`, is the same when what he cannot know is not."""
    shown = msgspec.json.encode(game.scenes.scene(step.after, viewer, names))
    other = redealt(game, step.after, viewer, rng)
    assert msgspec.json.encode(game.scenes.scene(other, viewer, names)) == shown, "the scene leaks"
    if game.rules.observed_action(step.before, step.action, viewer) == UNSEEN:
        assert msgspec.json.encode(game.scenes.scene(step.before, viewer, names)) == shown, (
            "the scene shows what is unseen"
        )
        assert game.scenes.tell(step, viewer, names) == (), "the log tells what is unseen"
    told = msgspec.json.encode(game.scenes.tell(step, viewer, names))
    twin = _twin(game, step, viewer, rng)
    assert msgspec.json.encode(game.scenes.tell(twin, viewer, names)) == told, "the log leaks"


def _twin(game: Game, step: Step, viewer: int, rng: list[int]) -> Step:
    """A step that looks the same to the viewer, before, in doing and after."""
    rules = game.rules
    seen = rules.observed_action(step.before, step.action, viewer)
    after = observe(game, step.after, viewer)
    for _ in range(200):
        before = redealt(game, step.before, viewer, rng)
        out, weights = [0] * rules.MAX_OUTCOMES, [0] * rules.MAX_OUTCOMES
        if step.actor != CHANCE:
            out = [0] * rules.MAX_LEGAL
        n = rules.chance_outcomes(before, out, weights) if step.actor == CHANCE else rules.legal_actions(before, out)
        alike = [action for action in out[:n] if rules.observed_action(before, action, viewer) == seen]
        if alike:
            made = copy(before)
            action = alike[random_below(rng, len(alike))]
            rules.apply(made, action)
            if observe(game, made, viewer) == after:
                return Step(before, step.actor, action, made)
    return step  # nothing else fits: he knows all of it


def check_information(match: Match) -> None:
    """Each seat recalls every step that it noticed, its own in full, others as far as it saw them."""
    observed = match.game.rules.observed_action
    history = match.history()
    for seat in range(len(match.names)):
        noticed = [step for step in history if step.actor == seat or observed(step.before, step.action, seat) != UNSEEN]
        seen = match.information_state(seat)
        for step, (whose, what) in zip(noticed, seen, strict=True):
            actor, action = step.actor, step.action
            assert whose == actor
            assert actor != seat or what == action, "a seat knows what it did itself"


def check_declared(match: Match, step: Step) -> bool:
    """Whether a step was hidden from somebody; then the game must say that it has hidden information."""
    rules, viewers = match.game.rules, (SPECTATOR, *range(len(match.names)))
    hides = any(rules.observed_action(step.before, step.action, viewer) != step.action for viewer in viewers)
    declared = rules.hidden_information(step.after)
    assert declared or not hides, "hidden_information denies what observed_action does"
    assert rules.hidden_information(step.before) == declared, "it is the same all game long"
    return hides


def check_undo(match: Match, step: Step, rng: list[int], deals: int = 12) -> bool:
    """Whether a decision can be taken back; then nobody may have learnt from it more than that it was made: in any deal
    that fits what a viewer knew it was possible, and looks the same to them."""
    game, rules = match.game, match.game.rules
    if step.actor == CHANCE or rules.current_player(step.after) != step.actor or not game.may_undo(step):
        return False
    for _ in range(deals):
        before = redealt(game, step.before, step.actor, rng)  # a deal that is possible for who decided
        same = _looks(game, step.before, step.action, step.actor)
        assert _looks(game, before, step.action, step.actor) == same, "who decided has learnt something"
        for viewer in (SPECTATOR, *range(len(match.names))):
            if viewer != step.actor and rules.observed_action(before, step.action, viewer) == step.action:
                other = redealt(game, before, viewer, rng)
                same = _looks(game, before, step.action, viewer)
                assert _looks(game, other, step.action, viewer) == same, f"viewer {viewer} has learnt something"
    return True


def _looks(game: Game, before: Any, action: int, viewer: int) -> tuple[list[int], int] | None:
    """What `viewer` observes once `action` was done there, None where it cannot be done."""
    out = [0] * game.rules.MAX_LEGAL
    if action not in out[: game.rules.legal_actions(before, out)]:
        return None
    after = copy(before)
    game.rules.apply(after, action)
    return observe(game, after, viewer), game.rules.current_player(after)


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def check_scene(match: Match, viewer: int, clauses: set[str]) -> None:
    """Keys are unique, everything is named, what is offered is legal and offered to nobody else; clauses exist; the
    prompt names who decides, and what cannot be done says why."""
    scene: Scene = match.scene(viewer)
    found = [*pieces(scene.board), *(piece for seat in scene.seats for piece in pieces(seat))]
    keys = [piece.key for piece in found]
    assert len(set(keys)) == len(keys), f"keys twice: {[key for key, n in Counter(keys).items() if n > 1]}"
    assert scene.prompt
    assert scene.viewer == viewer
    if scene.to_move not in (None, viewer):
        assert match.names[scene.to_move] in scene.prompt, f"the prompt does not say who decides: {scene.prompt!r}"
    assert not [button.key for button in scene.buttons if not button.action and not button.why], "why not?"
    assert scene.over == match.over
    assert set(scene.winners) == set(match.winners)
    offered = {piece.action for piece in found} | {button.action for button in scene.buttons}
    if scene.pick:
        offered |= set(scene.pick.moves.values())
    offered -= {""}
    player = match.current_player
    if player >= 0 and not secret(match.game, match.state, viewer):
        assert scene.to_move == player
    if viewer == player:
        assert offered == set(match.legal_actions()), "all that is legal is offered, and nothing else"
    else:
        assert not offered
    cited = {scene.clause} | {item.clause for item in found} | {why.clause for why in _whys(scene, found)}
    assert cited - {""} <= clauses


def _whys(scene: Scene, found: list[Piece]) -> Iterator[Any]:
    items: list[Piece | Button] = [*found, *scene.buttons]
    for item in items:
        if item.why:
            yield item.why
    if scene.pick:
        yield from scene.pick.whys.values()


def check_guide(game: Game) -> None:
    """Three to six first steps; each points at something that lies on every opening board, and cites a clause."""
    for ruleset in game.rulesets:
        _check_steps(game, ruleset)


def _check_steps(game: Game, ruleset: str) -> None:
    guide = game.guide(ruleset)
    assert 3 <= len(guide) <= 6, f"{game.name} has {len(guide)} first steps, not three to six"
    known = set(clauses(game))
    boards = []
    for players in range(game.rules.PLAYERS[0], game.rules.PLAYERS[1] + 1):
        match = Match(game, players, options={RULESET: ruleset} if ruleset else {}, seed=1)
        boards.append(html.render(match.scene(match.current_player)))
    for key, words, clause in guide:
        assert 0 < len(words) <= 160, f"a first step is one sentence or two: {words!r}"
        assert clause in known, f"first step {words!r}: the rulebook has no clause {clause!r}"
        for players, board in enumerate(boards, game.rules.PLAYERS[0]):
            there = not key or f'data-key="{escape(key)}"' in board
            assert there, f"first step {words!r}: nothing on the opening board of {players} has the key {key!r}"
