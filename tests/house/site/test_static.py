"""Files: at addresses with a hash, cached forever, compressed in a coding that the browser accepts."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import brotli
import httpx
import pytest
import zstandard

from parlour.games import all_games
from parlour.house.app import create_app
from parlour.house.http import answering
from parlour.house.http.compression import packed
from parlour.house.settings import Settings
from parlour.house.site import files
from tests.house.people import BOT, ME, Person

HTML = {"accept": "text/html"}
SCRIPTS = sorted(name for name in files.SOURCES if name.endswith(".js"))


async def raw(person: httpx.AsyncClient, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Return an answer, and its body as sent."""
    async with person.stream("GET", path, headers={"accept-encoding": "identity", **headers}) as answer:
        return answer, b"".join([part async for part in answer.aiter_raw()])


def test_files_are_read_before_the_house_serves() -> None:
    files._ours.cache_clear()
    create_app(Settings(database="sqlite://"))
    assert files._ours.cache_info().currsize == 1  # and not while a first request holds the event loop


def unpacked(coding: str, body: bytes) -> bytes:
    """Decompress a body."""
    match coding:
        case "br":
            found: bytes = brotli.decompress(body)
            return found
        case "zstd":
            return zstandard.ZstdDecompressor().decompressobj().decompress(body)
        case "gzip":
            return gzip.decompress(body)
    return body


async def test_every_file_that_a_page_names_is_there_for_ever(ann: Person) -> None:
    """We look at pages of every kind, for every game; the modules that scripts import are beside them."""
    paths = ["/", *(f"/rules/{name}" for name in all_games())]
    for name, game in all_games().items():
        seats = [ME, *[BOT] * (game.facts.players[0] - 1)]
        paths.append(f"/t/{(await ann.do('tables', game=name, seats=seats))['id']}")
    seen: set[str] = set()
    for path in paths:
        page = (await ann.get(path)).text
        assert "<style" not in page
        assert " style=" not in page
        found = re.findall(r'(?:src|href)="(/static/[^"]*)"', page)
        assert len(found) >= 3 or "/rules/" in path, path
        seen |= {*found}
    for address in sorted(seen):
        answer = await ann.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["etag"]
        assert "set-cookie" not in answer.headers
        for other in re.findall(r'from "\./([^"]*)"', answer.text):
            assert (await ann.get(str(Path(address).parent / other))).status_code == 200
    assert len({address.split("/")[2] for address in seen if address.endswith(".js")}) == 1
    assert {address.rpartition("/")[2] for address in seen} >= {"page.css", "themes.css", "game-fortune.css"}


@pytest.mark.parametrize("kind", ["static", "templates"])
def test_no_two_subjects_have_files_of_the_same_name(kind: str) -> None:
    """They are found by their names alone."""
    names = Counter(path.name for path in files.HOUSE.rglob(f"{kind}/*"))
    assert len(names) > 30
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip", ""])
async def test_a_file_is_the_same_however_it_is_compressed(ann: Person, coding: str) -> None:
    for name in (*SCRIPTS, "page.css", "game-gatsby.css"):
        await _is_the_same(ann, name, coding)


async def _is_the_same(ann: Person, name: str, coding: str) -> None:
    file = files.find(name)
    assert file, name
    answer, body = await raw(ann, file.address, **{"accept-encoding": coding or "identity"})
    assert answer.headers.get("content-encoding", "") == (coding if len(file.data) >= answering.TINY else ""), name
    assert unpacked(answer.headers.get("content-encoding", ""), body) == file.data, name
    assert answer.headers["content-type"].startswith(("text/javascript", "text/css")), name
    again, nothing = await raw(
        ann, file.address, **{"accept-encoding": coding or "identity", "if-none-match": answer.headers["etag"]}
    )
    assert (again.status_code, nothing) == (304, b""), name
    assert again.headers["cache-control"] == answer.headers["cache-control"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_sent_without_comments_and_types_and_with_all_their_code(name: str) -> None:
    """Line by line, as they are written: a comment ends where it says, and code beside it stays. Indentation is never
    part of a string, as no string goes over a line's end."""
    code, inside = [], False
    for line in files.SOURCES[name].read_text("utf-8").splitlines():
        text = re.sub(r"/\*\*.*?\*/ ?", "", line)
        inside = inside or "/**" in text
        if not inside and (text := text.strip()) and not text.startswith("//"):
            code.append(text)
            assert text.count("`") % 2 == 0, text
        inside = inside and "*/" not in text
    file = files.find(name)
    assert file
    sent = file.data.decode().splitlines()
    assert not any("@type" in line or "@param" in line for line in sent)
    assert [line.partition(" // ")[0] for line in sent] == [line.partition(" // ")[0] for line in code]


async def test_the_best_of_what_a_browser_takes_is_sent(ann: Person) -> None:
    """We send what today's browsers send, and headers that allow or forbid some codings."""
    path = files.address("page.css")
    for accept, coding in (
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate, zstd", "zstd"),
        ("gzip", "gzip"),
        ("br;q=0, *", "zstd"),
        ("deflate", ""),
        ("", ""),
    ):
        answer, _ = await raw(ann, path, **{"accept-encoding": accept})
        assert answer.headers.get("content-encoding", "") == coding, accept


async def test_a_page_from_before_an_upgrade_still_finds_its_files(ann: Person) -> None:
    """It requests a hash that is gone, and gets all present scripts, from one place."""
    for name in ("table.js", "page.css", "game-fortune.css", "themes.css"):
        answer = await ann.get(f"/static/0123456789abcdef/{name}", follow_redirects=False)
        assert answer.status_code == 302
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["location"] == f"/static/now/{name}"
        found = await ann.get(answer.headers["location"], follow_redirects=False)
        assert found.status_code == 200
        assert found.headers["cache-control"] == "no-cache"
        file = files.find(name)
        assert file
        assert found.content == file.data
    assert './ui.js"' in (await ann.get("/static/now/table.js")).text  # a module's own address after redirects counts


NO_FILES = [
    "/static/%00",
    "/static/table.js",
    "/static/now/none.js",
    "/static/now/drawing.py",
    "/static/0123456789abcdef/none.js",
    "/static/now/..%2Fdrawing.py",
    "/static/now/game-none.css",
    "/static/now/game-.css",
    "/static/now/../../pages/drawing.py",
]


async def test_what_is_no_file_is_not_found(ann: Person) -> None:
    for path in NO_FILES:
        answer = await ann.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found"), path


async def test_each_file_is_compressed_once(arrive: Callable[[], Person], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compressed once for each coding, with any number of requests."""
    made: list[str] = []

    def counted(data: bytes, coding: str, *, best: bool = False) -> bytes:
        made.append(coding)
        return packed(data, coding, best=best)

    monkeypatch.setattr(answering, "_made", {})
    monkeypatch.setattr(answering, "packed", counted)
    for coding in ("br", "gzip", "br", "gzip"):
        await raw(arrive(), files.address("table.js"), **{"accept-encoding": coding})
    assert made == ["br", "gzip"]


async def test_the_first_view_weighs_fifty_kilobytes_at_most(ann: Person) -> None:
    """We count the lobby and all that it loads, as sent to a browser with an empty cache. Browsers request the icon for
    a home screen only when they need it, and programs the pictures for previews."""
    asked = {"accept-encoding": "br, zstd, gzip"}
    answer, body = await raw(ann, "/", **HTML, **asked)
    page = unpacked(answer.headers["content-encoding"], body).decode()
    page = re.sub(r'<link rel="apple-touch-icon"[^>]*>', "", page)
    waiting, loaded, weight = [*re.findall(r'(?:href|src)="(/static/[^"]+)"', page)], set(), len(body)
    while waiting:
        path = waiting.pop()
        if path in loaded:
            continue
        loaded.add(path)
        answer, body = await raw(ann, path, **asked)
        weight += len(body)
        if path.endswith(".js"):
            script = unpacked(answer.headers.get("content-encoding", ""), body).decode()
            waiting += [
                f"{path.rsplit('/', 1)[0]}/{name}"
                for name in re.findall(r'^import [^;]*"\./([^"]+)"', script, re.MULTILINE)
            ]
    assert {one.rsplit(".", 1)[1] for one in loaded} == {"css", "js", "svg", "webmanifest"}
    print(f"\n{weight} bytes in {len(loaded)} files and a page")
    assert weight <= 50_000


async def test_a_page_that_a_browser_has_keeps_its_policy(ann: Person) -> None:
    """The headers of an answer 304 replace those of the stored page: with the policy of data, it would load nothing."""
    for path in ("/rules/fortune", files.address("theme.js")):
        answer, _ = await raw(ann, path, **HTML)
        again, _ = await raw(ann, path, **HTML, **{"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
        assert "content-security-policy" not in again.headers
        assert "no-store" not in again.headers["cache-control"]
