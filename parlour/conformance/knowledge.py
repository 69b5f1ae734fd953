"""The checks of what each viewer can know: new deals keep it, and nothing else reaches the viewer.

Like those of `positions` they are plain functions that raise `Fault`.
"""

from __future__ import annotations

import msgspec

from parlour.conformance.differences import difference, step_words
from parlour.conformance.faults import Fault, require
from parlour.conformance.positions import GARBAGE
from parlour.core.contract import CHANCE, UNSEEN, Step
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import random_below
from parlour.core.scene import SPECTATOR
from parlour.core.struct import GameState, copy, flatten


def observe(game: Game, state: GameState, viewer: int) -> list[int]:
    """Return the observation. Check its size and limits, and that it does not depend on what was in
    the buffer."""
    size = game.rules.OBSERVATION_SIZE
    first = [GARBAGE] * (size + 1)
    n = game.rules.observation(state, viewer, first)
    require(0 < n <= size, f"rules.py: observation returns {n}, not from 1 to OBSERVATION_SIZE.")
    require(first[-1] == GARBAGE, "rules.py: observation writes beyond OBSERVATION_SIZE.")
    again = [GARBAGE + 1] * (size + 1)
    same = game.rules.observation(state, viewer, again) == n and first[:n] == again[:n]
    require(same, "rules.py: observation must write as many numbers as it returns.")
    at = 0
    for part in game.facts.observed:
        for number in first[at : min(at + part.size, n)]:
            fits = (part.least is None or number >= part.least) and (part.most is None or number <= part.most)
            limits = f"from {part.least} to {part.most}"
            require(fits, f"rules.py: observation gives {number} as {part.name!r}, but the facts say {limits}.")
        at += part.size
    return first[:n]


def redealt(game: Game, state: GameState, viewer: int, rng: list[int]) -> GameState:
    """Return a copy of the state in which everything that the viewer cannot know is dealt again."""
    other = copy(state)
    game.rules.resample(other, viewer, rng)
    return other


def secret(game: Game, state: GameState, viewer: int) -> bool:
    """Return whether another player has a decision that this viewer must not notice."""
    player = game.rules.current_player(state)
    out = [0] * game.rules.MAX_LEGAL
    legal = out[: game.rules.legal_actions(state, out)]
    return player != viewer and any(game.rules.observed_action(state, action, viewer) == UNSEEN for action in legal)


def who(viewer: int) -> str:
    """Return a viewer in words."""
    return "a spectator" if viewer == SPECTATOR else f"seat {viewer}"


def check_resample(match: Match, viewer: int, rng: list[int]) -> None:
    """Check that a new deal keeps what a seat (or a spectator) has seen: whose turn it is, the
    seat's legal actions, its observation."""
    game, state = match.game, match.state
    before = flatten(state)
    other = redealt(game, state, viewer, rng)
    require(flatten(state) == before, "rules.py: resample changes more than the state that it receives.")
    numbers = enumerate(zip(observe(game, state, viewer), observe(game, other, viewer), strict=False))
    changed = [f"number {i} is {one}, then {two}" for i, (one, two) in numbers if one != two]
    same = not changed and len(observe(game, other, viewer)) == len(observe(game, state, viewer))
    require(same, f"rules.py: resample changes what {who(viewer)} observes: {'; '.join(changed[:2]) or 'how much'}.")
    player = game.rules.current_player(state)
    same = game.rules.current_player(other) == player or (secret(game, state, viewer) and player != viewer)
    require(same, f"rules.py: resample changes whose turn it is for {who(viewer)}.")
    if player == viewer:
        out, twin = [0] * game.rules.MAX_LEGAL, [0] * game.rules.MAX_LEGAL
        n = game.rules.legal_actions(state, out)
        same = game.rules.legal_actions(other, twin) == n and twin[:n] == out[:n]
        require(same, f"rules.py: resample changes the legal actions of {who(viewer)}, who decides.")
        again = list(rng)
        dealt = flatten(redealt(game, state, viewer, rng))
        same = flatten(redealt(game, other, viewer, again)) == dealt
        require(same, f"rules.py: resample: the new deal for {who(viewer)} depends on what is hidden.")


def check_no_leak(game: Game, step: Step, viewer: int, names: tuple[str, ...], rng: list[int]) -> None:
    """Check that every byte that the viewer receives, from `scene` and from `tell`, stays the same
    when what they cannot know changes."""
    shown = game.scenes.scene(step.after, viewer, names)
    other = game.scenes.scene(redealt(game, step.after, viewer, rng), viewer, names)
    leaks = "scene.py: scene: the scene leaks to {viewer} what they cannot know, after {words}: {difference}."
    _alike(shown, other, "the scene", leaks, game, step, viewer)
    if game.rules.observed_action(step.before, step.action, viewer) == UNSEEN:
        before = game.scenes.scene(step.before, viewer, names)
        shows = "scene.py: scene: the scene shows {viewer} what is unseen, after {words}: {difference}."
        _alike(shown, before, "the scene", shows, game, step, viewer)
        lines = game.scenes.tell(step, viewer, names)
        said = f"scene.py: tell: the log tells {who(viewer)} what is unseen: "
        require(lines == (), said + f"{lines[0].text!r}." if lines else said)
    lines = game.scenes.tell(step, viewer, names)
    twin = game.scenes.tell(lookalike(game, step, viewer, rng), viewer, names)
    leaks = "scene.py: tell: the log leaks to {viewer} what they cannot know, after {words}: {difference}."
    _alike(lines, twin, "the log", leaks, game, step, viewer)


def _alike(one: object, other: object, of: str, sentence: str, game: Game, step: Step, viewer: int) -> None:
    """Check that every byte is the same. Otherwise the sentence names the viewer, the step and the
    piece."""
    if msgspec.json.encode(one) != msgspec.json.encode(other):
        raise Fault(
            sentence.format(viewer=who(viewer), words=step_words(game, step), difference=difference(one, other, of))
        )


def lookalike(game: Game, step: Step, viewer: int, rng: list[int]) -> Step:
    """Return a step that looks the same to the viewer, before, during and after."""
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
    return step  # nothing else fits: the viewer knows all of it


def check_log(game: Game, step: Step, viewer: int, names: tuple[str, ...], known: set[str]) -> None:
    """Check that each entry of the log is one line with words, and that its clause exists."""
    for line in game.scenes.tell(step, viewer, names):
        require(line.clause in known, f"scene.py: tell cites {line.clause!r}, which the rulebook does not have.")
        require(line.text and "\n" not in line.text, f"scene.py: tell gives the line {line.text!r}.")


def check_information(match: Match) -> None:
    """Check that each seat remembers every step that it noticed: its own in full, the others as far
    as it saw them."""
    observed = match.game.rules.observed_action
    history = match.history()
    for seat in range(len(match.names)):
        noticed = [step for step in history if step.actor == seat or observed(step.before, step.action, seat) != UNSEEN]
        seen = match.information_state(seat)
        require(len(seen) == len(noticed), f"rules.py: observed_action: seat {seat} does not notice its own action.")
        for step, (whose, what) in zip(noticed, seen, strict=True):
            actor, action = step.actor, step.action
            require(whose == actor, f"rules.py: observed_action: seat {seat} sees the wrong player act.")
            own = actor != seat or what == action or _stands_alone(match.game, step, what)
            require(own, f"rules.py: observed_action: a seat knows its own actions, but seat {seat} does not.")


def _stands_alone(game: Game, step: Step, seen: int) -> bool:
    """Return whether this is what the deciding seat sees of its action and of no other: the number
    then adds what the action shows."""
    out = [0] * game.rules.MAX_LEGAL
    legal = out[: game.rules.legal_actions(step.before, out)]
    numbers = [game.rules.observed_action(step.before, action, step.actor) for action in legal]
    return seen >= game.rules.N_ACTIONS and numbers.count(seen) == 1


def check_declared(match: Match, step: Step) -> bool:
    """Return whether the step was hidden from a viewer. Check that the game then declares that it has
    hidden information."""
    rules, viewers = match.game.rules, (SPECTATOR, *range(len(match.names)))
    hides = any(rules.observed_action(step.before, step.action, viewer) != step.action for viewer in viewers)
    declared = rules.hidden_information(step.after)
    known = match.game.facts.hidden_information or not declared
    require(known, "__init__.py: hidden_information is False, but rules.py says that this game hides something.")
    require(declared or not hides, "rules.py: hidden_information is False, but observed_action hides something.")
    same = rules.hidden_information(step.before) == declared
    require(same, "rules.py: hidden_information must not change during a game.")
    return hides


def check_undo(match: Match, step: Step, rng: list[int], deals: int = 12) -> bool:
    """Return whether a decision can be taken back. If it can, check that no viewer has learnt more than
    that it was made: in every deal that fits what a viewer knew, it was possible and looks the same
    to them."""
    game, rules = match.game, match.game.rules
    if step.actor == CHANCE or rules.current_player(step.after) != step.actor or not game.may_undo(step):
        return False
    for _ in range(deals):
        before = redealt(game, step.before, step.actor, rng)  # a deal that is possible for the deciding player
        same = _looks(game, before, step.action, step.actor) == _looks(game, step.before, step.action, step.actor)
        require(same, "rules.py: may_undo: the player learns something from a decision that they may take back.")
        for viewer in (SPECTATOR, *range(len(match.names))):
            if viewer != step.actor and rules.observed_action(before, step.action, viewer) == step.action:
                other = redealt(game, before, viewer, rng)
                same = _looks(game, other, step.action, viewer) == _looks(game, before, step.action, viewer)
                require(same, f"rules.py: may_undo: {who(viewer)} learns something from a decision that may be undone.")
    return True


def _looks(game: Game, before: GameState, action: int, viewer: int) -> tuple[list[int], int] | None:
    """Return what `viewer` observes after `action` in `before`, None if it is not legal there."""
    out = [0] * game.rules.MAX_LEGAL
    if action not in out[: game.rules.legal_actions(before, out)]:
        return None
    after = copy(before)
    game.rules.apply(after, action)
    return observe(game, after, viewer), game.rules.current_player(after)
