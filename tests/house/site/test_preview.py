"""What other programs than browsers show of the pages: previews of links, and icons on a home screen."""

from __future__ import annotations

import json
import re
import struct
import zlib
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from parlour.games import all_games, find
from parlour.house.site import files
from tests.house.people import BOT, LINK, ME, OPEN, Person, play_on, two_at_table
from tests.house.serving import Nursery, Server

LARGEST = 52_000  # bytes of a cover; a crawler accepts 300,000
HOUSE = "http://games.example.org"  # its address behind a proxy, which forwards the requested name
ASKED = {"host": "games.example.org"}


class Head(HTMLParser):
    """A parser of a page's metas and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.metas: dict[str, list[str]] = {}
        self.links: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "meta" and "content" in given:
            self.metas.setdefault(given.get("property") or given.get("name", ""), []).append(given["content"])
        elif tag == "link":
            self.links[given["rel"]] = given["href"]

    def og(self, name: str) -> str:
        """Return the value of this name, which must occur once."""
        (found,) = self.metas[f"og:{name}"]
        return found


def size(png: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG with a palette; check that every chunk and every row is complete."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + data)
        chunks[name] = chunks.get(name, b"") + data
        at += 12 + length
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, kind, at) == (8, 3, len(png))
    assert len(zlib.decompress(chunks[b"IDAT"])) == height * (width + 1)
    return width, height


@pytest.fixture(scope="module")
def server(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Start a real server."""
    folder = tmp_path_factory.mktemp("preview")
    return nursery.start(database=f"sqlite:///{folder / 'parlour.db'}", names=["games.example.org"])


def person(server: Server) -> Person:
    return Person(base_url=server.url, headers=ASKED, timeout=30)


async def head(server: Server, path: str) -> Head:
    """Return the head of a page for a program without a cookie; check that its addresses are complete."""
    async with httpx.AsyncClient(base_url=server.url, headers=ASKED) as crawler:
        answer = await crawler.get(path, headers={"user-agent": "Twitterbot/1.0", "accept": "*/*"})
        assert answer.status_code == 200
        found = Head(answer.text)
        image = await crawler.get(found.og("image").removeprefix(HOUSE))
        assert found.og("image").startswith(f"{HOUSE}/static/")
        assert image.headers["content-type"] == "image/png"
        assert image.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert size(image.content) == (int(found.og("image:width")), int(found.og("image:height"))) == (1200, 630)
        assert found.metas["twitter:card"] == ["summary_large_image"]
        assert found.metas["description"] == [found.og("description")]
        return found


async def test_the_lobby_says_what_it_is(server: Server) -> None:
    found = await head(server, "/")
    assert (found.og("title"), found.og("url"), found.og("site_name")) == ("Parlour", f"{HOUSE}/", "Parlour")
    assert "No account" in found.og("description")


async def test_a_table_that_waits_says_who_is_there(server: Server) -> None:
    """Names are text; one written from right to left does not reorder the words around it."""
    async with person(server) as ann, person(server) as bob:
        await ann.do("me", name='A"><b>&')
        await bob.do("me", name="\u05d3\u05e0\u05d4")
        table = await ann.make(ME, OPEN, LINK)
        found = await head(server, f"/t/{table}")
        assert found.og("title") == 'Sit down at a table of Fortune with A"><b>&'
        assert found.og("url") == f"{HOUSE}/t/{table}"
        assert found.og("description").startswith("1 free seat. Eight dice")
        await bob.do(f"tables/{table}/sit")
        found = await head(server, f"/t/{table}")
        assert found.og("title") == 'A table of Fortune with A"><b>& and \u2068\u05d3\u05e0\u05d4\u2069'
        assert "kept for friends" in found.og("description")
        link = (await ann.see(table))["table"]["seats"][2]["invite"]
        found = await head(server, link.removeprefix(HOUSE))
        assert found.og("title").startswith("Sit down at a table of Fortune with ")
        assert found.og("description").startswith("A seat is kept for you. ")
        assert found.og("url") == f"{HOUSE}/t/{table}"  # the preview does not contain the seat's link
        assert (await ann.see(table))["table"]["seats"][2]["kind"] == "link"  # looking takes no seat


async def test_a_game_tells_its_players_and_at_the_end_its_result(server: Server) -> None:
    async with person(server) as ann, person(server) as bob:
        await ann.do("me", name="Ann")
        await bob.do("me", name="Bob")
        table = await two_at_table(ann, bob, options={"round_limit": "100", "target": "5000"})
        found = await head(server, f"/t/{table}")
        assert (found.og("title"), found.og("description")) == (
            "Fortune: Ann and Bob", "The game is in play. Come and watch.",
        )  # fmt: skip
        await play_on(table, 5000, ann, bob, first=True)
        view = (await ann.see(table))["table"]
        scores = dict(zip((seat["name"] for seat in view["seats"]), view["scores"], strict=True))
        best, other = sorted(scores, key=lambda name: -scores[name])
        shown = {name: f"{score:,}".replace("-", "\N{MINUS SIGN}") for name, score in scores.items()}
        result = f"{best} {shown[best]}, {other} {shown[other]}."
        found = await head(server, f"/t/{table}")
        assert (found.og("title"), found.og("description")) == (f"{best} wins at Fortune", result)
        found = await head(server, f"/t/{table}/replay?step=3")
        assert found.og("title") == "Replay of Fortune: Ann and Bob"
        assert found.og("description") == f"{best} wins at Fortune. {result}"
        assert found.og("url") == f"{HOUSE}/t/{table}/replay"


async def test_of_a_game_under_way_nothing_but_its_players_is_previewed(server: Server) -> None:
    """The preview is the same at every step, including for a player, whose hand no one else knows."""
    async with person(server) as ann:
        await ann.do("me", name="Ann")
        for name, game in all_games().items():
            seats = [ME, *[BOT] * (game.facts.players[0] - 1)]
            table = str((await ann.do("tables", game=name, seats=seats))["id"])
            for _ in range(3):
                seen = await ann.see(table)
                metas = Head((await ann.get(f"/t/{table}")).text).metas
                names = [seat["name"] for seat in seen["table"]["seats"]]
                players = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
                assert metas["og:title"] == [f"{game.text.TITLE}: {players}"]
                assert metas["og:description"] == ["The game is in play. Come and watch."]
                if seen["legal"]:
                    body = {"move": seen["legal"][0], "version": seen["table"]["version"]}
                    await ann.post(f"/api/tables/{table}/moves", json=body)


async def test_the_page_can_be_kept_on_a_home_screen(server: Server) -> None:
    """Every icon has the stated size, and is where the manifest says, relative to the manifest."""
    async with httpx.AsyncClient(base_url=server.url, headers=ASKED) as browser:
        page = await browser.get("/")
        assert "manifest-src 'self'" in page.headers["content-security-policy"]
        found = Head(page.text)
        answer = await browser.get(found.links["manifest"])
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest: dict[str, Any] = json.loads(answer.text)
        assert (manifest["short_name"], manifest["start_url"], manifest["scope"], manifest["display"]) == (
            "Parlour",
            "/",
            "/",
            "standalone",
        )
        purposes = set()
        for icon in manifest["icons"]:
            file = await browser.get(str(httpx.URL(found.links["manifest"]).join(icon["src"])))
            assert file.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                assert "content-encoding" not in file.headers
                assert "{}x{}".format(*size(file.content)) == icon["sizes"]
                purposes.add((icon["sizes"], icon.get("purpose", "any")))
        assert purposes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
        touch = await browser.get(found.links["apple-touch-icon"])
        assert size(touch.content) == (180, 180)
        assert (await browser.get(found.links["icon"])).headers["content-type"].startswith("image/svg+xml")
        (light, dark) = found.metas["theme-color"]
        sheet = (await browser.get(files.address("page.css"))).text
        assert f"--paper:var(--light,{light}) var(--dark,{dark})" in sheet
        assert manifest["theme_color"] == manifest["background_color"] == light


def test_every_game_of_ours_has_a_small_cover() -> None:
    for name in all_games():
        file = files.cover_of(find(name))
        assert file.name == f"cover-{name}.png"
        assert size(file.data) == (1200, 630)
        assert len(file.data) <= LARGEST
        assert files.find(file.name) == file


def test_a_game_without_a_cover_has_that_of_the_house() -> None:
    from parlour.core.game import Game

    assert files.cover_of(Game("kuhn", "tests.fixtures.kuhn")).name == "cover.png"
    assert size(files.cover_of(Game("kuhn", "tests.fixtures.kuhn")).data) == (1200, 630)
    assert files.find("cover-none.png") is None
    assert re.fullmatch(r"/static/[0-9a-f]{16}/cover\.png", files.address("cover.png"))
    assert files.SOURCES["manifest.webmanifest"].is_file()
