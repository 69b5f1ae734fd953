"""RLCard: random games through its environments."""

from serving import serve

NEAR = {"gin-rummy": "family-trade", "leduc-holdem": "gatsby"}


def make():
    for name, near in NEAR.items():
        yield "python", name, near, "steps/s", games(name)


def games(name):
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def piece():
        trajectories, _ = env.run(is_training=False)
        return sum(len(seen) // 2 for seen in trajectories)  # state, action, state, ..., state for each seat

    return piece


serve("rlcard", "rlcard", make)
