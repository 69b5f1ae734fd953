"""FT-26 at the table: no one else can notice a secret question to a player, not even by the time it takes. All who can
take a discard are asked at the same time; their answers count in the order of FT-12 when the time is over."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.core.scene import SPECTATOR
from parlour.house.app import create_app, open_house
from parlour.house.house import House
from parlour.house.lobby import rows as lobby_rows
from parlour.house.settings import Settings
from parlour.house.table.live import table as live_table
from parlour.house.table.live.deciding import as_asked, deciding
from parlour.house.table.live.question import limited, patience
from parlour.house.table.storage.rows import TableRow
from tests.games.family_trade.table import Table
from tests.house.forging import ROYALE_SEATS, forge_here, kept, royale
from tests.house.people import BOT, ME, OPEN, Person, time_is_over
from tests.house.serving import Nursery
from tests.house.worlds import Base, Stream, World, make_base, world

HERE = {"kind": "here"}
OWN, WANTS, OTHER, MORE = "1 oil 1 shrimp", "2 gold", "1 shares 1 diamond", "1 crypto 1 currency"
SHARE = 0.8  # seconds at the servers of `worlds`


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with which no time runs out during a test."""
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, patience=600, engine="plain", limits=False)


@pytest.fixture(scope="module")
def base(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Base:
    return asyncio.run(make_base(nursery, tmp_path_factory.mktemp("base")))


def is_limited(live: live_table.Table) -> bool:
    """Return whether a question at this table must be answered in limited time."""
    return limited(live.row, live.seats)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + 120  # a bot may have to wait for its process, which waits for the compiler
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


# What no one else may notice --------------------------------------------------------------------
class TooSlowError(Exception):
    """The machine was too busy to measure."""


async def story(here: World, bob: str, cid: str) -> tuple[list[Any], float]:
    """Let Ann discard gold, and Bob and Cid give these answers ("" for none) if they are asked. Return all bytes that
    Ann, Cid and Eve get meanwhile, and how long it took until a card was drawn."""
    left: list[Any] = []
    watching = ("Ann", "Cid", "Eve")
    for name in watching:
        here.streams[name] = Stream(here.people[name], here.base.table)
        await asyncio.gather(*(stream.quiet() for stream in here.streams.values()))
    lengths = {name: len(stream.data) for name, stream in here.streams.items()}
    start = await here.version("Ann")
    before = time.monotonic()
    left.append(await here.say("Ann", "discard gold", "one"))
    other = await here.people["Ann"].make(ME, OPEN)  # a table that was touched later
    for name, move in (("Bob", bob), ("Cid", cid)):
        if move:
            answer = await here.post(name, move, await here.version(name))
            if name == "Cid":
                left.append((answer.status_code, answer.json()))
        left += [await here.all_that_leaves(who) for who in watching]
    if await here.version("Ann") != start + 1:
        raise TooSlowError("the time was over before we had looked")
    await until(lambda: any(update["version"] > start + 1 for update in here.streams["Ann"].updates))
    took = time.monotonic() - before
    left.append((await here.post("Ann", "discard gold", start, "one")).json())  # sent again, it gets the same answer
    await asyncio.gather(*(stream.quiet() for stream in here.streams.values()))
    left += [await here.all_that_leaves(who) for who in watching]
    left += [stream.data[lengths[name] :] for name, stream in here.streams.items()]
    return [_without(one, other) for one in left], took


def _without(value: Any, table: str) -> Any:
    """Return the same without the random id of a table."""
    if isinstance(value, dict):
        return {what: _without(one, table) for what, one in value.items()}
    return value.replace(table.encode(), b"TABLE") if isinstance(value, bytes) else value


# On a busy machine news of presence may come before other news or after it: then they are compared once more.
@pytest.mark.parametrize("cid", [OTHER, pytest.param(WANTS, marks=pytest.mark.whole)])
async def test_ft_26_nobody_else_can_tell_whether_somebody_was_asked_and_let_it_lie(
    cid: str, nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    """The worlds differ only in Bob: he is asked and passes, is asked and does not answer, or is not asked."""
    cases = [(WANTS, "let it lie"), (WANTS, ""), (MORE, "let it lie")]
    says = "let it lie" if cid == WANTS else ""

    async def one(bob: str, answer: str, share: float) -> tuple[list[Any], float]:
        async with world(nursery, base, tmp_path, OWN, bob, cid, patience=share) as here:
            return await story(here, answer, says)

    wrong = "the machine was too slow, or a question takes longer than its time"
    for share in (4.0, 12.0, 36.0):  # as long as a busy machine needs
        worlds = await asyncio.gather(*(one(*case, share) for case in cases), return_exceptions=True)
        for fault in worlds:
            if isinstance(fault, BaseException) and not isinstance(fault, TooSlowError):
                raise fault
        seen = [one for one in worlds if not isinstance(one, BaseException)]
        if len(seen) < len(worlds) or max(took for _, took in seen) >= 1.375 * share:
            continue
        assert min(took for _, took in seen) >= share
        if all(left == seen[0][0] for left, _ in seen):
            return
        wrong = next(difference(seen[0][0], left) for left, _ in seen[1:] if left != seen[0][0])
    raise AssertionError(wrong)


def difference(one: list[Any], other: list[Any]) -> str:
    """Return the first thing that differs between two worlds, from just before where it does."""
    first, second = next((repr(a), repr(b)) for a, b in zip(one, other, strict=True) if a != b)
    at = max(0, next((i for i, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), 0) - 200)
    return f"{first[at : at + 400]}\n{second[at : at + 400]}"


async def test_ft_26_an_answer_touches_nothing_that_others_read(nursery: Nursery, base: Base, tmp_path: Path) -> None:
    async with world(nursery, base, tmp_path, OWN, WANTS, OTHER, patience=600) as here:
        await here.say("Ann", "discard gold")
        read = ", ".join(TableRow.__struct_fields__)  # no one sees the count of changes
        look = [f"SELECT {read} FROM tables", *(f"SELECT * FROM {name}" for name in ("steps", "seats", "chat"))]
        before = [kept(here.database, query) for query in look]
        page, others = Stream(here.people["Bob"], base.table), Stream(here.people["Cid"], base.table)
        await asyncio.gather(page.quiet(), others.quiet())
        silent = len(others.data)
        version = await here.version("Bob")
        assert await here.say("Bob", "let it lie") == version  # an answer is not a version until it is made a step
        assert [kept(here.database, query) for query in look] == before
        assert kept(here.database, "SELECT idx, seat, text FROM answers") == [(len(before[1]), 1, "let it lie")]
        await page.quiet()
        assert "You let it lie." in page.updates[-1]["frames"][0]["html"]  # his own page shows it at once
        assert page.updates[-1]["version"] == version
        await others.quiet()
        assert len(others.data) == silent
        for stream in (page, others):
            stream.task.cancel()


# Questions and answers --------------------------------------------------------------------------
async def test_ft_12_all_are_asked_at_once_and_the_nearest_who_takes_goes_out(
    nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    async with world(nursery, base, tmp_path, OWN, WANTS, WANTS, patience=5.0) as here:
        asked = await here.say("Ann", "discard gold")
        for name in ("Cid", "Bob"):  # the one whose answer counts last is faster
            seen = await here.see(name)
            assert seen["legal"] == ["take", "let it lie"]
            assert seen["scene"]["prompt"].startswith("Take Ann's Gold? You have 5")
            page = await here.page(name)
            assert "s Gold? You have" in page
            assert "Your turn:" not in page  # a neighbour may see the window's title
            await here.say(name, "take")
            seen = await here.see(name)
            assert seen["legal"] == []
            doubt = "" if name == "Bob" else ", unless a player nearer to Ann in turn order takes it too"
            assert seen["scene"]["prompt"] == f"You take the Gold{doubt}. The game continues in a moment."
            assert "<b>your turn" not in (await here.people[name].get("/")).text
        assert (await here.see("Ann"))["scene"]["prompt"] == "Bob draws a card."
        await here.beyond("Ann", asked)
        for name in ("Ann", "Bob", "Cid", "Eve"):
            page = await here.page(name)
            line = re.search(r"Bob takes the Gold of Ann and goes out with 3 Gold\..{0,200}FT-2?2", page, re.S)
            assert line, name
            assert "Cid takes" not in page
        texts = [text for (text,) in kept(here.database, "SELECT text FROM steps ORDER BY idx")]
        assert texts.count("take") == 1
        assert "let it lie" not in texts


async def test_ft_12_who_is_farther_takes_what_the_nearer_lets_lie(
    nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    async with world(nursery, base, tmp_path, OWN, WANTS, WANTS) as here:
        asked = await here.say("Ann", "discard gold")
        await asyncio.gather(here.say("Bob", "let it lie"), here.say("Cid", "take"))
        await here.beyond("Ann", asked)
        pages = {name: await here.page(name) for name in ("Ann", "Bob", "Cid")}
        assert all("Cid takes the Gold of Ann" in page for page in pages.values())
        assert ["You let it lie" in page for page in pages.values()] == [False, True, False]
        steps = [step for step in kept(here.database, "SELECT actor, text FROM steps ORDER BY idx") if step[0] != -1]
        assert steps[-3:] == [(0, "discard gold"), (1, "let it lie"), (2, "take")]


async def test_ft_26_who_says_nothing_in_time_has_let_it_lie_and_comes_too_late(
    nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    """Late answers of the first and of the second player are refused in the same words."""
    async with world(nursery, base, tmp_path, OWN, WANTS, WANTS) as here:
        asked = await here.say("Ann", "discard gold")
        versions = [await here.version(name) for name in ("Bob", "Cid")]
        await here.beyond("Ann", asked)
        for move in ("let it lie", "take"):
            late = [
                await here.post(name, move, version) for name, version in zip(("Bob", "Cid"), versions, strict=True)
            ]
            assert [answer.status_code for answer in late] == [409, 409]
            assert [answer.json()["error"]["code"] for answer in late] == ["stale-move"] * 2
        steps = kept(here.database, "SELECT actor, text FROM steps ORDER BY idx")
        assert steps[-3:-1] == [(1, "let it lie"), (2, "let it lie")]
        assert "You let it lie" in await here.page("Cid")


async def test_an_answer_survives_kill_9_and_is_answered_the_same_for_ever(
    nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    async with world(nursery, base, tmp_path, OWN, WANTS, WANTS) as here:
        asked = await here.say("Ann", "discard gold")
        version = await here.version("Cid")
        assert await here.say("Cid", "take", "mine") == version
        here.server.kill()
        here.server = here.restart()
        for person in here.people.values():
            person.base_url = httpx.URL(here.server.url)
        seen = await here.see("Cid")
        assert seen["legal"] == []
        assert seen["scene"]["prompt"].startswith("You take the Gold")
        assert (await here.see("Bob"))["legal"] == ["take", "let it lie"]

        async def same() -> None:
            for move_id in ("mine", "", "another"):
                answer = await here.post("Cid", "take", version, move_id)
                assert (answer.status_code, answer.json()) == (200, {"version": version})

        await same()
        for move_id, code in (("", "already-answered"), ("mine", "id-reused")):
            answer = await here.post("Cid", "let it lie", version, move_id)
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, code)
        await here.beyond("Ann", asked)
        assert "Cid takes the Gold of Ann" in await here.page("Eve")
        await same()
        answer = await here.post("Cid", "let it lie", version)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stale-move")


async def test_a_page_that_comes_back_is_shown_the_question_or_the_answer(
    nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    """It can have seen any version."""
    async with world(nursery, base, tmp_path, OWN, OTHER, WANTS, patience=600) as here:
        await here.say("Ann", "discard gold")
        version = await here.version("Cid")
        for said, words in (("", "? You have "), ("let it lie", "You let it lie.")):
            if said:
                await here.say("Cid", said)
            for since in (-1, version - 1, version, version + 3):
                page = Stream(here.people["Cid"], base.table, since)
                await page.quiet(0.1)
                page.task.cancel()
                frame = page.updates[0]["frames"][-1]
                assert frame["version"] == version
                assert words in frame["html"]
                assert ('data-action="take"' in frame["html"]) == (not said)


async def test_an_asked_player_is_given_a_hint_whoever_is_asked_before(
    nursery: Nursery, base: Base, tmp_path: Path
) -> None:
    async with world(nursery, base, tmp_path, OWN, WANTS, WANTS, patience=600) as here:
        await here.say("Ann", "discard gold")
        version = await here.version("Cid")
        hint = await here.people["Cid"].do(f"tables/{base.table}/hint", version=version)
        assert {choice["move"] for choice in hint["choices"]} == {"take", "let it lie"}
        assert {choice["words"] for choice in hint["choices"]} == {"Take it", "Let it lie"}
        await here.say("Cid", "let it lie")
        await here.people["Cid"].refused(f"tables/{base.table}/hint", 409, "not-your-turn", version=version)


# How much time there is -------------------------------------------------------------------------
def test_a_slow_table_gives_more_time() -> None:
    assert [patience(pace) for pace in (0.0, 0.5, 1.2, 2.5, 30.0)] == [2.5, 2.5, 3.0, 6.2, 10.0]


async def test_the_time_that_is_shown_is_the_time_that_is_given(tmp_path: Path) -> None:
    """The server's pace counts, not the table's own. The time that was shown stays when the pace is changed."""
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain"))
    house = await open_house(app)
    transport = httpx.ASGITransport(app=app)
    try:
        async with (
            Person(transport=transport, base_url="http://house.test") as ann,
            Person(transport=transport, base_url="http://house.test") as bob,
        ):
            made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN], pace="slow")
            await bob.do(f"tables/{made['id']}/sit")
            await ann.do(f"tables/{made['id']}/start")
            live = await forge_here(house, made["id"], royale(OWN, WANTS))
            began = time.monotonic()
            await ann.do(f"tables/{live.id}/moves", move="discard gold", version=live.version)
            steps = live.version
            for pace in ("slow", "instant"):
                await ann.do(f"tables/{live.id}/pace", pace=pace)
                assert (await bob.see(live.id))["scene"]["prompt"].endswith("You have 2.5 seconds.")
            await until(lambda: live.version > steps)
            assert 2.5 <= time.monotonic() - began < 4.0
    finally:
        await house.close()


async def test_where_nobody_could_take_it_nobody_waits(ann: Person, bob: Person, house: House) -> None:
    """Both have discarded and announced nothing: everyone knows that neither can go out with the other's discard."""
    made = await ann.do("tables", game="family-trade", seats=[ME, OPEN])
    await bob.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    live = await forge_here(house, made["id"], Table().turn("shrimp").turn("gold").draw("oil").match)
    version = live.version
    answer = await ann.do(f"tables/{live.id}/moves", move="discard oil", version=live.known.version(0))
    assert live.version == version + 2  # the next card is drawn at once
    assert answer == {"version": live.known.version(0)}


@pytest.fixture
async def alone(ann: Person, house: House) -> Callable[..., Any]:
    """Return a function that creates a table at which Ann plays alone with two bots."""

    async def make(*hands: str, **body: Any) -> Any:
        made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, BOT, BOT], pace="instant", **body)
        return await forge_here(house, made["id"], royale(*hands))

    return make


async def bot_discards(house: House, live: Any) -> None:
    """Wait until the bot whose turn it is has discarded."""
    house.go_on(live)
    await until(lambda: live.questions.open is not None)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, house: House) -> None:
    """Make bots discard what they drew."""

    async def choose(match: Any, seat: int, _: str, **__: Any) -> int:
        return int(match.state.drawn) if match.state.asked != seat else match.legal_action_ids()[0]

    monkeypatch.setattr(house.workers, "choose", choose)


async def ask_ann(ann: Person, house: House) -> Any:
    """Return a table of Ann and two bots, one of which has discarded what Ann wants."""
    made = await ann.do("tables", **ROYALE_SEATS, seats=[BOT, ME, BOT], pace="instant")
    live = await forge_here(house, made["id"], royale(OTHER, WANTS, MORE))
    await bot_discards(house, live)
    return live


@pytest.mark.usefixtures("quick")
async def test_who_plays_alone_has_all_the_time_until_somebody_looks(
    ann: Person, arrive: Callable[[], Person], house: House
) -> None:
    live = await ask_ann(ann, house)
    question, version = live.questions.open, live.version
    assert question.share is None
    assert (await ann.see(live.id))["scene"]["prompt"].endswith("Gold?")  # and no time
    await ann.get("/")
    await asyncio.sleep(0.2)
    assert (live.questions.open, live.version) == (question, version)
    assert question.task.done()  # nothing runs meanwhile, and the table can be unloaded
    eve = arrive()
    await eve.get("/")  # the lobby does not show when a player moved
    assert question.share is None
    await eve.get(f"/t/{live.id}")
    assert question.share == 600
    assert (await ann.see(live.id))["scene"]["prompt"].endswith("You have 600 seconds.")
    await time_is_over(live)
    assert kept(Path(house.store.url.database or ""), "SELECT watched FROM tables") == [(1,)]
    assert is_limited(live)  # from now on


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("path", ["/t/{}", "/api/tables/{}", "/t/{}/replay", "/api/tables/{}/analysis"])
async def test_whoever_looks_without_a_seat_is_noticed(
    path: str, ann: Person, arrive: Callable[[], Person], house: House
) -> None:
    live = await ask_ann(ann, house)
    await ann.get(path.format(live.id))
    assert not is_limited(live)
    await arrive().get(path.format(live.id))
    assert is_limited(live)


async def test_who_may_come_back_or_made_the_table_is_somebody_who_looks(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    cid = arrive()
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN, BOT])
    await bob.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    await bob.do(f"tables/{made['id']}/leave")
    assert is_limited(await house.table(made["id"]))  # Bob can sit down again
    made = await ann.do("tables", **ROYALE_SEATS, seats=[OPEN, BOT])
    await cid.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    assert is_limited(await house.table(made["id"]))  # Ann has it in her list
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, BOT])
    await ann.do(f"tables/{made['id']}/leave")
    assert is_limited(await house.table(made["id"]))  # bots alone


@pytest.mark.usefixtures("quick")
async def test_bots_are_asked_at_the_same_time_and_answer(ann: Person, alone: Callable[..., Any]) -> None:
    live = await alone(OWN, WANTS, WANTS)
    await ann.do(f"tables/{live.id}/moves", move="discard gold", version=live.known.version(0))
    asked = live.questions.open
    await until(lambda: live.questions.open is not asked)  # the bots play on, and Ann may be asked again at once
    first = min(at for at, _ in live.questions.answers)
    assert {seat for at, seat in live.questions.answers if at == first} == {1, 2}
    assert next((actor, text) for actor, _, text in live.match.steps if actor >= 0 and text == "take") == (1, "take")
    assert (2, "take") not in [(actor, text) for actor, _, text in live.match.steps[first : first + 2]]


async def test_a_bot_that_fails_lets_it_lie(
    ann: Person, alone: Callable[..., Any], house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def choose(*_: Any, **__: Any) -> int:
        raise RuntimeError("a bot with a fault")

    live = await alone(OWN, WANTS, OTHER)
    monkeypatch.setattr(house.workers, "choose", choose)
    await ann.do(f"tables/{live.id}/moves", move="discard gold", version=live.known.version(0))
    await until(lambda: live.questions.open is None)
    assert (1, "let it lie") in [(actor, text) for actor, _, text in live.match.steps]


async def test_who_leaves_while_asked_is_answered_for(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN])
    await bob.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    live = await forge_here(house, made["id"], royale(OWN, WANTS))
    await ann.do(f"tables/{live.id}/moves", move="discard gold", version=live.known.version(0))

    async def choose(match: Any, *_: Any, **__: Any) -> int:
        return int(match.legal_action_ids()[0])

    monkeypatch.setattr(house.workers, "choose", choose)
    await bob.do(f"tables/{live.id}/leave")
    await until(lambda: bool(live.questions.answers))
    assert [answer.text for answer in live.questions.answers.values()] == ["take"]


# One device, and the lobby ----------------------------------------------------------------------
async def test_two_who_are_asked_on_one_device_answer_one_after_the_other(ann: Person, house: House) -> None:
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, HERE, HERE])
    live = await forge_here(house, made["id"], royale(OWN, WANTS, WANTS))
    table = f"tables/{live.id}"
    await ann.do(f"{table}/lift", seat=0)
    await ann.do(f"{table}/moves", move="discard gold", version=live.known.version(0))
    version = live.known.version(1)
    for seat in (1, 2):
        seen = await ann.see(live.id)
        assert (seen["table"]["pass_to"], seen["scene"]["viewer"], seen["legal"]) == (seat, SPECTATOR, [])
        await ann.do(f"{table}/lift", seat=seat)
        seen = await ann.see(live.id)
        assert (seen["table"]["pass_to"], seen["scene"]["viewer"], seen["legal"]) == (
            None,
            seat,
            ["take", "let it lie"],
        )
        if seat == 2:  # repeated after a lost answer: it does not count for the next player
            body = {"move": "let it lie", "version": version, "id": "first"}
            assert await ann.do(f"{table}/moves", **body) == {"version": version}
            assert len(live.questions.answers) == 1
        await ann.do(
            f"{table}/moves", move=("let it lie", "take")[seat - 1], version=version, id=("first", "second")[seat - 1]
        )
    await until(lambda: live.questions.open is None)  # no one else looks, so the game continues when all have answered
    assert [answer.text for answer in live.questions.answers.values()] == ["let it lie", "take"]
    assert "takes the Gold" in (await ann.get(f"/t/{live.id}")).text


async def test_the_lists_of_others_do_not_tell_when_anybody_moved(ann: Person, house: House) -> None:
    """This holds even if a person has unlimited time to answer."""
    tables = [await ann.make(ME, BOT) for _ in range(2)]
    hour = time.time() // 3600 * 3600
    read = partial(lobby_rows.listing, which="playing", guest="")
    for touched in ((100, 200), (200, 100)):
        for table, seconds in zip(tables, touched, strict=True):
            async with house.store.change(table) as change:
                await change.set(touched=hour + seconds)
        assert [one.table.id for one in await house.store.look(read)] == tables[::-1]  # the newest first
    async with house.store.change(tables[1]) as change:
        await change.set(touched=hour - 7200)
    assert [one.table.id for one in await house.store.look(read)] == tables


async def test_a_bot_answers_for_whoever_leaves_again(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob leaves during a question, comes back before the bot has answered for him, and leaves for good."""
    asked: list[asyncio.Future[int]] = []

    async def choose(*_: Any, **__: Any) -> int:
        asked.append(asyncio.get_running_loop().create_future())
        return await asked[-1]

    monkeypatch.setattr(house.workers, "choose", choose)
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN])
    await bob.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    live = await forge_here(house, made["id"], royale(OWN, WANTS))
    await ann.do(f"tables/{live.id}/moves", move="discard gold", version=live.known.version(0))
    take, *_ = as_asked(live, 1).legal_action_ids()
    await bob.do(f"tables/{live.id}/leave")
    await until(lambda: len(asked) == 1)
    await bob.do(f"tables/{live.id}/sit")
    if not asked[0].done():
        asked[0].set_result(take)
    await asyncio.sleep(0)
    assert deciding(live) == (1,)  # he is asked again
    await bob.do(f"tables/{live.id}/leave")
    await until(lambda: len(asked) == 2)
    asked[1].set_result(take)
    await until(lambda: deciding(live) == ())
