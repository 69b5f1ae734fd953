"""Bots that the keeper of a house offers: how they are named, and what is found out about them before it opens."""

from __future__ import annotations

import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from parlour.bots import offered
from parlour.bots.offered import Offered, choose, examined
from parlour.bots.own import BotFault
from parlour.bots.view import View
from parlour.core.errors import BadSetup
from parlour.games import find
from tests.bots.test_own_bots import middle

BOTS = """
import parlour

class Fortunes(parlour.Bot):
    games = ("fortune",)
    heard = []

    def new_game(self):
        self.heard.append("new")

    def choose(self, view):
        self.heard.append(view.seat)
        if len(self.heard) > 6:
            raise ValueError("enough")
        return view.legal_actions()[0]

class Elsewhere(Fortunes):
    games = ("chess",)
"""
PROGRAM = 'input()\nprint(\'{"type": "hello", "games": ["gatsby"]}\', flush=True)\ninput()\n'


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module in the working directory."""
    (tmp_path / "offered_here.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return "offered_here"


def test_each_is_asked_before_the_house_opens_which_games_it_plays(
    bots: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM)
    command = "program:" + shlex.join((sys.executable, "-I", "-S", str(tmp_path / "bot.py")))
    found = examined([f"lucky={bots}:Fortunes", f" quick = {command}"])
    assert found == (Offered("lucky", f"{bots}:Fortunes", ("fortune",)), Offered("quick", command, ("gatsby",)))
    assert bots not in sys.modules, "its code runs in other processes only"
    assert [offered.named(find(name), found) for name in ("fortune", "gatsby")] == [("lucky",), ("quick",)]
    assert offered.offer(find("gatsby"), "lucky", found) is None
    here = SimpleNamespace(start=lambda count, **_: ThreadPoolExecutor(count), end=ThreadPoolExecutor.shutdown)
    monkeypatch.setattr(offered, "processes", here)  # a process for each would take long
    for wrong, said in (("Missing", "does not exist"), ("Elsewhere", "there is no such game")):
        with pytest.raises(BadSetup, match=rf"'lucky'.*{said}"):
            examined([f"lucky={bots}:{wrong}"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["careful"], "is written NAME=module:Class or NAME=program:COMMAND, not 'careful'"),
        (["careful=greedy"], "is written"),
        (["Careful=a:B"], "characters of a-z"),
        (["medium=a:B"], "has already"),
        (["one=a:B", "one=c:D"], "Two bots"),
    ],
)
def test_a_wrong_name_is_refused(given: list[str], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        examined(given)
    assert examined([]) == ()


def test_it_hears_of_a_new_game_at_another_table_or_seat(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(".")
    match = middle("fortune", 3)
    view = View.of(match, match.current_player)
    for place in ("a/0", "a/0", "b/0"):
        assert choose(view, f"{bots}:Fortunes", place) == match.legal_action_ids()[0]
    heard = sys.modules[bots].Fortunes.heard
    assert heard == ["new", view.seat, view.seat, "new", view.seat]
    with pytest.raises(BotFault, match=r"Fortunes failed \(choose\): ValueError: enough\."):
        [choose(view, f"{bots}:Fortunes", "b/0") for _ in range(2)]
    assert not offered._bots, "after a fault it begins anew"
    with pytest.raises(BotFault, match=r"can't play: The bot .* does not play fortune"):
        choose(view, f"{bots}:Elsewhere", "a/0")
