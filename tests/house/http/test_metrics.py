"""`GET /metrics`: what a house counts, and who may read it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from parlour.house.http.metrics import may_read
from parlour.house.settings import Settings
from tests.house.people import BOT, ME, Person, turn, two_at_table
from tests.house.serving import Nursery, Server

Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def server(nursery: Nursery, tmp_path: Path) -> Iterator[Server]:
    made = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")
    yield made
    made.kill()


async def read(server: Server) -> Numbers:
    """Return all samples, by name and labels."""
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{server.url}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "set-cookie" not in answer.headers
    families = text_string_to_metric_families(answer.text)
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples}


def total(numbers: Numbers, name: str, **labels: str) -> float:
    """Return the sum of the samples with this name and these labels."""
    return sum(
        value for (one, found), value in numbers.items() if one == name and set(labels.items()) <= set(found)
    )  # fmt: skip


async def test_what_happens_is_counted(server: Server) -> None:
    async with Person(base_url=server.url) as ann, Person(base_url=server.url) as bob:
        table = await two_at_table(ann, bob)
        for _ in range(3):
            person, seen = await turn(table, ann, bob)
            body = {"move": seen["legal"][-1], "version": seen["table"]["version"]}
            await person.do(f"tables/{table}/moves", **body)
        await ann.refused(f"tables/{table}/moves", 409, "stale-move", move="stop", version=0)
        assert (await ann.get("/nowhere/at/all")).status_code == 404
        async with (
            ann.stream("GET", f"/api/tables/{table}/events") as at_table,
            bob.stream("GET", "/api/lobby/events") as in_lobby,
        ):
            open_pages = [at_table.aiter_lines(), in_lobby.aiter_lines()]
            for lines in open_pages:
                while not (await anext(lines)).startswith("data: "):
                    pass
            numbers = await read(server)
            assert total(numbers, "parlour_streams", of="tables") == 1
            assert total(numbers, "parlour_streams", of="lobby") == 1
    assert total(numbers, "parlour_tables") == 1
    assert total(numbers, "parlour_moves_total", game="fortune", by="people", result="made") == 3
    assert total(numbers, "parlour_moves_total", result="stale-move") == 1
    assert total(numbers, "parlour_refusals_total", code="stale-move") == 1
    assert total(numbers, "parlour_refusals_total", code="not-found") == 1
    moves = {"method": "POST", "route": "/api/tables/{table_id}/moves"}
    assert total(numbers, "parlour_requests_total", **moves, status="200") == 3
    assert total(numbers, "parlour_request_seconds_count", **moves) == 4
    assert 0 < total(numbers, "parlour_request_seconds_sum", **moves) < 60
    assert total(numbers, "parlour_sent_bytes_total") > 1000
    assert total(numbers, "parlour_database_seconds_count", operation="append") >= 3
    assert total(numbers, "parlour_database_seconds_count", operation="load") > 0
    for name in ("process_resident_memory_bytes", "process_open_fds", "process_max_fds"):
        assert total(numbers, name) > 0, name
    assert {name for name, _ in numbers} >= {
        "parlour_bots", "parlour_loop_stalls_total", "parlour_loop_stalled_seconds_total", "parlour_loop_worst_seconds",
    }  # fmt: skip


async def test_a_path_that_anybody_can_make_up_is_no_label(server: Server) -> None:
    async with Person(base_url=server.url) as eve:
        table = await eve.make(ME, {"kind": "open"})
        before = len(await read(server))
        for number in range(30):
            await eve.get(f"/made/up/{number}")
            await eve.get(f"/t/{table}/join/made-up-{number}")
            await eve.get(f"/api/tables/made-up-{number}")
            await eve.request(f"ODD{number}", "/")
        numbers = await read(server)
    assert "made" not in str(numbers)
    assert "ODD" not in str(numbers)
    assert len(numbers) - before < 150


async def test_bots_are_counted(server: Server) -> None:
    async with Person(base_url=server.url) as ann:
        table = await ann.make(BOT, BOT, ME)
        async with asyncio.timeout(120):
            while total(await read(server), "parlour_moves_total", by="bots", result="made") < 1:
                if (seen := await ann.see(table))["legal"]:  # the first player is random
                    body = {"move": seen["legal"][0], "version": seen["table"]["version"]}
                    await ann.post(f"/api/tables/{table}/moves", json=body)
                await asyncio.sleep(0.05)


async def test_players_behind_a_proxy_do_not_read_it(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.url) as client:
        for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
            answer = await client.get("/metrics", headers={name: "for=192.0.2.1"})
            nothing = await client.get("/nothing", headers={name: "for=192.0.2.1"})
            assert answer.status_code == nothing.status_code == 404
            assert answer.text.replace("/metrics", "/nothing") == nothing.text  # as if the address did not exist


async def test_a_page_of_another_site_does_not_read_it(server: Server) -> None:
    """Its name resolves to this computer for a moment, so that a browser lets it read our answers."""
    port = server.url.rpartition(":")[2]
    async with httpx.AsyncClient(base_url=server.url) as client:
        for name in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"):
            assert (await client.get("/metrics", headers={"Host": name})).status_code == 421, name
        for name in ("127.0.0.1.", "games.local"):  # this computer, but under names from elsewhere
            assert (await client.get("/metrics", headers={"Host": name})).status_code == 404, name
        for name in ("localhost", f"127.0.0.1:{port}", f"[::1]:{port}", "[::1]", f"parlour-a:{port}"):
            assert (await client.get("/metrics", headers={"Host": name})).status_code == 200, name


@pytest.mark.parametrize(
    ("host", "household", "public"),
    [
        ("127.0.0.1", True, True), ("::1", True, True), ("::ffff:127.0.0.1", True, True),
        ("10.1.2.3", False, True), ("172.20.0.5", False, True), ("192.168.1.7", False, True),
        ("fd00::5", False, True), ("::ffff:10.1.2.3", False, True),
        ("172.32.0.1", False, False), ("8.8.8.8", False, False), ("2001:4860::1", False, False),
        ("169.254.1.1", False, False), ("", False, False), ("localhost", False, False),
    ],
)  # fmt: skip
def test_who_may_read(host: str, household: bool, public: bool) -> None:
    """In a household the players are in the private network; counters could reveal to them that a player has just
    answered a secret question."""
    assert may_read(host, Settings()) is household
    assert may_read(host, Settings(proxies=("10.85.0.0/24",))) is public
