"""The leak test: everything sent to a viewer is the same, byte for byte, when only hidden information differs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.core.scene import SPECTATOR
from parlour.games import all_games
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.audience import Kept
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.table import Table
from parlour.house.table.web.updates import Page, message
from tests.fixtures.kuhn import scene as kuhn_scene
from tests.found import added
from tests.house.people import ME, OPEN, Person, time_is_over
from tests.leak import kept, restore, swap, twin

FIXTURES = {"kuhn": Game("kuhn", "tests.fixtures.kuhn")}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with which no bot moves while we look."""
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", patience=600, limits=False)


@pytest.fixture(autouse=True)
def _hidden_cards() -> Iterator[None]:
    """Add the test games with hidden cards."""
    with added(*FIXTURES.values()):
        yield


async def _sent(house: House, live: Table, person: Person) -> dict[str, bytes]:
    """Return every kind of message that this person can get about the table."""
    guest = await house.guests.guest((await person.get("/api/me")).json()["id"])
    sent_by = {}
    for path in (
        "/", "/me", "/me?result=running", f"/t/{live.id}", f"/t/{live.id}/record", f"/t/{live.id}/replay",
        f"/t/{live.id}/replay?step=1", f"/api/tables/{live.id}",
        f"/api/tables/{live.id}/replay?step=1", f"/api/tables/{live.id}/analysis",
    ):  # fmt: skip
        answer = await person.get(path)
        sent_by[path] = f"{answer.status_code} {answer.headers.get('content-type')}".encode() + answer.content
    for since in {-1, 0, 3, live.version - 2, live.version}:
        eyes, kept = eyes_of(live, guest.id), Kept()
        sent_by[f"stream since {since}"] = message(live, eyes, "http://house.test", Page(since), kept) or b""
        page = Page(since, changes=True, packed=True)
        for version in (since, live.known.version(eyes.viewer)):  # the changes since an earlier position
            page.version, page.updated = version, False
            sent = message(live, eyes, "http://house.test", page, kept) or b""
            sent_by[f"changes since {since} at {version}"] = sent + f"{page.scene} {page.section}".encode()
    for move in ("castle", "pass", "re-roll 1 2"):
        if eyes_of(live, guest.id).seat not in deciding(live):
            body = {"move": move, "version": live.version}
            sent_by[f"refusal of {move}"] = (await person.post(f"/api/tables/{live.id}/moves", json=body)).content
            body = {"version": live.known.version(eyes_of(live, guest.id).viewer)}
            sent_by["refusal of a hint"] = (await person.post(f"/api/tables/{live.id}/hint", json=body)).content
    return sent_by


async def _differing(house: House, live: Table, person: Person, choice: random.Random, deals: int) -> list[str]:
    """Return the messages to this person that change when what they cannot know is dealt again `deals` times. What
    changes meanwhile without a new deal, such as a minute on a page, is compared once more."""
    guest, found, true = (await person.get("/api/me")).json()["id"], ["?"], dict[str, bytes]()
    while found and true != (true := await _sent(house, live, person)):
        found = []
        for _ in range(deals):
            before = kept(live)
            assert live.match is not None
            swap(live, *twin(live.match, eyes_of(live, guest).viewer, choice))
            other = await _sent(house, live, person)
            restore(live, before)
            assert true.keys() == other.keys()
            found += [f"{live.version}: {kind}" for kind in true if true[kind] != other[kind]]
    return found


async def _leaks(
    house: House, table: str, people: list[Person], moves: int, choice: random.Random, deals: int
) -> list[str]:
    """Play this number of moves; return the messages, at each position and for each person, that reveal something.

    At each position the hidden information is dealt again `deals` times.
    """
    live = await house.table(table)
    found = []
    for _ in range(moves):
        assert live.match is not None
        for person in people:
            found += await _differing(house, live, person, choice, deals)
        await time_is_over(live)
        if live.over:
            break
        mover = people[live.match.current_player]
        seen = await mover.see(table)
        await mover.do(f"tables/{table}/moves", move=choice.choice(seen["legal"]), version=seen["table"]["version"])
        if live.over:
            break
    return found


async def _three_at(game: str, ann: Person, bob: Person, eve: Person) -> tuple[str, list[Person]]:
    table = str((await ann.do("tables", game=game, seats=[ME, OPEN], hints=True))["id"])
    await ann.do(f"tables/{table}/sit", words="knock knock")
    await bob.do(f"tables/{table}/sit", words="who is there")
    await ann.do(f"tables/{table}/start")
    await ann.do(f"tables/{table}/chat", text="good luck")
    return table, [ann, bob, eve]


@pytest.mark.parametrize("game", [*all_games(), "kuhn"])
@pytest.mark.suite("family-trade", "gatsby")
async def test_nothing_that_leaves_depends_on_what_its_reader_cannot_know(
    game: str,
    ann: Person,
    bob: Person,
    arrive: Callable[[], Person],
    house: House,
    size: Callable[[int, int], int],
) -> None:
    choice = random.Random(5)
    for _ in range(size(1, 2)):
        table, people = await _three_at(game, ann, bob, arrive())
        assert await _leaks(house, table, people, 4, choice, deals=size(1, 2)) == []


async def test_a_scene_that_shows_a_hidden_card_is_caught(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careless(state: Any, _: int, names: tuple[str, ...]) -> Any:
        return honest(state, state.dealt - 1, names)  # everyone sees what the last seat sees

    honest = kuhn_scene.scene
    game = Game("kuhn", "tests.fixtures.kuhn")
    monkeypatch.setattr(game.scenes, "scene", careless)
    table, people = await _three_at("kuhn", ann, bob, arrive())
    found = await _leaks(house, table, people, 1, random.Random(5), deals=4)
    assert any("/api/tables" in message for message in found)
    assert any("stream" in message for message in found)


async def test_the_record_of_a_game_with_secrets_is_kept_until_the_end(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    table, _ = await _three_at("kuhn", ann, bob, arrive())
    for person in (ann, bob, arrive()):
        assert (await person.get(f"/t/{table}/record")).json()["error"]["code"] == "not-over"
    live = await house.table(table)
    for person in (ann, bob):
        await person.do(f"tables/{table}/moves", move="bet", version=live.version)
    record = await arrive().record(table)
    assert record.seed == live.row.seed
    assert [actor for actor, _ in record.steps] == [CHANCE, CHANCE, 0, 1]


@pytest.mark.parametrize("game", all_games())
async def test_before_the_end_there_is_a_record_only_where_nothing_is_hidden_even_from_a_spectator(
    game: str, ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    """Aces & Faces for two hides a card from spectators only (AF-14)."""
    table, people = await _three_at(game, ann, bob, arrive())
    hidden = (await house.table(table)).hidden_information
    assert hidden == (game in ("aces-and-faces", "family-trade", "gatsby"))
    for person in people:
        answer = await person.get(f"/t/{table}/record")
        assert answer.status_code == (409 if hidden else 200)


async def test_spectators_are_shown_what_spectators_may_know(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    table, (_, _, eve) = await _three_at("kuhn", ann, bob, arrive())
    assert (await eve.see(table))["scene"]["viewer"] == SPECTATOR
    assert (await bob.see(table))["scene"]["viewer"] == 1
    await bob.do(f"tables/{table}/leave")
    assert (await bob.see(table))["scene"]["viewer"] == SPECTATOR
