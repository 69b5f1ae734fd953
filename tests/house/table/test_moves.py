"""Moves: answers, refusals, and answers to repeated moves."""

from __future__ import annotations

from collections.abc import Callable

from parlour.house.house import House
from tests.house.people import Person, play_on, turn, two_at_table


async def test_a_move_is_answered_with_the_version_it_led_to(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    version = seen["table"]["version"]
    answer = await person.do(f"tables/{table}/moves", move=seen["legal"][-1], version=version, id="a")
    after = await person.see(table)
    assert answer["version"] == after["table"]["version"] >= version + 2  # the move and its roll


async def test_a_move_sent_twice_is_made_once(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    body = {"move": "stop", "version": seen["table"]["version"], "id": "one"}
    first = await person.do(f"tables/{table}/moves", **body)
    await play_on(table, 3, ann, bob)
    assert await person.do(f"tables/{table}/moves", **body) == first
    assert await person.do(f"tables/{table}/moves", **{**body, "id": "two"}) == first  # the same words, another tab
    assert await person.do(f"tables/{table}/moves", **{**body, "id": "", "move": " BANK "}) == first
    record = await ann.record(table)
    assert sum(actor != -1 for actor, _ in record.steps) == 4
    error = await person.refused(f"tables/{table}/moves", 409, "id-reused", **{**body, "move": "re-roll 1 2"})
    assert error["version"] == len(record.steps)


async def test_a_late_move_gets_the_present_version(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    version = seen["table"]["version"]
    await person.do(f"tables/{table}/moves", move="stop", version=version)
    now = (await ann.see(table))["table"]["version"]
    for stale in (version, 0, version + 100):
        error = await person.refused(f"tables/{table}/moves", 409, "stale-move", move="re-roll all", version=stale)
        assert error["version"] == now
    other = bob if person is ann else ann
    await other.refused(f"tables/{table}/moves", 409, "stale-move", move="stop", version=version)


async def test_moves_that_cannot_be(ann: Person, bob: Person, arrive: Callable[[], Person]) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    other = bob if person is ann else ann
    version = seen["table"]["version"]
    path = f"tables/{table}/moves"
    await arrive().refused(path, 403, "not-seated", move="stop", version=version)
    await other.refused(path, 409, "not-your-turn", move="stop", version=version)
    await person.refused(path, 400, "invalid-move", move="castle", version=version)
    error = await person.refused(path, 422, "illegal-move", move="re-roll 1", version=version)
    assert error["clause"].startswith("FO-")
    await person.refused("tables/nowhere/moves", 404, "unknown-table", move="stop", version=version)
    for body in (
        {},
        {"move": "stop"},
        {"move": "stop", "version": "3"},
        {"move": "stop", "version": -1},
        {"move": "stop", "version": 3.5},
        {"move": ["stop"], "version": version},
        {"move": "", "version": version},
        {"move": "stop " * 1000, "version": version},
        {"move": "stop", "version": version, "id": "x" * 65},
        {"move": "stop", "version": version, "seat": 1},
    ):
        await person.refused(path, 400, "bad-input", **body)
    assert (await person.see(table))["table"]["version"] == version


async def test_only_who_decides_sees_what_is_legal(ann: Person, bob: Person, arrive: Callable[[], Person]) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    assert "stop" in seen["legal"]
    for other in ({ann, bob} - {person}) | {arrive()}:
        assert (await other.see(table))["legal"] == []


async def test_the_seed_is_revealed_by_no_address_before_the_end(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    table = await two_at_table(ann, bob)
    await play_on(table, 5, ann, bob)
    seed = house.tables[table].row.seed
    for person in (ann, bob, arrive()):
        for path in (
            "/", f"/t/{table}", f"/t/{table}/record", f"/t/{table}/replay", f"/t/{table}/replay?step=1",
            f"/api/tables/{table}", f"/api/tables/{table}/replay?step=1", "/api/me",
        ):  # fmt: skip
            answer = await person.get(path)
            assert seed not in answer.text + str(answer.headers), path
