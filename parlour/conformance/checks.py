"""The checks themselves, as plain functions, so that tests can try them on games that are wrong on
purpose.

Each raises `Fault` with a sentence. `parlour.conformance.parts` calls them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import isclose
from typing import Any

import msgspec

from parlour.conformance.differences import difference, step_words
from parlour.conformance.faults import Fault, refused, require
from parlour.core.contract import CHANCE, TERMINAL, UNSEEN, Step
from parlour.core.errors import IllegalMove, MatchOver, MoveError, NotYourTurn
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.placing import MOST
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.scene import SPECTATOR, STILL, Button, Piece, Scene
from parlour.core.struct import copy, flatten, unflatten

GARBAGE = -12345


def check_position(match: Match) -> None:
    """Check what must hold in every position: whose turn it is, the actions, the outcomes of
    chance, copying and packing the state."""
    rules, state = match.game.rules, match.state
    before = flatten(state)
    player = match.current_player
    require(player in _deciders(match), f"rules.py: current_player returns {player}, which is no seat.")
    out = [GARBAGE] * rules.MAX_LEGAL
    n = rules.legal_actions(state, out)
    if player >= 0:
        require(n > 0, f"rules.py: legal_actions gives nothing, but current_player says that seat {player} decides.")
    else:
        require(n == 0, f"rules.py: legal_actions gives {n} actions, but current_player says that no seat decides.")
    require(n <= rules.MAX_LEGAL == len(out), f"rules.py: legal_actions gives {n}, more than MAX_LEGAL.")
    legal = out[:n]
    require(legal == sorted(set(legal)), f"rules.py: legal_actions must ascend, but gives {legal[:12]}.")
    odd = [action for action in legal if not 0 <= action < rules.N_ACTIONS]
    require(not odd, f"rules.py: legal_actions gives {odd[:3]}, not from 0 to below N_ACTIONS.")
    outcomes, weights = match.chance_outcomes()
    said = "is" if player == CHANCE else "is not"
    require(
        bool(outcomes) == (player == CHANCE),
        f"rules.py: chance_outcomes gives {len(outcomes)}, but current_player says that it {said} chance's turn.",
    )
    require(len(set(outcomes)) == len(outcomes), "rules.py: chance_outcomes gives an outcome twice.")
    require(len(outcomes) <= rules.MAX_OUTCOMES, "rules.py: chance_outcomes gives more than MAX_OUTCOMES.")
    require(
        all(type(weight) is int and weight > 0 for weight in weights),
        "rules.py: chance_outcomes gives a weight that is not a whole number above 0.",
    )
    returns = match.returns
    due = 1.0 if player == TERMINAL else 0.0
    require(
        isclose(sum(returns), due, rel_tol=1e-6, abs_tol=1e-12) and all(0 <= share <= 1 for share in returns),
        f"rules.py: returns gives {returns}, not 0 for all before the end, or shares of 1 at the end.",
    )
    require(len(match.scores) == len(match.names), "rules.py: scores writes beyond the seats.")
    made = copy(state)
    require(made == state and made is not state, "rules.py: a copy of State is not equal to it.")
    require(unflatten(type(state), before) == state, "rules.py: State does not come back from its numbers.")
    require(flatten(state) == before, "rules.py: asking about a state must not change it, but it did.")


def who(viewer: int) -> str:
    """Return a viewer in words."""
    return "a spectator" if viewer == SPECTATOR else f"seat {viewer}"


def _deciders(match: Match) -> tuple[int, ...]:
    return (CHANCE, TERMINAL, *range(len(match.names)))


def check_moves(match: Match, seed: int, illegal_tried: int = 40) -> None:
    """Check that every legal action applies to a copy and reads back from its text, and that every
    other action is refused with a reason."""
    game, state = match.game, match.state
    before = flatten(state)
    legal = match.legal_action_ids()
    texts = [game.text.format_action(state, action) for action in legal]
    twice = [text for text, number in Counter(texts).items() if number > 1]
    require(not twice, f"text.py: format_action must give each legal action its own text; two share {twice[:2]}.")
    for action, text in zip(legal, texts, strict=True):
        require(text and text == text.strip() and "\n" not in text, f"text.py: format_action gives {text!r}.")
        read = match.parse(text)
        require(read == action, f"text.py: parse_action reads {text!r} as {read}; format_action wrote it for {action}.")
        tried = copy(state)
        game.rules.apply(tried, action)
        require(flatten(tried) != before, f"rules.py: apply: {text} does nothing.")
        player = game.rules.current_player(tried)
        require(player in _deciders(match), f"rules.py: current_player returns {player} after {text}, no seat.")
    for place in {0, len(legal) - 1}:
        check_reading(match, texts[place], legal[place])
    illegal = [action for action in range(game.rules.N_ACTIONS) if action not in set(legal)]
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 1)
    if len(illegal) > illegal_tried:
        illegal = [illegal[random_below(rng, len(illegal))] for _ in range(illegal_tried)]
    for action in [*illegal, -1, game.rules.N_ACTIONS]:
        error = refused(IllegalMove, match.parse, action, sentence=f"rules.py: it accepts the illegal action {action}.")
        require(error.message, f"text.py: why_not says nothing about action {action}.")
        known = 0 <= action < game.rules.N_ACTIONS
        require(known or not error.clause, f"text.py: why_not cites a clause for {action}, which is not an action.")
    other = (match.current_player + 1) % len(match.names)
    if other != match.current_player:
        refused(NotYourTurn, match.parse, legal[0], other, sentence="It accepts a move out of turn.")
    require(flatten(state) == before, "text.py: reading and writing must not change the state, but they did.")


def check_reading(match: Match, text: str, action: int) -> None:
    """Check that reading ignores extra blanks and capitals, but not a word without meaning."""
    loud = "  " + text.upper().replace(" ", " \t ") + " "
    require(match.parse(loud) == action, f"text.py: parse_action does not read {loud!r} as {text!r}.")
    words = text.split()
    spoilt = [f"{text} zzz", f"zzz {text}", text + "zzz"]
    spoilt += [" ".join([*words[:i], "zzz", *words[i + 1 :]]) for i in range(len(words))]
    for wrong in spoilt:
        refused(MoveError, match.parse, wrong, sentence=f"text.py: parse_action accepts {wrong!r} as a move.")


def check_random_action(match: Match, seed: int) -> None:
    """Check that a game's own `random_action`, if it has one, takes the action that the list of
    legal actions would give."""
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
        same = rules.random_action(state, first, [GARBAGE] * rules.MAX_LEGAL) == out[random_below(second, n)]
        require(same, "rules.py: random_action takes another action than legal_actions would give.")
        require(first == second, "rules.py: random_action does not draw as often as legal_actions would need.")
    require(flatten(state) == before, "rules.py: random_action changes the state.")


def check_chance(match: Match) -> None:
    """Check that each outcome reads back from its text, and applies."""
    game = match.game
    outcomes, _ = match.chance_outcomes()
    texts = [game.text.format_outcome(match.state, outcome) for outcome in outcomes]
    twice = [text for text, number in Counter(texts).items() if number > 1]
    require(not twice, f"text.py: format_outcome must give each outcome its own text; two share {twice[:2]}.")
    for outcome, text in zip(outcomes, texts, strict=True):
        for written in (text, "  " + text.replace(" ", "  ") + " "):
            same = match.parse_outcome(written) == outcome
            require(same, f"text.py: parse_outcome does not read {written!r} as {outcome}, whose text it is.")
        wrong = f"{text} zzz"
        refused(MoveError, match.parse_outcome, wrong, sentence=f"text.py: parse_outcome accepts {wrong!r}.")
        game.rules.apply(copy(match.state), outcome)
    refused(NotYourTurn, match.parse, 0, sentence="It accepts a move when it is chance's turn.")


def check_sampling(match: Match, samples: int = 4000) -> None:
    """Check that `sample_chance` agrees with the weights: chi-square, with outcomes that are too
    rare for it in one bin."""
    outcomes, weights = match.chance_outcomes()
    rng = [0] * RNG_SIZE
    seed_rng(rng, 2026, 1)
    found = Counter(match.game.rules.sample_chance(match.state, rng) for _ in range(samples))
    odd = sorted(found.keys() - set(outcomes))
    require(not odd, f"rules.py: sample_chance draws {odd[:3]}, which chance_outcomes does not list.")
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
        far = ((chi / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
        require(far < 4.5, f"rules.py: sample_chance does not draw as the weights say (chi-square {chi:.0f}).")


def check_over(match: Match) -> None:
    """Check that the game takes no more moves and that it has a winner."""
    require(match.over, "rules.py: the game is not over after as many steps as bound returns.")
    require(match.winners, "rules.py: returns gives no seat a share at the end.")
    refused(MatchOver, match.parse, 0, sentence="The game accepts a move after its end.")


def observe(game: Game, state: Any, viewer: int) -> list[int]:
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


def redealt(game: Game, state: Any, viewer: int, rng: list[int]) -> Any:
    """Return a copy of the state in which everything that the viewer cannot know is dealt again."""
    other = copy(state)
    game.rules.resample(other, viewer, rng)
    return other


def secret(game: Game, state: Any, viewer: int) -> bool:
    """Return whether another player has a decision that this viewer must not notice."""
    player = game.rules.current_player(state)
    out = [0] * game.rules.MAX_LEGAL
    legal = out[: game.rules.legal_actions(state, out)]
    return player != viewer and any(game.rules.observed_action(state, action, viewer) == UNSEEN for action in legal)


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
    told = game.scenes.tell(step, viewer, names)
    twin = game.scenes.tell(_twin(game, step, viewer, rng), viewer, names)
    leaks = "scene.py: tell: the log leaks to {viewer} what they cannot know, after {words}: {difference}."
    _alike(told, twin, "the log", leaks, game, step, viewer)


def _alike(one: Any, other: Any, of: str, sentence: str, game: Game, step: Step, viewer: int) -> None:
    """Check that every byte is the same. Otherwise the sentence names the viewer, the step and the
    piece."""
    if msgspec.json.encode(one) != msgspec.json.encode(other):
        raise Fault(
            sentence.format(viewer=who(viewer), words=step_words(game, step), difference=difference(one, other, of))
        )


def _twin(game: Game, step: Step, viewer: int, rng: list[int]) -> Step:
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


def check_told(game: Game, step: Step, viewer: int, names: tuple[str, ...], known: set[str]) -> None:
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


def check_facts(game: Game) -> None:
    """Check the declared facts that need no play."""
    for name, declared, found, what in (
        ("solver", game.facts.solver, game.solver is not None, "solver.py"),
        ("secret_asking", game.facts.secret_asking, game.asking is not None, "may_ask() in rules.py"),
    ):
        said = "there is" if found else "there is no"
        require(declared == found, f"__init__.py: {name} is {declared}, but {said} {what}.")


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


def _looks(game: Game, before: Any, action: int, viewer: int) -> tuple[list[int], int] | None:
    """Return what `viewer` observes after `action` in `before`, None if it is not legal there."""
    out = [0] * game.rules.MAX_LEGAL
    if action not in out[: game.rules.legal_actions(before, out)]:
        return None
    after = copy(before)
    game.rules.apply(after, action)
    return observe(game, after, viewer), game.rules.current_player(after)


def pieces(piece: Piece) -> Iterator[Piece]:
    """Yield a piece and all pieces on it."""
    yield piece
    for child in piece.children:
        yield from pieces(child)


def counts(piece: Piece) -> dict[str, int]:
    """Return the numbers for where a piece is and how many pieces are beside each other on it."""
    found = {} if piece.at is None else {"row": piece.at[0], "column": piece.at[1]}
    if piece.layout == "grid" and piece.limit:
        found["columns"] = piece.limit
    if piece.layout in ("rows", "columns"):
        found["cells"] = max(1, *(len(child.children) for child in piece.children), 1)
    return found | ({"lanes": len(piece.children) or 1} if piece.kind == "track" else {})


def check_scene(match: Match, viewer: int, known: set[str]) -> None:
    """Check a scene: keys are unique; the scene offers all legal moves to the deciding player and no
    moves to others; its clauses are `known`; the prompt names the deciding player; what cannot be
    pressed says why; rows and columns are among those that a page has."""
    scene: Scene = match.scene(viewer)
    here = f"scene.py: scene: for {who(viewer)}"
    found = [*pieces(scene.board), *(piece for seat in scene.seats for piece in pieces(seat))]
    twice = [key for key, n in Counter(piece.key for piece in found).items() if n > 1]
    require(not twice, f"{here} two pieces have the same key: {twice[:3]}.")
    require(scene.game == match.game.name, f"{here} game is {scene.game!r}, but the game is {match.game.name!r}.")
    require(scene.prompt, f"{here} there is no prompt.")
    require(scene.viewer == viewer, f"{here} viewer is {scene.viewer}.")
    if scene.to_move is not None and scene.to_move != viewer:
        named = match.names[scene.to_move] in scene.prompt
        require(named, f"{here} the prompt does not say who decides: {scene.prompt!r}.")
    for piece in found:
        lists = [name for name in ("marks", "path", "children") if not isinstance(getattr(piece, name), tuple)]
        require(not lists, f"{here} {' and '.join(lists)} of {piece.key!r} must be tuples, which cannot change later.")
        pressed = bool(piece.action or piece.part or piece.why)
        require(not pressed or piece.kind not in STILL, f"{here} a {piece.kind} cannot be pressed: {piece.key!r}.")
        buried = [one.key for one in pieces(piece) if one is not piece and (one.action or one.part)]
        if pressed:
            require(not buried, f"{here} {piece.key!r} can be pressed, so pieces on it must not: {buried[:3]}.")
        for what, number in counts(piece).items():
            require(1 <= number <= MOST, f"{here} {piece.key!r} has {what} {number}; there can be 1 to {MOST}.")
    mute = [button.key for button in scene.buttons if not button.action and not button.why]
    require(not mute, f"{here} buttons have neither an action nor a reason: {mute[:3]}.")
    require(scene.over == match.over, f"{here} over is {scene.over}, but the rules say {match.over}.")
    require(
        set(scene.winners) == set(match.winners),
        f"{here} the winners are {tuple(scene.winners)}, but by returns they are {match.winners}.",
    )
    offered = {piece.action for piece in found} | {button.action for button in scene.buttons}
    if scene.pick:
        offered |= set(scene.pick.moves.values())
    offered -= {""}
    player = match.current_player
    if player >= 0 and not secret(match.game, match.state, viewer):
        require(scene.to_move == player, f"{here} to_move is {scene.to_move}, but seat {player} decides.")
    if viewer == player:
        legal = set(match.legal_actions())
        wrong, lacking = sorted(offered - legal), sorted(legal - offered)
        require(not wrong, f"{here} it offers moves that are not legal: {wrong[:3]}.")
        require(not lacking, f"{here} it does not offer the legal moves {lacking[:3]}.")
    else:
        require(not offered, f"{here} it offers moves to a viewer who does not decide: {sorted(offered)[:3]}.")
    cited = {scene.clause} | {item.clause for item in found} | {why.clause for why in _whys(scene, found)}
    unknown = sorted(cited - {""} - known)
    require(not unknown, f"{here} it cites clauses that the rulebook does not have: {unknown[:3]}.")


def _whys(scene: Scene, found: list[Piece]) -> Iterator[Any]:
    items: list[Piece | Button] = [*found, *scene.buttons]
    for item in items:
        if item.why:
            yield item.why
    if scene.pick:
        yield from scene.pick.whys.values()
