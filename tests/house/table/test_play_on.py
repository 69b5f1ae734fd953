"""Playing on from a step of a finished game: a new table, a person in one seat, bots in the others."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from litestar import Litestar

from parlour.analysis.shapes import shapes
from parlour.conformance.cases import random_steps
from parlour.core.contract import CHANCE
from parlour.core.errors import UnfairRecord
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.replay import verify
from parlour.core.scene import SPECTATOR
from parlour.games import find
from parlour.house.app import create_app, open_house
from parlour.house.database import copying
from parlour.house.house import House
from parlour.house.http.rates import GIVEN, TABLES, Rates
from parlour.house.settings import Settings
from parlour.house.table.live.deciding import deciding
from parlour.house.table.play import onward
from tests.found import added
from tests.house.forging import royale
from tests.house.people import ME, OPEN, Person, two_at_table
from tests.house.played import played
from tests.house.shelf import Shelf, Shelved
from tests.house.table.test_leak import _sent
from tests.house.table.test_undo import play
from tests.leak import kept, restore, swap, twin

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.service)]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", tables=3, limits=False)


@pytest.fixture(autouse=True)
def _satchel() -> Iterator[None]:
    with added(Game("satchel", "tests.fixtures.satchel")):
        yield


def quick(name: str) -> Match:
    """Return a complete game of few steps."""
    return played(shapes(find(name), players=find(name).facts.players[0])[0], all_random=True)


async def shelved(house: House, match: Match, name: str = "a" * 16) -> Shelved:
    shelf = object.__new__(Shelf)
    shelf.store, shelf.guests = house.store, house.guests
    return await shelf.put(name, match)


async def went_on(person: Person, table: str, moves: int = 100_000) -> None:
    """Make random moves as this person until the game is over."""
    choice, deadline = random.Random(2), asyncio.get_running_loop().time() + 200
    while (seen := await person.see(table))["table"]["status"] == "playing" and moves:
        if seen["legal"]:
            body = {"move": choice.choice(seen["legal"]), "version": seen["table"]["version"]}
            await person.do(f"tables/{table}/moves", **body)
            moves -= 1
        else:
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("name", ["aces-and-faces", "facets-of-fortune", "gatsby"])
@pytest.mark.suite("gatsby")
async def test_it_is_played_to_its_end_and_the_record_says_what_was_given(name: str, ann: Person, house: House) -> None:
    match = quick(name)
    origin = await shelved(house, match)
    step = len(match.steps) * 2 // 3
    made = await ann.do(f"tables/{origin.id}/play-on", step=step, bot="random")
    seen = (await ann.see(made["id"]))["table"]
    assert made["url"].endswith(f"/t/{made['id']}")
    assert (seen["given"], seen["origin"]) == (step, f"{origin.id}/replay?step={step}")
    assert [seat["kind"] for seat in seen["seats"] if not seat["mine"]] == ["bot"] * (len(match.names) - 1)
    assert {seat["bot"] for seat in seen["seats"]} == {"", "random"}
    assert seen["verdict"]["words"] == [""] * len(match.names)
    page = (await ann.get(f"/t/{made['id']}")).text
    line = f'<a href="/t/{origin.id}/replay?step={step}">an earlier one</a>: its first {step} steps were played there.'
    assert page.index(line) < page.index('<ol class="log"')
    assert "Before the next one the server published the fingerprint" in page
    await went_on(ann, made["id"])
    record = await ann.record(made["id"])
    assert (record.given, record.steps[:step]) == (step, match.record().steps[:step])
    assert record.commitment == seen["verdict"]["commitment"] != match.commitment
    assert verify(record, find).over
    with pytest.raises(UnfairRecord):
        verify(replace(record, given=0), find)
    again = (await ann.see((await ann.do(f"tables/{made['id']}/rematch"))["id"]))["table"]
    assert (again["given"], again["origin"]) == (0, "")
    assert "an earlier one" not in (await ann.get(f"/t/{again['id']}")).text


async def test_the_seat_is_ones_own_or_that_which_decides_next_unless_said(
    ann: Person, house: House, arrive: Callable[[], Person]
) -> None:
    match = quick("aces-and-faces")
    table = await shelved(house, match)
    players = [arrive() for _ in match.names]
    for person, cookie in zip(players, table.cookies, strict=True):
        person.cookies.update(cookie)

    async def mine(person: Person, **body: object) -> int:
        made = await person.do(f"tables/{table.id}/play-on", bot="random", **body)
        seats = (await person.see(made["id"]))["table"]["seats"]
        return [seat["mine"] for seat in seats].index(True)

    for step in (3, 20, 21, 22, 23):
        assert await mine(ann, step=step) == next(actor for actor, *_ in match.steps[step:] if actor >= 0)
    for seat, person in enumerate(players):
        assert await mine(person, step=20) == seat
        assert await mine(person, step=20, seat=1 - seat) == 1 - seat
    path = f"tables/{table.id}/play-on"
    refusal = await ann.refused(path, 400, "bad-input", step=3, seat=len(match.names))
    assert refusal["message"] == f"There is no seat {len(match.names)}. Seats are numbered 0 to {len(match.names) - 1}."
    assert "random" in (await ann.refused(path, 400, "unknown-name", step=3, bot="nobody"))["allowed"]


async def test_where_nothing_goes_on(ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    playing = await two_at_table(ann, bob)
    await ann.refused(f"tables/{playing}/play-on", 409, "not-over", step=0)
    waiting = await ann.make(ME, OPEN)
    await ann.refused(f"tables/{waiting}/play-on", 409, "not-over", step=0)
    match = quick("gatsby")
    table, last = (await shelved(house, match)).id, len(match.steps)
    for step in (last, last + 1, 2**31):
        refusal = await ann.refused(f"tables/{table}/play-on", 400, "bad-input", step=step)
        assert refusal["message"] == f"You can play on only from a step before the end: 0 to {last - 1}."
    monkeypatch.setattr(onward, "MOST_GIVEN", last - 2)
    refusal = await ann.refused(f"tables/{table}/play-on", 400, "bad-input", step=last - 1)
    assert f"at most {last - 2} steps" in refusal["message"]
    await ann.do(f"tables/{table}/play-on", step=last - 2, bot="random")
    monkeypatch.setattr(match.game.rules, "VERSION", match.game.rules.VERSION + 1)
    house.tables.clear()
    await ann.refused(f"tables/{table}/play-on", 409, "other-rules", step=1)


async def test_from_its_first_step_nothing_is_given(ann: Person, house: House) -> None:
    """From the start it is a new game with the same setup."""
    match = quick("gatsby")
    table = await shelved(house, match)
    made = (await ann.do(f"tables/{table.id}/play-on", step=0, bot="random"))["id"]
    record = (await house.store.load(made)).table
    assert (record.given, record.origin) == (0, f"{table.id}/replay?step=0")
    assert "This game continues <a" in (await ann.get(f"/t/{made}")).text
    await went_on(ann, made)
    assert "given" not in (await ann.get(f"/t/{made}/record")).text


async def test_what_was_given_is_not_taken_back_and_a_step_that_was_taken_back_can_be_gone_on_from(
    ann: Person, bob: Person, house: House
) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    for person in (ann, bob, ann, bob):
        await play(table, person, "coin 1", "undo", "coin 2", "close")
    live = await house.table(table)
    coin = next(place for place in range(live.version) if live.history.actor(place) == 0) + 1
    for step, moves in ((coin, ["coin 1"]), (coin + 1, []), (coin + 2, ["coin 2"])):
        made = (await ann.do(f"tables/{table}/play-on", step=step, bot="random"))["id"]
        seen = await ann.see(made)
        given = (await house.table(made)).record(reveal=True)
        assert [text for actor, text in given.steps if actor >= 0] == moves
        assert seen["table"]["given"] == given.given == len(given.steps) == seen["table"]["version"]
        assert not seen["scene"]["undo"]
        await ann.refused(f"tables/{made}/undo", 409, "cannot-undo", version=given.given)
        await play(made, ann, "coin 3")
        assert (await ann.see(made))["scene"]["undo"]
        await play(made, ann, "undo")
        assert not (await ann.see(made))["scene"]["undo"]
        assert (await house.table(made)).record(reveal=True) == given
        await ann.refused(f"tables/{made}/undo", 409, "cannot-undo", version=given.given + 2)
        await play(made, ann, "coin 1", "close")
        assert verify((await house.table(made)).record(reveal=True), find).version > given.given + 2


async def test_chance_that_ends_the_game_may_come_at_once(ann: Person, house: House) -> None:
    """Then the game at the table is already over."""
    found = []
    for seed in range(200):
        match = Match(find("fortune"), 2, options={"round_limit": "100", "target": "5000"}, seed=seed, auto=False)
        for _ in random_steps(match, seed, 100_000):
            pass
        if match.steps[-1][0] == CHANCE:
            found.append(match)
            break
    table = await shelved(house, found[0])
    rows = []
    for _ in range(25):
        made = (await ann.do(f"tables/{table.id}/play-on", step=len(found[0].steps) - 1))["id"]
        row = (await house.store.load(made)).table
        seen = await ann.see(made)
        assert (row.status == "over") == (seen["table"]["status"] == "over")
        assert (await ann.get(f"/t/{made}")).is_success
        rows.append(row.status)
        if row.status == "over":
            assert verify(await ann.record(made), find).over
            break
    assert "over" in rows


# A secret question (FT-26) --------------------------------------------------------------------------
async def test_ft_26_an_open_question_is_asked_again_and_answers_before_it_stand(
    house: House, arrive: Callable[[], Person]
) -> None:
    match = royale("1 oil 1 shrimp", "2 gold", "2 gold")
    discard = match.version + 1
    for move in ("discard gold", "let it lie", "let it lie"):  # both could take it
        match.advance(match.parse(move))
    for _ in random_steps(match, 1, 100_000):
        pass
    table = await shelved(house, match)
    for seat in (1, 2):
        person = arrive()
        person.cookies.update(table.cookies[seat])
        made = (await person.do(f"tables/{table.id}/play-on", step=discard, bot="random"))["id"]
        seen = await person.see(made)
        assert seen["legal"] == ["take", "let it lie"]
        await person.do(f"tables/{made}/moves", move="let it lie", version=discard)
        live = await house.table(made)
        async with asyncio.timeout(60):
            while live.version == discard:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        answers = [(actor, text) for actor, text in live.record().steps[discard:] if text in ("take", "let it lie")]
        assert (seat, "let it lie") in answers or answers[0] == (1, "take")
    bob = arrive()  # saw his own answer: it is given too, and the next player is asked
    bob.cookies.update(table.cookies[1])
    made = (await bob.do(f"tables/{table.id}/play-on", step=discard + 1, seat=2, bot="random"))["id"]
    live = await house.table(made)
    assert live.row.given == discard + 1
    assert live.record().steps[-1] == (1, "let it lie")
    assert (await bob.see(made))["legal"] == ["take", "let it lie"]
    await bob.do(f"tables/{made}/moves", move="take", version=(await bob.see(made))["table"]["version"])
    async with asyncio.timeout(60):
        while live.version == discard + 1:  # a bot's next discard may ask him again  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert live.record().steps[discard + 1] == (2, "take")


# What is stored -------------------------------------------------------------------------------------
@pytest.fixture(params=BOTH)
def either(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    """Return settings for a house on either database."""
    address = settings.database if request.param == "sqlite" else request.getfixturevalue("database")
    return replace(settings, database=address)


@pytest.mark.suite("sqlite")
async def test_another_process_a_restart_and_a_copy_have_the_same_table(tmp_path: Path, either: Settings) -> None:
    sqlite = either.database.startswith("sqlite")
    first: Litestar = create_app(either)
    await open_house(first)
    match = quick("gatsby")
    table = await shelved(first.state.house, match, "b" * 16)
    async with Person(transport=httpx.ASGITransport(app=first), base_url="http://house.test") as ann:
        step = max(at for at, (actor, *_) in enumerate(match.steps) if actor >= 0)  # so that no bot moves
        made = (await ann.do(f"tables/{table.id}/play-on", step=step, bot="random"))["id"]
        seen, page, cookies = await ann.see(made), (await ann.get(f"/t/{made}")).text, ann.cookies
    if sqlite:  # one process has it
        await first.state.house.close()
    backup, copy = tmp_path / "backup.db", f"sqlite:///{tmp_path}/copy.db"
    await copying.back_up(either.database, backup, lambda *_: None)
    await copying.restore(backup, copy, lambda *_: None)
    for address in (either.database, copy):
        app = create_app(replace(either, database=address))
        await open_house(app)
        async with Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as same:
            same.cookies = cookies
            assert await same.see(made) == seen
            assert (await same.get(f"/t/{made}")).text == page
            if address == copy:
                await went_on(same, made)
                record = await same.record(made)
                assert (verify(record, find).over, record.given) == (True, step)
        await app.state.house.close()
    if not sqlite:
        await first.state.house.close()


async def test_who_asks_for_many_steps_pays_for_them(ann: Person, house: House, app: Litestar) -> None:
    match = quick("fortune")
    table = await shelved(house, match)
    app.state.rates = Rates(clock=lambda: 0.0)
    assert TABLES.guest is not None
    step = len(match.steps) - 2
    for _ in range(int(TABLES.guest.burst // (3 + GIVEN * step))):
        await ann.do(f"tables/{table.id}/play-on", step=step, bot="random")
    await ann.refused(f"tables/{table.id}/play-on", 429, "too-fast", step=step)
    assert TABLES.guest.burst >= 3 + GIVEN * onward.MOST_GIVEN


# What the new table reveals -------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["gatsby", "family-trade", "aces-and-faces"])
@pytest.mark.suite("family-trade")
async def test_nothing_that_leaves_depends_on_what_its_reader_cannot_know(
    name: str, ann: Person, arrive: Callable[[], Person], house: House, size: Callable[[int, int], int]
) -> None:
    """The given position reveals as little as any other; and nothing depends on the seed."""
    choice, match = random.Random(4), quick(name)
    table = await shelved(house, match)
    turns = [at for at, (actor, *_) in enumerate(match.steps) if actor >= 0]
    for step in (turns[1], turns[4]):
        made = (await ann.do(f"tables/{table.id}/play-on", step=step, bot="random"))["id"]
        live = await house.table(made)
        assert live.match is not None
        assert deciding(live) == live.seats_of((await ann.get("/api/me")).json()["id"])  # so that no bot moves
        for person, viewer in ((ann, deciding(live)[0]), (arrive(), SPECTATOR)):
            await person.see(made)
            true = await _sent(house, live, person)
            assert live.row.seed.encode() not in b"".join(true.values())
            for _ in range(size(1, 3)):
                before = kept(live)
                other, steps = twin(live.match, viewer, choice)
                other.given = live.match.given
                swap(live, other, steps)
                sent = await _sent(house, live, person)
                restore(live, before)
                assert [kind for kind in true if true[kind] != sent[kind]] == []
