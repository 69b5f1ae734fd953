"""The checks of one position: whose turn it is, the decisions and outcomes that the rules give, and their texts.

They are plain functions, so that tests can try them on games that are wrong on purpose. Each raises `Fault` with a
sentence. `parlour.conformance.parts` calls them.
"""

from __future__ import annotations

from collections import Counter
from math import isclose

from parlour.conformance.faults import refused, require
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.errors import IllegalMove, MatchOver, MoveError, NotYourTurn
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy, flatten, unflatten

GARBAGE = -12345  # what a buffer holds before the rules write into it


def check_position(match: Match) -> None:
    """Check what must hold in every position: whose turn it is, the actions, the outcomes of
    chance, copying and packing the state."""
    rules, state = match.game.rules, match.state
    before = flatten(state)
    player = match.current_player
    require(player in _deciders(match), f"rules.py: current_player returns {player}, which is not a seat.")
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


def check_facts(game: Game) -> None:
    """Check the declared facts that need no play."""
    for name, declared, found, what in (
        ("solver", game.facts.solver, game.solver is not None, "solver.py"),
        ("secret_asking", game.facts.secret_asking, game.asking is not None, "may_ask() in rules.py"),
    ):
        said = "there is" if found else "there is no"
        require(declared == found, f"__init__.py: {name} is {declared}, but {said} {what}.")
