"""No request blocks the event loop, so that no other request waits for it.

The server is a real one with the longest games, and the positions in which a new deal is hardest. Every address is
requested as a player and as a stranger, over and over, while tables are unloaded and loaded all the time. The server's
own watchdog says how long the loop's thread computed in one piece; the delays of a busy machine do not count.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import sqlalchemy as sa

from parlour.core.clauses import clauses
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.puzzle import puzzles_of
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.games import find
from parlour.house import openapi
from parlour.house.playtests import rows as playtests
from parlour.house.playtests import schema as playtest_schema
from parlour.house.playtests.rows import EditionRow, Playtest
from parlour.house.site import api as site_api
from parlour.house.table.storage import schema as storage
from parlour.house.table.web import api as web_api
from tests.house.serving import Nursery
from tests.house.shelf import Shelf, Shelved
from tests.models.lockstep import RARE, Pair, Strand, Walk, strands

LONGEST = 0.1  # seconds that the loop may compute in one piece
GAMES = [
    ("fortune", 4, {}), ("aces-and-faces", 6, {}), ("facets-of-fortune", 4, {}), ("gatsby", 2, {}),
    ("family-trade", 4, {"ruleset": "market-making", "honour_calls": "on"}),
    ("family-trade", 4, {"ruleset": "god-of-the-market"}), ("family-trade", 4, {"ruleset": "battle-royale"}),
]  # fmt: skip
PLAYTEST = "p" * 16
CLAUSES = {name: next(iter(clauses(find(name)))) for name, *_ in GAMES}
SEEDS = 3  # games of each, of which the longest is taken
OFTEN = 0.05  # seconds between two requests of the uninvolved guest


def at_random(game: Game, players: int, options: dict[str, str], seed: int) -> Match:
    """Return a finished random game."""
    match = Match(game, players, edition=list(game.editions)[-1], options=options, seed=seed, auto=False)
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 0)
    while (player := match.current_player) != TERMINAL:
        legal = match.legal_action_ids()
        match.advance(
            game.rules.sample_chance(match.state, rng) if player == CHANCE else legal[random_below(rng, len(legal))]
        )
    return match


def played(name: str, players: int, options: dict[str, str]) -> tuple[Match, Match]:
    """Return the longest of a few random games, and the same without its last decision and what followed."""
    game = find(name)
    longest = max((at_random(game, players, options, seed) for seed in range(SEEDS)), key=lambda match: match.version)
    last = max(i for i, (actor, _, _) in enumerate(longest.steps) if actor >= 0)
    match = Match(game, players, edition=longest.edition, options=options, seed=longest.seed, auto=False)
    for _, action, _ in longest.steps[:last]:
        match.advance(action)
    return longest, match


def eyes(match: Match) -> list[int | None]:
    """Return a stranger (None), the player to move, and another player."""
    player = max(match.current_player, 0)
    return [None, player, (player + 1) % len(match.names)]


def cornered(strand: Strand, seed: int) -> Match:
    """Return a position from a game that prefers rare moves and rare chance (tests/models)."""
    walk, choice = Walk(strand, seed), random.Random(seed)
    pair = Pair(strand.mixed(choice), strand)
    for _ in range(choice.randrange(40, 400)):
        if not (choices := pair.look()):
            break
        pair.step(walk._choose(pair, choices, RARE, choice))
    return pair.match


async def quietly(work: Any) -> None:
    """Read an answer and ignore it."""
    with contextlib.suppress(httpx.HTTPError):
        await work


async def ask(
    client: httpx.AsyncClient, game: str, table: str, move: str, version: int, *, player: bool, beside: bool
) -> None:
    """Send every request about one table; those that change it are refused, or wrong. `beside`: also those about no
    table."""
    post, get = client.post, client.get
    for path in (
        "/", "/schema", "/static/now/page.css", f"/static/now/game-{game}.css",
        f"/rules/{game}", f"/rules/{game}/sheet", f"/t/{table}", f"/t/{table}/join/none", f"/t/{table}/join/none/qr",
        f"/t/{table}/qr", f"/new/{game}?table:players=2", f"/new/{game}/none",
        f"/t/{table}/replay", f"/t/{table}/replay?step=3", f"/t/{table}/moment?entry=3",
        f"/t/{table}/record", "/api/me", f"/api/tables/{table}", f"/api/tables/{table}/replay",
        f"/api/tables/{table}/replay?step=2", f"/api/tables/{table}/replay?step=2&until=13",
        f"/api/tables/{table}/here?pulse=none", "/api/lobby/here?pulse=none",
        f"/api/tables/{table}/position", f"/api/games/{game}", f"/api/games/{game}/rulebook",
        f"/api/games/{game}/clauses/none", f"/api/games/{game}/ratings",
    ):  # fmt: skip
        await quietly(get(path))
    for path, begins in ((f"/api/tables/{table}/events?since=-1", "data: "), (f"/api/tables/{table}/positions", "{")):
        with contextlib.suppress(httpx.HTTPError):
            async with client.stream("GET", path) as stream:
                async for line in stream.aiter_lines():
                    if line.startswith(begins):
                        break
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("moves", {"move": move, "version": version}), ("moves", {"move": "castle", "version": version}),
        ("moves", {"move": move, "version": 0}), ("undo", {"version": version}), ("hint", {"version": version}),
        ("lift", {"seat": 0}), ("sit", {"seat": 0}), ("seats", {"seat": 0, "kind": "bot"}), ("pace", {"pace": "fast"}),
        ("rated", {"rated": True}), ("tempo", {"tempo": "usual"}),
        ("start", {}), ("chat", {"text": "hello"}), ("play-on", {"step": 2}),
        ("absent", {"seat": 0}), ("end", {"agree": False}), ("decline", {}), ("programs", {}),
        ("note", {"kind": "opened", "clause": CLAUSES[game]}),
        ("answers", {"fun": 1, "clear": 1, "length": 1, "again": 1}),
    ]  # fmt: skip
    for path, body in bodies:
        if not (player and path in ("moves", "sit") and body.get("move") == move and body["version"] == version):
            await quietly(post(f"/api/tables/{table}/{path}", json=body))
    await quietly(post("/api/lessons", json={"game": game}))
    for path in BESIDE if beside else ():
        await quietly(get(path))
    for path, body in SENT_BESIDE if beside else ():
        await quietly(post(f"/api/{path}", json={"game": game} if path == "lobby/play" else body))


# Requests that are not about one table. (Passwords are hashed in a thread; `accounts/test_claiming.py` times them.)
BESIDE = (
    "/me", "/me/export", "/p/nemo", "/best/fortune", "/link", "/told/unknown", "/sw.js", "/offline", "/robots.txt",
    "/help", "/about", "/contact", "/privacy",
    "/api/invitations", "/api/notice", "/api/games", "/house", "/house/enter/none",
    "/playtests", "/playtests/none", "/playtests/none/data", "/try/none", "/today", "/today/fortune",
    "/puzzles", "/puzzles/fortune", "/mistakes",
    "/api/playtests/none/bots", "/api/playtests/none/expert", "/api/games/fortune/today",
    "/api/tournaments", "/api/tournaments/none", "/api/tournaments/none/standings", "/api/tournaments/none/games",
    "/tournaments", "/tournaments/new", "/tournaments/none", "/tournaments/none/qr", "/tournaments/none/results",
    "/api/tournaments/none/events",
    "/clubs", "/clubs/none", "/clubs/join/none", "/calendar.ics", "/clubs/none/calendar.ics", "/calendar/none",
    "/api/clubs", "/api/clubs/none", "/api/clubs/none/seasons/none",
)  # fmt: skip
FORTUNE = puzzles_of(find("fortune"))
PUZZLE = FORTUNE.puzzles[0].key if FORTUNE else ""
PICTURE = {"figure": "cat", "pattern": "dots", "ground": "plum", "ink": "cream"}
ANSWER = {"id": "bm9uZQ", "response": {"clientDataJSON": "e30", "attestationObject": "oA", "authenticatorData": "AA"}}
SENT_BESIDE: list[tuple[str, dict[str, Any]]] = [
    ("lobby/play", {}), ("lobby/stop", {}), ("me/sign-in", {"name": "nobody", "password": "a long one"}),
    ("me/mute", {"name": "nobody"}), ("me/block", {"id": "none"}), ("me/report", {"name": "nobody", "reason": "rude"}),
    ("me/link/look", {"token": "none"}), ("me/link", {"token": "none"}), ("me/device", {}), ("me/password", {}),
    ("me/told", {"kind": "hook", "address": "https://example.org/"}), ("told/confirm", {"token": "none"}),
    ("me/holiday", {}), ("me/told/quiet", {"begins": "22:00", "ends": "07:00", "zone": "Europe/Zurich"}),
    ("me/told/choose", {"id": "none"}), ("me/told/end", {"id": "none"}), ("me/lost", {"name": "nobody"}),
    ("me/preferences", {"name": "theme", "value": "dark"}), ("me/moments/unpin", {"table": "none", "place": 0}),
    ("me/moments/pin", {"table": "none", "step": 0}), ("me/picture", {"figure": "cat"}),
    ("me/passkeys/new", {"why": "claim", "name": "nobody"}),
    ("me/passkeys/ask", {"why": "sign-in"}), ("me/passkeys/claim", {"name": "nobody", "made": ANSWER}),
    ("me/passkeys/sign-in", {"answer": ANSWER}), ("me/passkeys/add", {"made": ANSWER}),
    ("me/passkeys/remove", {"id": "none", "answer": ANSWER}), ("me/tokens/new", {"name": "a program"}),
    ("me/tokens/revoke", {"id": "none"}),
    ("playtests", {"name": "nobody", "game": "fortune", "editions": [{"changes": {"deck.gold": 5}}]}),
    ("playtests/join", {"token": "none"}), ("playtests/none/consent", {"agree": True}),
    ("playtests/none/open", {"open": True}), ("playtests/none/bots", {}), (f"playtests/{PLAYTEST}/bots", {}),
    ("playtests/none/expert", {}), ("today", {"game": "fortune"}),
    ("puzzles", {"game": "fortune", "key": "none"}), ("mistakes", {"table": "none", "step": 1}),
    ("puzzles", {"game": "fortune", "key": PUZZLE, "move": "stop"}),
    ("tournaments", {"name": "nobody", "system": "swiss", "game": "fortune"}), ("tournaments/none/join", {}),
    ("tournaments/none/leave", {}), ("tournaments/none/start", {}), ("tournaments/none/cancel", {}),
    ("tournaments/none/remove", {"entrant": 1}),
    ("clubs", {"name": "No club", **PICTURE}), ("clubs/join", {"token": "none"}), ("clubs/none/join", {}),
    ("clubs/none/change", {"name": "No club", **PICTURE}), ("clubs/none/leave", {}), ("clubs/none/link", {}),
    ("clubs/none/answer", {"name": "nobody"}), ("clubs/none/remove", {"name": "nobody"}), ("clubs/none/delete", {}),
    ("clubs/none/role", {"name": "nobody", "role": "member"}), ("clubs/none/seasons", {"game": "fortune"}),
    ("clubs/none/seasons/none/enter", {}), ("clubs/none/seasons/none/withdraw", {}),
    ("clubs/none/seasons/none/start", {}), ("clubs/none/seasons/none/cancel", {}),
    ("clubs/none/tournaments", {"name": "No cup", "system": "swiss", "game": "fortune"}), ("me/calendar", {}),
    ("me/calendar/end", {}),
]  # fmt: skip


async def try_out(shelf: Shelf, tables: list[Shelved]) -> dict[str, str]:
    """Let all tables belong to one playtest, whose players agreed to notes; return its designer's cookie."""
    row = Playtest(PLAYTEST, "token", "designer", "All of it", "fortune", {}, 2, time.time())

    def work(connection: sa.Connection) -> None:
        playtests.make(connection, row, [EditionRow("A", "classic-35", "", {})])
        for table in tables:
            playtests.agree(connection, PLAYTEST, f"{table.id}-0")
        connection.execute(sa.update(playtest_schema.players).values(agreed=0.0))
        connection.execute(sa.update(storage.tables).values(playtest=PLAYTEST, arm="A"))

    await shelf.store.do(work)
    return shelf.cookie(row.guest)


async def look_in(url: str, done: asyncio.Event) -> float:
    """Send requests as an uninvolved guest; return the longest wait, in seconds."""
    worst = 0.0
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        while not done.is_set():
            began = time.monotonic()
            await client.get("/api/me")
            worst = max(worst, time.monotonic() - began)
            await asyncio.sleep(OFTEN)
    return worst


class Held(NamedTuple):
    """For how many seconds the loop was blocked, and an uninvolved guest had to wait."""

    tables: int
    stalls: list[tuple[float, str]]
    busiest: float
    waited: float

    def line(self) -> str:
        """Return the line for SECURITY.md."""
        return (
            f"{self.tables} tables, every address asked of each as a player and as a stranger: the event loop "
            f"computed for at most {1000 * self.busiest:.0f} ms in one piece; a stranger waited at most "
            f"{1000 * self.waited:.0f} ms"
        )


async def hold_the_loop(nursery: Nursery, folder: Path, corners: int, rounds: int = 0) -> Held:
    """Send a server all requests that take long, `rounds` times as every viewer; or (0) once, about finished games as a
    stranger, about others as the player to move. `corners`: rare positions of each ruleset."""
    database = f"sqlite:///{folder}/parlour.db"
    tables: list[tuple[Shelved, Match]] = []
    async with Shelf(database) as shelf:
        for number, match in enumerate(itertools.chain.from_iterable(played(*one) for one in GAMES)):
            tables.append((await shelf.put(f"{number:08x}", match), match))
        for number, (strand, seed) in enumerate(itertools.product(strands(), range(corners))):
            match = cornered(strand, seed)
            tables.append((await shelf.put(f"c{number:07x}", match), match))
        designer = await try_out(shelf, [table for table, _ in tables])
    heard = folder / "heard"  # what the server says on standard error
    server = nursery.start(database=database, tables=2, workers=1, said=str(heard))
    done = asyncio.Event()
    stranger = asyncio.create_task(look_in(server.url, done))
    for _ in range(rounds or 1):
        for number, (table, match) in enumerate(tables):
            for seat in eyes(match) if rounds else eyes(match)[not match.over :][:1]:
                cookies = {} if seat is None else table.cookies[seat]
                async with httpx.AsyncClient(base_url=server.url, cookies=cookies, timeout=60) as client:
                    version = (await client.get(f"/api/tables/{table.id}")).json()["table"]["version"]
                    legal = match.legal_actions()
                    await ask(
                        client,
                        match.game.name,
                        table.id,
                        legal[0] if legal else "pass",
                        version,
                        player=seat is not None,
                        beside=bool(rounds) or number < 2,  # once as a stranger, once as a player
                    )
    async with httpx.AsyncClient(base_url=server.url, cookies=designer, timeout=300) as client:
        for path in (f"/playtests/{PLAYTEST}", f"/playtests/{PLAYTEST}/data"):
            assert (await client.get(path)).status_code == 200
    done.set()
    waited = await stranger
    found = re.findall(r"of which (\d+) ms were computation, in: (.*)", heard.read_text())
    held = [(float(ms) / 1000, where) for ms, where in found]
    async with httpx.AsyncClient(base_url=server.url) as client:
        counted = (await client.get("/metrics")).text
    busiest = float(re.findall(r"^parlour_loop_busiest_seconds (\S+)$", counted, re.M)[0])
    return Held(len(tables), [one for one in held if one[0] > LONGEST], busiest, waited)


@pytest.mark.slow
async def test_nobody_holds_the_loop(nursery: Nursery, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    held = await hold_the_loop(nursery, tmp_path, size(0, 1))
    print(f"\n{held.line()}")
    assert held.stalls == []


def test_every_address_is_asked() -> None:
    """No address is forgotten above: those that are not requested are named here, with the reason."""
    asked = set(re.findall(r'f"/(?:api/tables|t)/\{table\}/?([a-z]*)', Path(__file__).read_text()))
    asked |= set(re.findall(r'f"/api/games/\{game\}/([a-z]+)', Path(__file__).read_text()))
    asked |= set(re.findall(r'^ +\("([a-z]+)", \{', Path(__file__).read_text(), re.M))
    asked |= set(re.findall(r' \("([a-z-]+)", \{', Path(__file__).read_text()))
    asked |= {word for path in BESIDE for word in path.split("/")} | {path.split("/")[-1] for path, _ in SENT_BESIDE}
    elsewhere = {"analysis", "rematch", "leave", "delete", "claim", "sign-out"}
    # test_analysis.py; the others end what the rounds need, or begin it anew
    handlers = [*web_api.HANDLERS, *site_api.HANDLERS, openapi.schema]
    paths = {path for handler in handlers for path in handler.paths}
    assert paths
    for path in paths:
        words = [word for word in path.split("/") if word and not word.startswith("{")]
        alone = ([], ["me"], ["tables"], ["t"], ["rules"], ["rules", "sheet"], ["lessons"], ["schema"], ["static"])
        assert words in alone or {words[-1]} & (asked | elsewhere), path
