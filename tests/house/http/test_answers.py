"""Answers on the wire: how each is compressed, which parts are compressed separately, who may cache it, and HEAD."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from litestar import Litestar

from parlour.core.game import Game
from parlour.house.house import House
from parlour.house.http import answering, compression
from parlour.house.site import files
from parlour.house.table.live.audience import Kept
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.table import Table
from parlour.house.table.web import updates
from tests.found import added
from tests.house.forging import begun
from tests.house.people import ME, OPEN, Person, two_at_table
from tests.house.site.test_static import raw, unpacked

BROWSER = {"accept-encoding": "gzip, deflate, br, zstd", "accept": "text/html"}
LINK = {"kind": "link"}
EVERY_TIME = {"date", "server-timing", "set-cookie"}  # each new visitor gets another cookie


def segments(body: bytes) -> list[str]:
    """Return the segments of a gzip stream, each decompressed alone, as none refers to another."""
    assert body.startswith(compression.HEAD)
    found, rest = [], b""
    for piece in body[len(compression.HEAD) : -8].split(b"\x00\x00\xff\xff")[:-1]:
        rest += piece + b"\x00\x00\xff\xff"
        try:
            found.append(zlib.decompressobj(-zlib.MAX_WBITS).decompress(rest).decode())
        except (zlib.error, UnicodeDecodeError):  # the mark occurred by chance in compressed data
            continue
        rest = b""
    assert not rest
    return found


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def finished(ann: Person, bob: Person) -> str:
    """Play a game of Kuhn to its end; return its id."""
    table = await two_at_table(ann, bob, game="kuhn")
    for version, person in enumerate((ann, bob), 2):
        await person.do(f"tables/{table}/moves", move="bet", version=version)
    assert (await ann.see(table))["table"]["status"] == "over"
    return table


async def ask(app: Litestar, method: str, path: str, person: Person) -> tuple[int, dict[str, str], bytes]:
    """Return the answer: status, headers without those that always change, body. Disconnect from a stream."""
    cookies = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
    sent = {"host": "house.test", "cookie": cookies, **BROWSER}
    scope = {
        "type": "http", "method": method, "path": unquote(path), "raw_path": path.encode(), "query_string": b"",
        "root_path": "", "scheme": "http", "headers": [(name.encode(), text.encode()) for name, text in sent.items()],
        "server": ("house.test", 80), "client": None, "http_version": "1.1", "asgi": {"version": "3.0"},
    }  # fmt: skip
    messages: list[Any] = []
    begun = asyncio.Event()

    async def receive() -> Any:
        if not begun.is_set() and not messages:
            begun.set()
            return {"type": "http.request", "body": b"", "more_body": False}
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(scope, receive, send)  # type: ignore[arg-type]
    headers = {name.decode().lower(): text.decode() for name, text in messages[0]["headers"]}
    body = b"".join(message["body"] for message in messages[1:])
    return messages[0]["status"], {name: headers[name] for name in headers.keys() - EVERY_TIME}, body


async def addresses(ann: Person, bob: Person) -> dict[str, list[str]]:
    """Return each address of the OpenAPI document, with real ids: of tables that wait, play and are over."""
    waiting = await ann.make(ME, LINK, OPEN)
    token = (await ann.see(waiting))["table"]["seats"][1]["invite"].rpartition("/")[2]
    playing = await two_at_table(ann, bob)
    over = await finished(ann, bob)
    document = (await ann.get("/schema")).json()
    found: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method in operations:
            for table in (waiting, playing, over, "none") if "{table_id}" in path else ("",):
                names = {"table_id": table, "token": token, "game": "fortune", "name": "ann", "clause": "FO-1"}
                names |= {"edition": "classic-35", "playtest": "none", "entry": "1"}
                names |= dict.fromkeys(("tournament", "club", "season"), "none")
                found.setdefault(method, []).append(re.sub(r"\{(\w+)\}", lambda m, names=names: names[m[1]], path))
    assert len(found["get"]) > 20
    assert len(found["post"]) > 20
    return found


async def test_no_answer_but_those_that_are_everybodys_may_be_kept(app: Litestar, ann: Person, bob: Person) -> None:
    every = await addresses(ann, bob)
    public = {"/rules/fortune", "/rules/fortune/sheet", "/schema", "/help", "/about", "/contact", "/privacy"}
    for path in [*every["get"], "/nowhere", "/static/now/none.js", "/rules/none"]:
        status, headers, _ = await ask(app, "GET", path, ann)
        allowed = {"no-cache"} if path in public else {"private, no-store"}
        if path.endswith(("/record", ".ics")):
            allowed.add("private, no-cache")
        assert headers.get("cache-control", "nothing") in allowed, (path, status)
        page = headers.get("content-type", "").startswith(("text/html", "image/svg"))
        assert ("style-src 'self';" in headers["content-security-policy"]) == page, path
    for path in every["post"]:
        answer = await ann.post(path, json={})
        assert answer.headers.get("cache-control") == "private, no-store", path
    for path in public:
        assert "set-cookie" not in (await ann.get(path)).headers


async def test_a_finished_record_may_be_kept_by_its_reader_and_no_other(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    assert (await ann.get(f"/t/{table}/record")).headers["cache-control"] == "private, no-store"
    over = await finished(ann, bob)
    assert (await ann.get(f"/t/{over}/record")).headers["cache-control"] == "private, no-cache"


async def test_head_says_what_get_does_and_opens_nothing(
    app: Litestar, ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This is tried at every address that has GET; no stream is opened."""
    every = await addresses(ann, bob)
    opened: list[str] = []
    listening = house.presence.listening

    def noted(table: Table, *more: Any) -> Any:
        opened.append(table.id)
        return listening(table, *more)

    monkeypatch.setattr(house.presence, "listening", noted)
    others = ["/schema", "/nowhere", "/static/now/none.js", "/static/x/ui.js", files.address("table.js")]
    for path in [*every["get"], *others]:
        status, headers, _ = await ask(app, "GET", path, ann)
        before = len(opened)
        head, same, body = await ask(app, "HEAD", path, ann)
        assert (head, body) == (status, b""), path
        assert {name: same.get(name) for name in {*headers, *same}} == headers, path
        assert len(opened) == before, path
    assert opened  # by GET
    refused = await ann.request("HEAD", f"/api/tables/{'none'}/moves")
    assert refused.status_code == 405
    assert refused.headers["allow"].split(", ") == ["OPTIONS", "POST"]
    assert "HEAD" in (await ann.request("DELETE", "/api/me")).headers["allow"].split(", ")


async def test_an_answer_is_the_same_however_it_went(ann: Person, bob: Person) -> None:
    """Pages, data and the record are the same, plain and compressed; small answers are not compressed."""
    table = await two_at_table(ann, bob)
    over = await finished(ann, bob)
    paths = ["/", f"/t/{table}", f"/t/{over}", f"/t/{over}/replay", f"/t/{table}/record", f"/api/tables/{table}"]
    for path in [*paths, f"/api/tables/{over}/replay", "/rules/fortune", "/schema", "/nowhere"]:
        plain = (await raw(ann, path, accept="text/html"))[1]
        for accept in ("gzip", "gzip, deflate, br, zstd"):
            answer, body = await raw(ann, path, accept="text/html", **{"accept-encoding": accept})
            assert answer.headers["vary"] == "Accept-Encoding", path
            coding = answer.headers.get("content-encoding", "")
            assert unpacked(coding, body) == plain, path
            assert bool(coding) == (len(plain) >= compression.SMALL), path
            assert len(body) < 0.7 * len(plain) or not coding, path
    answer, body = await raw(ann, "/api/me", **{"accept-encoding": "gzip, br, zstd"})
    assert "content-encoding" not in answer.headers
    assert json.loads(body)["name"] == "Ann"


@pytest.mark.parametrize("path", ["/t/{}", "/api/tables/{}"])
async def test_no_secret_stands_in_one_segment_with_what_others_write(ann: Person, bob: Person, path: str) -> None:
    """A seat's link, names and chat are compressed separately, so no guess at the link makes the answer shorter."""
    table = await ann.make(ME, LINK, OPEN)
    await bob.do(f"tables/{table}/sit")
    link = (await ann.see(table))["table"]["seats"][1]["invite"]
    token = link.rpartition("/")[2]
    await bob.do(f"tables/{table}/chat", text="a line by Bob")
    answer, body = await raw(ann, path.format(table), **BROWSER)
    assert answer.headers["content-encoding"] == "gzip"  # the one coding whose segments can be joined
    found = segments(body)
    holding = [text for text in found if token in text]
    assert holding
    assert {text.strip('"') for text in holding} <= {link, token}
    assert any("a line by Bob" in text for text in found)


async def test_the_hand_and_the_talk_are_apart(ann: Person, bob: Person) -> None:
    """A page has separate parts: the scene and the log with hidden things, the chat, the rest, and what is common."""
    table = await begun(ann, bob)
    await bob.do(f"tables/{table}/chat", text="is it the sheep?")
    for path, scene, talk in (
        (f"/t/{table}", 'data-key="hand"', "is it the sheep?"),
        (f"/api/tables/{table}", '"key":"hand"', "is it the sheep?"),
    ):
        found = segments((await raw(ann, path, **BROWSER))[1])
        (board,) = [text for text in found if scene in text]
        (said,) = [text for text in found if talk in text]
        assert board != said
        assert "Bob" not in said or scene not in said


async def test_a_private_table_in_the_lobby_is_apart_from_others_words(
    ann: Person, arrive: Callable[[], Person]
) -> None:
    """Only its unknown id keeps strangers out."""
    private = await ann.make(ME, OPEN, public=False)
    eve = arrive()
    await eve.do("me", name="t/" + private[:6])
    await eve.make(ME, OPEN)
    found = segments((await raw(ann, "/", **BROWSER))[1])
    for text in found:
        assert private not in text or f">t/{private[:6]}<" not in text
    assert any(private in text for text in found)
    assert any(f">t/{private[:6]}<" in text for text in found)


async def test_what_is_the_same_for_everybody_is_compressed_once(ann: Person, bob: Person, monkeypatch: Any) -> None:
    """The frame of a game's page with its art is; we count the bytes that are compressed for each further guest."""
    table = str((await ann.do("tables", game="gatsby", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await raw(bob, f"/t/{table}", **BROWSER)
    worked: list[int] = []
    segment = compression.segment

    def counted(data: bytes, level: int = compression.LEVEL) -> bytes:
        worked.append(len(data))
        return segment(data, level)

    monkeypatch.setattr(compression, "segment", counted)
    _, body = await raw(ann, f"/t/{table}", **BROWSER)
    whole = len(gzip.decompress(body))
    assert sum(worked) < 0.6 * whole
    scene = (await ann.see(table))["scene"]
    assert scene
    assert max(worked) <= answering.LARGE


async def test_what_is_large_is_compressed_in_a_thread(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """So no other request waits: the event loop compresses nothing longer than LARGE."""
    done: list[str] = []
    to_thread = asyncio.to_thread

    async def noted(work: Callable[..., Any], *args: Any) -> Any:
        done.append(work.__name__)
        return await to_thread(work, *args)

    monkeypatch.setattr(asyncio, "to_thread", noted)
    monkeypatch.setattr(answering, "LARGE", 100)
    await raw(ann, "/", **BROWSER)
    assert "_apart" in done


async def test_what_looks_like_a_link_makes_no_more_parts(ann: Person, bob: Person, house: House) -> None:
    """Each part costs time: 3,700 of them blocked the loop for a tenth of a second. Links are recognised by their own
    words."""
    table = await ann.make(ME, LINK, OPEN)
    await bob.do(f"tables/{table}/sit")
    link = (await ann.see(table))["table"]["seats"][1]["invite"]
    live = await house.table(table)
    eyes = eyes_of(live, live.row.host)

    def sent_parts() -> list[bytes]:
        sent = updates.message(live, eyes, "http://house.test", updates.Page(), Kept())
        assert sent
        return updates.apart(sent, live)

    parts = sent_parts()
    token = link.rpartition("/")[2]
    assert [part.decode() for part in parts if part.decode() in link] == [token] * 2  # of the QR code and of the link
    await bob.do(f"tables/{table}/chat", text="/join/a " * 37)
    assert len(sent_parts()) == len(parts)
    for path in ("/", f"/t/{table}", f"/api/tables/{table}"):
        found = segments((await raw(ann, path, **BROWSER))[1])
        assert len(found) < 16, path
