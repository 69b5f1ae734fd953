"""The house with a game from outside: played like the others; if broken or missing, it does no harm elsewhere."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import httpx
import pytest

from parlour.core.match import Match
from parlour.games import find, outside
from parlour.house import serve
from parlour.house.app import create_app, open_house
from parlour.house.house import House
from parlour.house.settings import Settings
from tests.docs.pig import write_pig
from tests.house.people import BOT, ME, OPEN, Person
from tests.house.shelf import Shelf

pytestmark = pytest.mark.usefixtures("own_workers")  # which know the folder with the game


@pytest.fixture
def pig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of Pig, which the house finds."""
    monkeypatch.setenv(outside.VARIABLE, str(tmp_path / "games"))
    return write_pig(tmp_path / "games")


@pytest.mark.usefixtures("pig")
async def test_a_game_from_outside_stands_in_the_lobby_and_is_played_against_a_bot(ann: Person) -> None:
    assert "<h3>Pig</h3>" in (await ann.get("/")).text
    assert "A 1 ends your turn" in (await ann.get("/rules/pig")).text
    table = (await ann.do("tables", game="pig", seats=[ME, BOT | {"bot": "random"}]))["id"]
    seen = await ann.see(table)
    assert seen["legal"] == ["roll"]
    await ann.do(f"tables/{table}/moves", move="roll", version=seen["table"]["version"])
    assert (await ann.get(f"/t/{table}")).status_code == 200


async def test_a_half_written_game_is_a_card_that_cannot_be_played(pig: Path, ann: Person) -> None:
    (pig / "scene.py").unlink()
    lobby = await ann.get("/")
    assert lobby.status_code == 200
    assert "<h3>Fortune</h3>" in lobby.text
    assert "<h3>pig</h3>" in lobby.text
    assert "This game doesn’t load." in lobby.text
    assert str(pig) not in lobby.text
    assert "scene.py" not in lobby.text
    refusal = await ann.refused("tables", 503, "broken-game", game="pig")
    page = await ann.get("/rules/pig", headers={"Accept": "text/html"})
    assert page.status_code == 503
    for words in (refusal["message"], page.text):
        assert "does not load" in words
        assert str(pig) not in words
        assert "scene.py" not in words
    await ann.make(ME, OPEN)


@pytest.mark.usefixtures("pig")
@pytest.mark.parametrize("how", ["gone", "broken"])
async def test_tables_of_a_game_that_is_gone_or_broken_break_no_list(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: str
) -> None:
    async with Shelf(settings.database) as shelf:
        shelved = await shelf.put("sty", Match(find("pig"), 2, seed=1))
        cookie = shelved.cookies[0]
    other = write_pig(tmp_path / "spoilt")
    (other / "rules.py").write_text("oink(\n", "utf-8")
    monkeypatch.setenv(outside.VARIABLE, str(other) if how == "broken" else "")
    app = create_app(settings)
    house = await open_house(app)
    try:
        for cookies in (cookie, {}):
            async with Person(
                transport=httpx.ASGITransport(app=app), base_url="http://house.test", cookies=cookies
            ) as ann:
                lobby = await ann.get("/")
                assert lobby.status_code == 200
                assert "/t/sty" not in lobby.text
                answer = await ann.get("/t/sty")
                assert answer.status_code == (503 if how == "broken" else 404)
    finally:
        await house.close()


async def test_the_log_says_what_is_wrong(
    pig: Path, settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pig / "rulebook.md").unlink()

    async def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(House, "open", stop)
    with caplog.at_level(logging.WARNING), socket.socket() as listening, pytest.raises(KeyboardInterrupt):
        await serve.serve(settings, listening)
    assert f"The game pig from {pig} can't be played: rulebook.md is missing." in caplog.text
