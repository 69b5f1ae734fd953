"""`GET /schema` describes the API as it is: every address that a house answers, and answers that fit."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from jsonschema import Draft202012Validator
from litestar import Litestar
from litestar.routes import HTTPRoute

from parlour.core.game import Game
from parlour.core.puzzle import puzzles_of
from parlour.games import find
from parlour.house import openapi
from parlour.house.house import House
from parlour.house.http.rates import Rates
from parlour.house.notify.mail import Post
from parlour.house.notify.schema import channels
from parlour.house.puzzles import mistakes
from parlour.house.settings import Settings
from parlour.house.table.web.stream import events
from parlour.house.table.web.updates import Page
from tests.docs import addresses
from tests.found import added
from tests.house.authenticator import Device, add, at_home, claim, sign_in, use
from tests.house.people import BOT, LINK, ME, OPEN, Person, guest_of
from tests.house.puzzles.test_puzzles import analysed

UNDESCRIBED = (
    "/schema",
    "/health",
    "/metrics",
    "/static/{version}/{name}",
    "/sw.js",
    "/offline",
    "/robots.txt",
)  # the document itself, and what is not for programs
# What sends a form: mail programs, and a page without a script.
FORMS = {("POST", "/told/{token}"), ("POST", "/playtests")}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
def _fixtures() -> Iterator[None]:
    with added(*(Game(name, f"tests.fixtures.{name}") for name in ("kuhn", "satchel"))):
        yield


class Document:
    """The document that a house serves."""

    def __init__(self, text: str) -> None:
        self.data = json.loads(text)
        self.used: set[tuple[str, str, int]] = set()  # method, address and status of the answers

    @property
    def operations(self) -> dict[tuple[str, str], Any]:
        return {
            (method.upper(), path): what for path, item in self.data["paths"].items() for method, what in item.items()
        }

    def at(self, method: str, path: str) -> tuple[str, Any]:
        """Return the address of a request in the document, and its description."""
        for (known, template), what in self.operations.items():
            if known == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
                return template, what
        raise AssertionError(f"{method} {path} is not described")

    def check(self, schema: Any, value: Any) -> None:
        """Check that a value fits its schema."""
        whole = {**schema, "components": self.data["components"]}
        Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(value)

    def heard(self, answer: httpx.Response) -> None:
        """Check that an answer, and its request if it was accepted, are as described."""
        method, path = answer.request.method, answer.request.url.path
        template, what = self.at(method, path)
        self.used.add((method, template, answer.status_code))
        described = what["responses"].get(str(answer.status_code))
        assert described, f"{method} {template} is not said to answer {answer.status_code}: {answer.text}"
        if "content" not in described:
            return
        kind = answer.headers["content-type"].partition(";")[0]
        if answer.is_success:
            assert kind in described["content"], (method, template)
        if kind == "application/json":
            self.check(described["content"][kind]["schema"], answer.json())
        if answer.is_success and method == "POST":
            self.check(self.body(what), json.loads(answer.request.content or b"{}"))

    def body(self, what: Any) -> Any:
        """Return the schema of the body."""
        return what["requestBody"]["content"]["application/json"]["schema"]


@pytest.fixture
async def document(app: Litestar) -> Document:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as client:
        answer = await client.get("/schema")
    assert answer.headers["content-type"] == "application/vnd.oai.openapi+json"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return Document(answer.text)


@pytest.fixture
async def heard(document: Document, app: Litestar) -> AsyncIterator[Callable[[], Person]]:
    """Yield a function that creates a new person; all their answers are compared with the document."""
    people: list[Person] = []

    async def hear(answer: httpx.Response) -> None:
        await answer.aread()
        document.heard(answer)

    def new() -> Person:
        hooks = {"response": [hear]}
        people.append(Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test", event_hooks=hooks))
        return people[-1]

    yield new
    for person in people:
        await person.aclose()


def served(app: Litestar) -> set[tuple[str, str]]:
    """Return what the house answers, apart from HEAD, OPTIONS and the moderators' pages."""
    found = set()
    for route in app.routes:
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
        if isinstance(route, HTTPRoute) and not path.startswith("/house"):
            found |= {(method, path) for method in route.methods - {"HEAD", "OPTIONS"}}
    return found


def test_every_address_that_a_house_answers_is_described(document: Document, app: Litestar) -> None:
    assert served(app) == set(document.operations) | {("GET", path) for path in UNDESCRIBED} | FORMS
    assert len(document.operations) >= 30


def test_docs_list_the_addresses_outside_the_document() -> None:
    page = addresses.PAGE.file.read_text("utf-8")
    section = page.split("## For browsers and machines\n")[1].split("\n## ")[0]
    found = set(re.findall(r"`(GET|POST) ([^`?#]+)`", section))
    names = {"HASH": "{version}", "NAME": "{name}", "TOKEN": "{token}"}
    listed = {(method, re.sub(r"[A-Z]+", lambda m: names[m[0]], path)) for method, path in found}
    assert listed == {("GET", path) for path in UNDESCRIBED} | FORMS


def test_every_address_says_what_is_sent_and_answered(document: Document) -> None:
    for (method, path), what in document.operations.items():
        assert what["description"], path
        assert ("requestBody" in what) == (method == "POST"), path
        (good,) = [answer for status, answer in what["responses"].items() if status in ("200", "201", "204")]
        if path.endswith("/here"):
            assert "content" not in good
            continue
        (kind,) = good["content"]
        if path.startswith("/api") and "events" not in path:
            assert kind == ("application/x-ndjson" if path.endswith("/positions") else "application/json")
        if path.startswith("/api") and "events" not in path:
            assert good["content"][kind]["schema"]["$ref"], path
        refused = {status: answer for status, answer in what["responses"].items() if int(status) >= 400}
        assert {"500", "503"} < set(refused) or path == "/"
        for answer in refused.values():
            assert answer["content"] == {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}, path


def test_the_document_hangs_together(document: Document) -> None:
    schemas = document.data["components"]["schemas"]
    referred = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document.data)))
    assert referred | {"Update", "Lists", "Parts"} == set(schemas)
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    bodies = [document.body(what) for (method, _), what in document.operations.items() if method == "POST"]
    for body in bodies:
        assert schemas[body["$ref"].rpartition("/")[2]]["additionalProperties"] is False
    assert schemas["MoveBody"]["properties"]["version"] == {"type": "integer", "minimum": 0, "maximum": 2**31}


async def test_it_is_made_once_however_many_ask_for_it(app: Litestar, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    kinds = openapi._kinds

    def counted() -> set[Any]:
        made.append(1)
        return kinds()

    monkeypatch.setattr(openapi, "_kinds", counted)
    openapi.document.cache_clear()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as client:
        answers = await asyncio.gather(*(client.get("/schema") for _ in range(30)))
    assert len({answer.content for answer in answers}) == 1
    assert len(made) == 1


async def test_answers_are_as_described(document: Document, heard: Callable[[], Person], house: House) -> None:
    """Every address is used, with success; what comes back fits, and so did what was sent."""
    ann, bob, eve = heard(), heard(), heard()
    await _use_accounts(ann, eve)
    await _use_passkeys(heard)
    await _use_notifications(ann, eve, house)
    await _look_at_own_pages(ann)
    await _leave_for_good(eve)
    table = await _play(ann, bob)
    await _study(ann, table)
    await _solve(ann, bob, house)
    await _invite(ann, bob)
    await _share_a_device(ann)
    await _use_manners(ann, bob, table)
    await _find_a_game(ann, bob)
    await _play_with_clocks(ann, bob, house)
    await _test_a_game(ann, bob)
    await _hold_a_tournament(ann)
    await _lead_a_club(ann, heard)
    used = {(method, path) for method, path, status in document.used if status < 300}
    assert used == set(document.operations)


async def _use_accounts(ann: Person, eve: Person) -> None:
    await ann.do("me", name="Ann")
    await ann.do("me/claim", name="Ann", password="correct horse")
    await ann.do("me/password", password="correct horse", new="battery staple")
    token = (await ann.do("me/device"))["url"].partition("#")[2]
    await eve.do("me/link/look", token=token)
    await eve.do("me/link", token=token, bring=True)
    await eve.do("me/sessions/end", id="")
    await eve.do("me/preferences", name="theme", value="dark")
    await eve.do("me/holiday")
    await eve.do("me/picture", figure="cat", pattern="dots", ground="plum", ink="cream")
    await ann.do("me/sign-in", name="Ann", password="battery staple", bring=False)
    made = await ann.do("me/tokens/new", name="Robot", password="battery staple")
    await ann.do("me/tokens/revoke", id=made["id"])
    await ann.get("/api/me")


async def _use_passkeys(heard: Callable[[], Person]) -> None:
    cid, first, second = at_home(heard()), Device(), Device()
    await claim(cid, first, "Cid")
    await add(cid, second, by=first)
    await sign_in(at_home(heard()), first, bring=False)
    await cid.do("me/passkeys/remove", id="none", answer=await use(cid, second, "remove"))
    await cid.do("me/delete", answer=await use(cid, second, "delete"))


async def _use_notifications(ann: Person, eve: Person, house: House) -> None:
    await ann.do("me/told", kind="hook", address="https://example.org/hook", chat=True)
    (place,) = await house.store.look(
        lambda connection: list(connection.execute(sa.select(channels.c.id, channels.c.token)))
    )
    await ann.do("me/told/choose", id=place.id, turn=False)
    await ann.do("me/told/quiet", begins="22:00", ends="07:00", zone="Europe/Zurich")
    await ann.do("me/told/recovery/end", password="battery staple")
    await eve.do("told/confirm", token=place.token)
    assert (await ann.get(f"/told/{place.token}")).is_success
    await ann.do("me/told/end", id=place.id)
    house.post = Post(Settings(mail="smtp://127.0.0.1:9", mail_from="a@b.test", base_url="http://house.test"))
    await eve.do("me/lost", name="Unknown")


async def _look_at_own_pages(ann: Person) -> None:
    for path in (
        "/me?which=kuhn&result=won&page=1",
        "/me/export",
        "/p/Ann",
        "/link",
        "/help",
        "/about",
        "/contact",
        "/privacy",
        "/best/fortune",
        "/",
        "/new/kuhn",
        "/new/fortune/classic-35",
    ):
        assert (await ann.get(path)).is_success


async def _leave_for_good(eve: Person) -> None:
    await eve.do("me/sign-out")
    await eve.do("me/delete", word="delete")


async def _play(ann: Person, bob: Person) -> str:
    """Play a game from the empty table to the result. Return the table."""
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN], hints=True, wait=True, pace=0.5))["id"])
    await ann.do(f"tables/{table}/seats", seat=1, kind="bot", bot="random")
    await ann.do(f"tables/{table}/seats", seat=1, kind="open")
    await ann.do(f"tables/{table}/pace", pace="fast")
    await bob.do(f"tables/{table}/sit", seat=1, words="Aces!")
    await bob.do(f"tables/{table}/leave")
    await bob.do(f"tables/{table}/sit")
    assert (await ann.get(f"/api/tables/{table}/here?pulse=x")).is_success
    assert (await ann.get("/api/lobby/here?pulse=x")).is_success
    await ann.see(table)
    await ann.do(f"tables/{table}/start", bots=False)
    assert (await ann.see(table))["scene"]
    await ann.do(f"tables/{table}/hint", version=2)
    await ann.do(f"tables/{table}/moves", move="bet", version=2, id="once")
    await bob.do(f"tables/{table}/chat", text="Well played.", id="a")
    await bob.do(f"tables/{table}/moves", move="pass", version=3)
    assert (await bob.see(table))["table"]["result"]
    return table


async def _test_a_game(ann: Person, bob: Person) -> None:
    """Make a playtest, and let one of two players agree to notes."""
    made = await ann.do("playtests", name="Bets", game="kuhn", editions=[{}])
    token, own = made["link"].rpartition("/")[2], f"playtests/{made['id']}"
    table = (await ann.do("playtests/join", token=token))["id"]
    assert (await bob.do("playtests/join", token=token, agree=True))["id"] == table
    await bob.do(f"{own}/consent", agree=True)
    await bob.do(f"tables/{table}/note", kind="opened", clause="KU-2")
    for version, person in enumerate((ann, bob), 2):
        await person.do(f"tables/{table}/moves", move="bet", version=version)
    await bob.do(f"tables/{table}/answers", fun=5, clear=4, length=2, again=3, words="More cards.")
    for path in ("/playtests", f"/{own}", f"/{own}/data", f"/try/{token}"):
        assert (await ann.get(path)).is_success
    assert (await ann.get(f"/api/{own}/bots")).json()["status"] == "none"
    await ann.do(f"{own}/bots")
    assert (await ann.get(f"/api/{own}/expert")).json()["status"] == "none"
    await ann.do(f"{own}/expert")
    await ann.do(f"{own}/open", open=False)
    await ann.do(f"{own}/delete")


async def _hold_a_tournament(ann: Person) -> None:
    """Announce a tournament, join it, and start it."""
    usual = {"name": "Kuhn Open", "game": "kuhn", "tempo": {"bank": 60}}
    made = (await ann.do("tournaments", **usual, system="simultaneous", bot="random"))["id"]
    for act in ("join", "leave", "join", "start"):
        await ann.do(f"tournaments/{made}/{act}")
    for path in ("/standings", "/games", "/events", ""):  # the house ends streams by now
        assert (await ann.get(f"/api/tournaments/{made}{path}")).is_success
    for path in ("", "/new", f"/{made}", f"/{made}/qr"):
        assert (await ann.get(f"/tournaments{path}")).is_success
    assert (await ann.get("/api/tournaments?mine=true")).is_success
    assert (await ann.get(f"/tournaments/{made}/results")).is_success
    await ann.do(f"tournaments/{made}/remove", entrant=1)
    await ann.do(f"tournaments/{made}/cancel")


async def _lead_a_club(ann: Person, heard: Callable[[], Person]) -> None:
    """Found clubs, play a season there, and subscribe to calendars."""
    people = [heard() for _ in range(4)]
    for number, person in enumerate(people):
        await person.do("me/claim", name=f"Member {number}", password="correct horse")
    picture = {"figure": "cat", "pattern": "dots", "ground": "plum", "ink": "cream"}
    owner, first, second, third = people
    club = (await owner.do("clubs", name="Owls", **picture))["id"]
    token = (await owner.do(f"clubs/{club}/link"))["link"].rpartition("/")[2]
    await first.get(f"/clubs/join/{token}")
    await first.do("clubs/join", token=token)
    for person in (second, third):
        await person.do(f"clubs/{club}/join")
    for name in ("Member 2", "Member 3"):
        await owner.do(f"clubs/{club}/answer", name=name)
    await owner.do(f"clubs/{club}/change", name="Night Owls", about="Late games", **picture)
    await owner.do(f"clubs/{club}/role", name="Member 1", role="organiser")
    play = {"game": "kuhn", "tempo": {"bank": 60.0}}
    await owner.do(f"clubs/{club}/tournaments", name="Cup", system="swiss", **play)
    cancelled = (await owner.do(f"clubs/{club}/seasons", **play))["id"]
    await owner.do(f"clubs/{club}/seasons/{cancelled}/cancel")
    season = (await owner.do(f"clubs/{club}/seasons", **play))["id"]
    for person in people:
        await person.do(f"clubs/{club}/seasons/{season}/enter")
    await owner.do(f"clubs/{club}/seasons/{season}/start")
    await third.do(f"clubs/{club}/seasons/{season}/withdraw")
    own = (await owner.do("me/calendar"))["address"]
    await owner.do("me/calendar")
    mine = (await owner.do("me/calendar"))["address"]
    assert own != mine
    for path in (
        "/clubs", f"/clubs/{club}", "/calendar.ics", f"/clubs/{club}/calendar.ics", mine, "/api/clubs",
        f"/api/clubs/{club}", f"/api/clubs/{club}/seasons/{season}",
    ):  # fmt: skip
        assert (await ann.get(path)).is_success, path
    await owner.do("me/calendar/end")
    await owner.do(f"clubs/{club}/remove", name="Member 3")
    await second.do(f"clubs/{club}/leave")
    await owner.do(f"clubs/{club}/delete")


async def _study(ann: Person, table: str) -> None:
    """Look at everything that is there of a finished game."""
    await ann.do("me/moments/pin", table=table, step=1)
    await ann.do("me/moments/unpin", table=table, place=1)
    assert (await ann.get(f"/t/{table}/moment?entry=1")).is_success
    for path in (f"/t/{table}", f"/t/{table}/replay?step=1", f"/t/{table}/record", "/rules/kuhn", "/rules/kuhn/sheet"):
        assert (await ann.get(path)).is_success
    for path in (
        "/api/games",
        "/api/games/kuhn",
        "/api/games/kuhn/rulebook",
        "/api/games/kuhn/clauses/KU-2",
        "/api/games/kuhn/ratings",
        "/api/games/kuhn/today",
        "/today",
        "/today/kuhn",
    ):
        assert (await ann.get(path)).is_success
    for path in ("position", "positions"):
        assert (await ann.get(f"/api/tables/{table}/{path}")).is_success
    assert (await ann.get(f"/api/tables/{table}/replay?step=3")).is_success
    await ann.do("lessons", game="fortune")
    await ann.do("today", game="kuhn")
    await ann.do(f"tables/{table}/play-on", step=2, seat=1, bot="random")
    assert (await ann.get(f"/api/tables/{table}/analysis")).json()["status"] == "none"
    await ann.do(f"tables/{table}/analysis")
    while (answer := (await ann.get(f"/api/tables/{table}/analysis")).json())["status"] != "done":
        assert answer["status"] in ("waiting", "working")
        await asyncio.sleep(0.1)  # an address may ask only so often


async def _solve(ann: Person, bob: Person, house: House) -> None:
    """Solve a puzzle, and look at a mistake."""
    found = puzzles_of(find("fortune"))
    assert found is not None
    await ann.do("puzzles", game="fortune", key=found.puzzles[0].key)
    table = await analysed(house, ann, bob)
    for path in ("/puzzles", "/puzzles/fortune", "/mistakes"):
        assert (await ann.get(path)).is_success
    one = next(it for it in await mistakes.of(house, (await guest_of(ann)).id) if it.table_id == table)
    await ann.do("mistakes", table=table, step=one.judged.step)


async def _invite(ann: Person, bob: Person) -> None:
    linked = await ann.make(ME, LINK)
    invite = (await ann.see(linked))["table"]["seats"][1]["invite"]
    for path in (invite.removeprefix("http://house.test"), f"/t/{linked}"):
        assert (await bob.get(path)).is_success
        assert (await bob.get(f"{path}/qr")).is_success
    await bob.do(f"tables/{linked}/sit", token=invite.rpartition("/")[2])
    assert (await bob.get(invite.removeprefix("http://house.test"))).status_code == 302


async def _share_a_device(ann: Person) -> None:
    bag = (await ann.do("tables", game="satchel", seats=[ME, {"kind": "here", "name": "Eve"}]))["id"]
    await ann.do(f"tables/{bag}/lift", seat=0)
    moved = await ann.do(f"tables/{bag}/moves", move="coin 1", version=(await ann.see(bag))["table"]["version"])
    await ann.do(f"tables/{bag}/undo", version=moved["version"])


async def _use_manners(ann: Person, bob: Person, table: str) -> None:
    for kind in ("mute", "block"):
        await ann.do(f"me/{kind}", table=table, seat=1)
        await ann.do(f"me/{kind}", table=table, seat=1, off=True)
    await ann.do("me/report", table=table, seat=1, reason="rude", words="They look at my cards.")
    assert (await ann.get("/api/notice")).is_success
    await ann.do(f"tables/{table}/rematch")
    (asked,) = (await bob.get("/api/invitations")).json()["invitations"]
    await bob.do(f"tables/{asked['id']}/decline")


async def _find_a_game(ann: Person, bob: Person) -> None:
    await bob.do("lobby/play", game="fortune", players=3, tempo="quick")
    await bob.do("lobby/stop")
    waiting = await ann.make(ME, OPEN)
    await ann.do(f"tables/{waiting}/rated", rated=False)
    await ann.do(f"tables/{waiting}/programs", programs=True)
    for tempo in ("usual", {"delay": 86400, "off": [6], "zone": "Europe/Zurich"}, None):
        await ann.do(f"tables/{waiting}/tempo", tempo=tempo)
    await ann.do(f"tables/{waiting}/delete")


async def _play_with_clocks(ann: Person, bob: Person, house: House) -> None:
    """Play against the clock, and look at the streams once the house ends them."""
    going = (await ann.do("tables", game="kuhn", seats=[ME, OPEN], tempo={"bank": 60, "increment": 5}))["id"]
    await bob.do(f"tables/{going}/sit")
    await ann.do(f"tables/{going}/start", bots=False)
    await ann.do(f"tables/{going}/absent", seat=15)
    await ann.do(f"tables/{going}/end", agree=False)
    assert (await ann.see(going))["table"]["clocks"]
    house.close_streams()  # so that this one ends
    await ann.get(f"/api/tables/{going}/events?since=-1&eyes=0", headers={"Last-Event-ID": "2"})
    await ann.get("/api/lobby/events")


async def test_refusals_are_as_described(document: Document, heard: Callable[[], Person], app: Litestar) -> None:
    app.state.rates = Rates()
    ann, bob = heard(), heard()
    table = await ann.make(ME, OPEN)
    await ann.refused("tables", 400, "unknown-name", game="none")
    await ann.refused("tables/none/moves", 404, "unknown-table", move="stop", version=0)
    await bob.refused(f"tables/{table}/start", 403, "not-host")
    await ann.refused(f"tables/{table}/moves", 409, "not-playing", move="stop", version=0)
    assert (await ann.get("/rules/none")).status_code == 404
    assert (await ann.get(f"/t/{table}/replay")).status_code == 409
    assert (await ann.get(f"/t/{table}/replay?step=-1")).status_code == 400
    assert (await ann.get("/api/me", headers={"Origin": "http://other.test"})).status_code == 403
    assert (await ann.post("/api/me", content=b"x" * 70_000)).status_code == 413
    assert (await ann.post("/api/me", content=b"name=Ann")).status_code == 415
    playing = await ann.make(ME, {"kind": "here"})  # no dice are rolled yet, so there is nothing to undo
    version = (await ann.see(playing))["table"]["version"]
    await ann.refused(f"tables/{playing}/moves", 422, "illegal-move", move="re-roll 1", version=version)
    for number in range(6):
        answer = await ann.post(f"/api/tables/{table}/chat", json={"text": f"{number}"})
    assert answer.status_code == 429
    assert {status for *_, status in document.used} >= {400, 403, 404, 409, 413, 415, 422, 429}


UNREADABLE: list[tuple[str, Any]] = [
    ("me", {"name": "Ann", "colour": "red"}), ("me", {"name": 7}), ("me", {}), ("tables", {"game": None}),
    ("tables", {"game": "kuhn", "seats": []}), ("tables/x/moves", {"move": "bet", "version": "2"}),
    ("tables/x/moves", {"move": "", "version": 2}), ("tables/x/moves", {"move": "bet", "version": -1}),
    ("tables/x/sit", {"seat": 16}), ("tables/x/pace", {"pace": "sudden"}), ("tables/x/leave", {"why": "tired"}),
    ("tables/x/delete", {"back": "yes"}), ("tables/x/rematch", {"who": "Bob"}), ("lobby/play", {}),
    ("lobby/play", {"game": "kuhn", "players": 1}), ("lobby/stop", {"now": True}), ("tables/x/decline", {"why": ""}),
    ("tables/x/start", {"bots": 1}), ("tables/x/chat", {"text": "a" * 1201}), ("tables/x/lift", []),
    ("tables/x/play-on", {"seat": 1}), ("tables/x/play-on", {"step": -1}),
    ("tables/x/play-on", {"step": 1, "seat": 16}), ("me/claim", {"name": "Ann"}), ("me/link", {"token": "x" * 65}),
    ("me/sign-in", {"name": "Ann", "password": "a" * 801}), ("me/sign-in", {"name": "A", "password": "a", "bring": 1}),
    ("me/mute", {"table": "x", "seat": 16}), ("me/block", {"off": 1}), ("me/report", {"table": "x", "seat": 1}),
    ("me/report", {"name": "Bob", "reason": "dull"}), ("me/report", {"name": "Bob", "reason": "rude", "words": 1}),
    ("me/sessions/end", {"id": 7}), ("me/preferences", {"name": 1}), ("me/preferences", {"name": "x" * 17}),
    ("me/picture", {"figure": "cat"}), ("clubs", {"name": "A"}), ("clubs/x/change", {"name": 1}), ("clubs/join", {}),
    ("clubs/x/join", {"why": ""}), ("clubs/x/leave", {"why": ""}), ("clubs/x/answer", {"off": 1}),
    ("clubs/x/remove", {}), ("clubs/x/role", {"name": "A", "role": "king"}), ("clubs/x/link", {"new": True}),
    ("clubs/x/delete", {"why": ""}), ("clubs/x/seasons", {"game": "kuhn", "size": 3}), ("me/calendar", {"new": 1}),
    ("clubs/x/seasons/x/enter", {"why": ""}), ("clubs/x/seasons/x/withdraw", {"why": ""}),
    ("clubs/x/seasons/x/start", {"why": ""}), ("clubs/x/seasons/x/cancel", {"why": ""}),
    ("clubs/x/tournaments", {"name": "A"}), ("me/calendar/end", {"new": 1}),
    ("me/moments/pin", {"table": "x", "step": -1}),
    ("me/moments/unpin", {"table": "x", "step": 1}),
    ("me/lost", {"name": 1}), ("me/device", {"for": "ever"}), ("me/holiday", {"until": -1}),
    ("me/delete", {"password": None}),
    ("me/told", {"kind": "pigeon"}), ("me/told", {"address": "x" * 1025}), ("me/told/choose", {"turn": 1}),
    ("me/told/quiet", {"begins": 22}), ("me/told/recovery/end", {"answer": 1}),
    ("me/told/end", {}), ("told/confirm", {"token": "x" * 65}), ("me/passkeys/new", {"why": "steal"}),
    ("me/passkeys/ask", {"why": "claim"}), ("me/passkeys/claim", {"name": "Ann"}), ("me/passkeys/add", {"made": None}),
    ("tournaments", {"name": "X", "game": "kuhn"}), ("tournaments", {"name": "X", "system": "lottery"}),
    ("tournaments", {"name": "X", "system": "swiss", "seats": 7}), ("tournaments/x/join", {"token": 1}),
    ("tournaments/x/remove", {"entrant": 0}), ("tournaments/x/leave", {"why": "tired"}),
    ("me/passkeys/sign-in", {"answer": {"id": "x"}}), ("me/passkeys/remove", {"id": "x" * 65}),
]  # fmt: skip


async def test_what_the_document_forbids_is_refused(document: Document, heard: Callable[[], Person]) -> None:
    """The reverse holds too: what is refused as unreadable does not fit its schema."""
    person = heard()
    for path, body in UNREADABLE:
        answer = await person.post(f"/api/{path}", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-input"), (path, body)
        _, what = document.at("POST", f"/api/{path}")
        schema = {**document.body(what), "components": document.data["components"]}
        assert not Draft202012Validator(schema).is_valid(body), (path, body)


async def test_what_the_stream_tells_is_as_described(document: Document, ann: Person, house: House) -> None:
    table = await ann.make(ME, BOT)
    guest = await house.guests.guest((await ann.get("/api/me")).json()["id"])
    live, _ = await house.look(table, guest.id)
    stream = events(house, live, guest.id, Page(), "http://house.test")
    async for event in stream:
        if event.startswith(b"event: update"):
            data = json.loads(event.partition(b"data: ")[2])
            document.check({"$ref": "#/components/schemas/Update"}, data)
            assert data["frames"]
            break
    await stream.aclose()  # type: ignore[attr-defined]
