"""OpenSpiel: random play in its C++ and through its Python API, with observations and masks, and its C++ searches.

Its C++ rollouts have no entry of their own in Python: a search of one simulation whose evaluator makes N rollouts is N
rollouts from the root. How many decisions a rollout has is estimated from games through the Python API.
"""

import random
import time

from serving import LANES, serve

NEAR = {"pig": "fortune", "yacht": "fortune", "maedn": "aces-and-faces", "backgammon": "facets-of-fortune",
        "gin_rummy": "family-trade"}  # fmt: skip
SEEN = ("pig", "backgammon", "gin_rummy")  # also with observations and masks
SIMULATIONS = {"pig": 2000, "maedn": 500, "backgammon": 50, "gin_rummy": 200}


def make():
    import pyspiel

    random.seed(1)
    for name, near in NEAR.items():
        game = pyspiel.load_game(name)
        yield "play", f"{name}, C++", near, "steps/s", rollouts(pyspiel, game)
        if name != "yacht":
            yield "python", f"{name}, Python", near, "steps/s", games(game)
            yield "search", name, near, "simulations/s", search(pyspiel, game, SIMULATIONS[name])
        if name in SEEN:
            for lanes in LANES:
                yield f"seen-{lanes}", name, near, "steps/s", seen(game, lanes)


def chance(state):
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, weights)[0])


def play(state):
    """Play a random game from here; return how many decisions it had."""
    steps = 0
    chance(state)
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        steps += 1
        chance(state)
    return steps


def opening(game):
    """Return the first decision of a random game that has a choice."""
    state = game.new_initial_state()
    chance(state)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
        chance(state)
    return state


def games(game):
    return lambda: play(game.new_initial_state())


def seen(game, lanes):
    """Return work that makes random decisions in many states, and writes what the seat to decide sees and may do."""
    import numpy

    states = [opening(game) for _ in range(lanes)]
    rows = numpy.zeros((lanes, game.observation_tensor_size()), numpy.float32)
    mask = numpy.zeros((lanes, game.num_distinct_actions()), numpy.int8)

    def piece():
        for lane, state in enumerate(states):
            state.apply_action(random.choice(state.legal_actions()))
            chance(state)
            if state.is_terminal():
                state = states[lane] = opening(game)
            rows[lane] = state.observation_tensor()
            mask[lane] = state.legal_actions_mask()
        return lanes

    return piece


def rollouts(pyspiel, game):
    state, lengths, began = opening(game), [], time.process_time()
    while time.process_time() - began < 3 or len(lengths) < 20:
        lengths.append(play(state.clone()))
    mean = sum(lengths) / len(lengths)
    number = max(1, round(20_000 / mean))
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(number, 1), 2.0, 1, 100, False, 1, False)

    def piece():
        bot.mcts_search(state)
        return number * mean

    return piece


def search(pyspiel, game, simulations):
    """Return work that searches positions of a random game: MCTS, or information-set MCTS if it hides anything."""
    states, state = [], opening(game)
    while not state.is_terminal():
        if len(state.legal_actions()) > 1:
            states.append(state.clone())
        state.apply_action(random.choice(state.legal_actions()))
        chance(state)
    states = states[:: max(1, len(states) // 16)]
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
    else:
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(1, evaluator, 2.0, simulations, -1, final, False, False)

    def piece():
        bot.step(random.choice(states))
        return simulations

    return piece


serve("open_spiel", "pyspiel", make)
