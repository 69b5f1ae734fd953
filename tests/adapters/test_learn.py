"""The worked example of docs/learn.md: its net and its first minute, where PyTorch and sb3-contrib are installed."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "learn.py"
RENAMED = (2, 0, 3, 1)  # by market: which other one is called like it


def test_the_example_has_at_most_150_lines() -> None:
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 150


def card(kind: int) -> int:
    """Return the kind of card after the markets are renamed: 3c + n - 1 the numbered ones, 15 + c the free gems."""
    if 0 <= kind < 12:
        return 3 * RENAMED[kind // 3] + kind % 3
    return 15 + RENAMED[kind - 15] if 15 <= kind < 19 else kind


def decision(action: int) -> int:
    """Return the action after the markets are renamed, by the numbers in the rules' state.py, written out again."""
    if 10 <= action < 32:  # cards
        return 10 + card(action - 10)
    for first, end, each in ((6, 10, 1), (32, 36, 1), (36, 48, 3), (48, 60, 3)):  # STOPs, markets, purchases, sales
        if first <= action < end:
            return first + each * RENAMED[(action - first) // each] + (action - first) % each
    return action


def renamed(spec: Any, numbers: Any) -> Any:
    """Return the same observations (rows, numbers) with the markets renamed."""
    out, at = numbers.copy(), {field.name: field.at for field in spec}
    names = ("ruby", "sapphire", "diamond", "emerald")
    for old, new in enumerate(RENAMED):
        here, there = at[f"{names[old]}: gems on the board"], at[f"{names[new]}: gems on the board"]
        out[:, there : there + 5] = numbers[:, here : here + 5]
        for seat in ("own", "next"):
            gems = at[f"{seat} seat: gems by colour"]
            out[:, gems + new] = numbers[:, gems + old]
    first = at["market named first"]
    out[:, first] = [RENAMED[int(market)] if market >= 0 else market for market in numbers[:, first]]
    hands = [at[f"{seat} seat: hand"] + i for seat in ("own", "next") for i in range(6)]
    for place in [at["card played"], *hands]:
        out[:, place] = [card(int(kind)) for kind in numbers[:, place]]
    pile = at["cards of each kind in the deck, and discarded"]
    for kind in range(22):
        out[:, pile + 2 * card(kind) : pile + 2 * card(kind) + 2] = numbers[:, pile + 2 * kind : pile + 2 * kind + 2]
    return out


def test_the_net_does_not_care_what_markets_are_called() -> None:
    """Rename the markets in what is seen: each decision's logit goes to the renamed decision, and none is lost."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    example = runpy.run_path(str(EXAMPLE))
    env = example["Against"](64, seed=1)
    net = example["Net"](env.observation_space)
    seen, before, after = [], [], []
    for step in range(160):
        if step % 8 == 0:
            before.append(env.reset())
            seen.append(env.numbers.copy())
            env.numbers[:] = renamed(env.batch.game.observation_spec(), env.numbers)
            after.append(env.reset())
        env.step_async(env.batch.random_actions())
    assert len({int(phase) for phase in np.concatenate(seen)[:, 1]}) > 6  # sales, exchanges, heists, discards ...
    with torch.no_grad():
        old, new = (net(torch.from_numpy(np.concatenate(rows))) for rows in (before, after))
    places = [decision(action) for action in range(old.shape[1])]
    assert sorted(places) == list(range(129))
    torch.testing.assert_close(old, new[:, places], rtol=1e-4, atol=1e-5)
    assert (old - new).abs().max() > 0.01  # they are other positions


@pytest.mark.whole
def test_the_first_minute_of_learning_wins_games_that_were_lost_before() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    command = [sys.executable, str(EXAMPLE), "--minutes", "1"]
    done = subprocess.run(command, cwd=ROOT, env=None, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr
    first, *_, last = [float(share) for share in re.findall(r"wins ([\d.]+)%", done.stdout)]
    assert first < 8  # before it has learned anything
    assert last > 25
