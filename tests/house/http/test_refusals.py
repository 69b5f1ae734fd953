"""Every refusal has the same form, and is a page if a page was requested."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from litestar import Litestar

from parlour.core.errors import ParlourError
from parlour.house.errors import TooFast
from parlour.house.site import files
from parlour.house.table.play import talk
from tests.house.people import BOT, ME, OPEN, Person


def _shape(answer: object) -> str:
    body = answer.json()  # type: ignore[attr-defined]
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "clause", "allowed", "version"}
    assert body["error"]["message"].endswith(".")
    return str(body["error"]["code"])


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("GET", "/api/nowhere", 404, "not-found"),
        ("GET", "/t/none", 404, "unknown-table"),
        ("GET", "/t/none/record", 404, "unknown-table"),
        ("GET", "/t/none/replay", 404, "unknown-table"),
        ("GET", "/t/none/join/x", 404, "unknown-table"),
        ("GET", "/api/tables/none", 404, "unknown-table"),
        ("GET", "/api/tables/none/events", 404, "unknown-table"),
        ("GET", "/api/tables/none/events?since=x", 400, "bad-input"),
        ("GET", "/rules/chess", 404, "unknown-name"),
        ("GET", "/static/none.js", 404, "not-found"),
        ("GET", "/static/..%2Fdrawing.py", 404, "not-found"),
        ("DELETE", "/api/me", 405, "wrong-method"),
        ("POST", "/", 405, "wrong-method"),
        ("POST", "/api/tables/none/start", 404, "unknown-table"),
        ("POST", "/api/tables/none/leave", 404, "unknown-table"),
        ("POST", "/api/tables/none/rematch", 404, "unknown-table"),
    ],
)
async def test_addresses(ann: Person, method: str, path: str, status: int, code: str) -> None:
    answer = await ann.request(method, path)
    assert (answer.status_code, _shape(answer)) == (status, code)


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "bad-input"),
        (b"[]", "application/json", 400, "bad-input"),
        (b"null", "application/json", 400, "bad-input"),
        (b'{"name": 3}', "application/json", 400, "bad-input"),
        (b'{"nome": "x"}', "application/json", 400, "bad-input"),
        (b"\xff\xfe", "application/json", 400, "bad-input"),
        (b'{"name": "\xff"}', "application/json", 400, "bad-input"),
        (b"[" * 50_000, "application/json", 400, "bad-input"),
        (b'{"name": "x"}', "text/plain", 415, "not-json"),
        (b"name=x", "application/x-www-form-urlencoded", 415, "not-json"),
        (b'{"name": "' + b"x" * 70_000 + b'"}', "application/json", 413, "too-large"),
    ],
)
async def test_bodies(ann: Person, content: bytes, kind: str, status: int, code: str) -> None:
    answer = await ann.post("/api/me", content=content, headers={"content-type": kind})
    assert (answer.status_code, _shape(answer)) == (status, code)
    assert (await ann.get("/api/me")).json()["name"] == "Ann"


async def test_what_is_allowed_is_said(ann: Person) -> None:
    answer = await ann.request("DELETE", "/api/me")
    assert {"GET", "POST"} <= set(answer.json()["error"]["allowed"])
    assert answer.headers["allow"].split(", ") == answer.json()["error"]["allowed"]
    table = await ann.make(ME, BOT)
    for path in (f"/api/tables/{table}/events?since=x", f"/t/{table}/replay?step=x", f"/t/{table}/replay?step=-1"):
        name = path.partition("?")[2].partition("=")[0]
        assert name in (await ann.get(path)).json()["error"]["message"]


def _kinds(kind: type[ParlourError] = ParlourError) -> list[type[ParlourError]]:
    return [kind, *(one for below in kind.__subclasses__() for one in _kinds(below))]


@pytest.mark.parametrize("kind", [one for one in _kinds() if one.__module__.startswith("parlour.")])
async def test_who_can_only_wait_learns_how_long(
    ann: Person, monkeypatch: pytest.MonkeyPatch, kind: type[ParlourError]
) -> None:
    """Refusals with 429 or 503 say after how many seconds to retry, and no others do."""
    given = {"wait": 7, "kind": "anything"} if kind is TooFast else {}

    async def refuse(*_: object) -> None:
        raise kind("So it is.", **given)

    monkeypatch.setattr(talk, "say", refuse)
    for accept in ("application/json", "text/html"):
        answer = await ann.post("/api/tables/none/chat", json={"text": "x"}, headers={"accept": accept})
        assert ("retry-after" in answer.headers) == (answer.status_code in (429, 503)), answer.status_code
        assert int(answer.headers.get("retry-after", 1)) in range(1, 61)


async def test_a_browser_gets_a_page_and_a_script_json(ann: Person) -> None:
    page = await ann.get("/t/<b>none", headers={"accept": "text/html,application/xhtml+xml"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "<b>none" not in page.text
    assert (await ann.get("/api/tables/none", headers={"accept": "text/html"})).json()["error"]


async def test_pages_of_other_sites_cannot_act(ann: Person) -> None:
    table = await ann.make(ME, OPEN)
    for origin in ("https://evil.test", "null", "http://house.test.evil.test"):
        answer = await ann.post(f"/api/tables/{table}/leave", json={}, headers={"origin": origin})
        assert (answer.status_code, _shape(answer)) == (403, "other-site")
    answer = await ann.post(f"/api/tables/{table}/leave", json={}, headers={"origin": "http://house.test"})
    assert answer.status_code == 200


async def test_what_is_no_address_is_refused_and_not_a_fault_of_ours(
    ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await ann.get("/api/me", headers={"origin": "http://["})
    assert (answer.status_code, _shape(answer)) == (403, "other-site")
    for path in ("/api/me", "/t/none"):
        answer = await ann.get(path, headers={"host": "["})
        assert (answer.status_code, _shape(answer)) == (400, "bad-input"), path
    # The refusal of another site's page is logged as a warning, now and then.
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_who_hangs_up_in_the_middle_leaves_nothing_in_the_log(
    app: Litestar, caplog: pytest.LogCaptureFixture
) -> None:
    messages = [{"type": "http.request", "body": b'{"na', "more_body": True}, {"type": "http.disconnect"}]
    answered: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        answered.append(message)

    headers = [(b"host", b"house.test"), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "method": "POST", "path": "/api/me", "raw_path": b"/api/me", "query_string": b"",
        "root_path": "", "scheme": "http", "headers": headers, "server": ("house.test", 80), "client": None,
        "http_version": "1.1", "asgi": {"version": "3.0"},
    }  # fmt: skip
    await app(scope, receive, send)  # type: ignore[arg-type]
    assert answered[0]["status"] == 400
    assert not caplog.records


async def test_security_headers_are_on_everything(ann: Person) -> None:
    script = files.address("ui.js")
    pages = {"/": True, "/nowhere": True, "/sw.js": True, "/api/me": False, "/api/tables/none": False, script: False}
    for path, page in pages.items():
        headers = (await ann.get(path, headers={"accept": "text/html"} if page else {})).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none';" in policy
        assert "frame-ancestors 'none'" in policy
        assert ("script-src 'self';" in policy) == page, path
        assert headers["x-content-type-options"] == "nosniff"
        assert (headers.get("cross-origin-opener-policy") == headers.get("referrer-policy") == "same-origin") == page


async def test_chat_is_short_and_said_once(ann: Person) -> None:
    table = await ann.make(ME, OPEN)
    await ann.refused(f"tables/{table}/chat", 400, "bad-input", text="x" * 301)
    await ann.refused(f"tables/{table}/chat", 400, "bad-input", text=" ")
    first = await ann.do(f"tables/{table}/chat", text="hello", id="1")
    assert await ann.do(f"tables/{table}/chat", text="hello", id="1") == first
    await ann.do(f"tables/{table}/chat", text="hello again")
    assert [line["text"] for line in (await ann.see(table))["table"]["chat"]] == ["hello", "hello again"]
