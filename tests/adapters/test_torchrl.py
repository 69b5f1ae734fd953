"""TorchRL plays `parlour.pettingzoo` by its own wrapper, with masks; it needs PyTorch, which no extra installs."""

from __future__ import annotations

import pytest

from parlour import pettingzoo


@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version")  # an older one than ours
@pytest.mark.parametrize("name", ["fortune", "gatsby"])
def test_torchrl_rolls_out_legal_games(name: str) -> None:
    reason = "TorchRL is not installed: pip install torchrl (with PyTorch, some gigabytes)"
    wrappers = pytest.importorskip("torchrl.envs.libs.pettingzoo", reason=reason)
    checks = pytest.importorskip("torchrl.envs.utils", reason=reason)
    env = wrappers.PettingZooWrapper(env=pettingzoo.env(name, illegal="raise"), use_mask=True, seed=1)
    checks.check_env_specs(env)
    played = env.rollout(200)  # an illegal action would raise
    assert len(played) > 1
