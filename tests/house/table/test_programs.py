"""What programs read of a table and do there: the position as data, the stream of positions, moves by number."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import parlour
from parlour.core.clauses import clauses
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.games import all_games
from parlour.house.house import House
from parlour.house.social.rows import NOBODY
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.web import programs
from parlour.house.table.web.position import Position, position
from tests.found import added
from tests.house.people import ME, OPEN, Person, guest_of, time_is_over, two_at_table
from tests.house.serving import Nursery

Arrive = Callable[[], Person]
WAIT = 20.0


async def look(person: Person, table: str, **query: Any) -> Any:
    answer = await person.get(f"/api/tables/{table}/position", params=query)
    assert answer.is_success, answer.text
    return answer.json()


async def lines(house: House, person: Person, table: str, since: int = 0) -> AsyncIterator[dict[str, Any]]:
    """Yield the lines of a table's stream; httpx's transport within a process has no streams."""
    live, guest = await house.table(table), await guest_of(person)
    async for line in programs.news(house, live, guest, since):
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        yield json.loads(line)


@pytest.mark.parametrize(
    ("game", "ruleset"), [(game.name, one) for game in all_games().values() for one in game.rulesets]
)
async def test_a_position_says_what_the_library_says(
    game: str, ruleset: str, ann: Person, arrive: Arrive, house: House
) -> None:
    """Legal decisions, mask and observation are those of `parlour.State`, after the steps of the table's record."""
    people = [ann, *(arrive() for _ in range(all_games()[game].facts.players[0] - 1))]
    options = {"ruleset": ruleset} if ruleset else {}
    table = await ann.make(ME, *[OPEN] * (len(people) - 1), game=game, options=options)
    for person in people[1:]:
        await person.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    live, choice = await house.table(table), random.Random(5)
    for _ in range(6):
        await time_is_over(live)
        assert live.match is not None
        state = replayed(live.match)
        player = state.current_player()
        eyes = eyes_of(live, (await guest_of(people[player])).id, NOBODY)
        seen = plainly(position(live, eyes))
        assert [(one["id"], one["text"]) for one in seen["legal"]] == [
            (one, state.action_to_string(one)) for one in state.legal_actions()
        ]
        assert seen["mask"] == state.legal_actions_mask()
        assert seen["observation"] == state.observation_dict(player)["fields"]
        move = choice.choice(seen["legal"])["id"]
        await people[player].do(f"tables/{table}/moves", action=move, version=seen["version"])


def plainly(one: Position) -> Any:
    """Return a position as a program gets it."""
    return json.loads(msgspec.json.encode(one))


def replayed(match: Match) -> parlour.State:
    """Return the position of a match, made from its steps alone by the library."""
    state = parlour.new_initial_state(
        match.game.name, len(match.names), edition=match.edition.name, options=dict(match.options)
    )
    for _, _, text in match.steps:
        state.apply_action(state.string_to_action(text))
    return state


async def test_the_log_is_whole_or_since_a_position(ann: Person) -> None:
    table = await ann.make(ME, {"kind": "here"})
    seen = await look(ann, table)
    await ann.do(f"tables/{table}/moves", action=seen["legal"][0]["id"], version=seen["version"])
    whole = await look(ann, table)
    later = await look(ann, table, since=seen["version"])
    assert whole["version"] > seen["version"]
    assert whole["log"][: len(seen["log"])] == seen["log"]
    assert whole["log"][len(seen["log"]) :] == later["log"] != []
    assert not (await look(ann, table, since=whole["version"]))["log"]
    assert not (await look(ann, table, since=10**6))["log"]
    assert "Ann" in whole["text"]


async def test_a_rulebook_is_read_from_the_house(ann: Person) -> None:
    for game in all_games().values():
        book = (await ann.get(f"/api/games/{game.name}/rulebook")).json()
        number = next(iter(clauses(game)))
        found = (await ann.get(f"/api/games/{game.name}/clauses/{number.lower()}")).json()
        assert (book["game"], found["game"]) == (game.name, game.name)
        assert found["text"].startswith(f"**{number}**")
        assert found["text"] in book["text"]
    for path, code in (("none/rulebook", 404), ("none/clauses/FO-1", 404), ("fortune/clauses/FO-999", 404)):
        answer = await ann.get(f"/api/games/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (code, "unknown-name")


async def test_a_move_by_number_is_the_move_by_text_and_made_once(ann: Person) -> None:
    table = await ann.make(ME, {"kind": "here"})
    seen = await look(ann, table)
    first, other = seen["legal"][0], seen["legal"][-1]
    assert first != other
    body = {"version": seen["version"]}
    made = await ann.do(f"tables/{table}/moves", action=first["id"], **body)
    assert await ann.do(f"tables/{table}/moves", action=first["id"], **body) == made
    assert await ann.do(f"tables/{table}/moves", move=first["text"], **body) == made
    late = await ann.refused(f"tables/{table}/moves", 409, "stale-move", action=other["id"], **body)
    assert late["version"] == made["version"]
    await ann.refused(f"tables/{table}/moves", 400, "bad-input", **body)
    both = await ann.refused(f"tables/{table}/moves", 400, "bad-input", move=first["text"], action=1, **body)
    assert both["allowed"] == ["move", "action"]
    now = {"version": (await look(ann, table))["version"]}
    wrong = await ann.refused(f"tables/{table}/moves", 422, "illegal-move", action=10**6, **now)
    assert "There is no action 1000000" in wrong["message"]


async def test_a_spectator_has_nothing_to_decide_and_sees_no_hands(ann: Person, bob: Person, arrive: Arrive) -> None:
    eve = arrive()
    table = await two_at_table(ann, bob, game="family-trade")  # in it everyone has a hand from the start
    theirs, seen = await look(ann, table), await look(eve, table)
    assert (seen["seat"], seen["legal"], seen["mask"]) == (None, [], [])
    assert seen["observation"] != theirs["observation"]
    assert [one["name"] for one in seen["players"]] == ["Ann", "Bob"]


async def test_the_stream_has_each_position_and_ends_with_the_game(ann: Person, bob: Person, house: House) -> None:
    seen: list[Any] = []

    async def hear(person: Person) -> None:
        async for line in lines(house, person, table):
            seen.append(line["position"])
            if line["position"]["legal"]:
                move = line["position"]["legal"][-1]["id"]
                await person.do(f"tables/{table}/moves", action=move, version=line["position"]["version"])

    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await two_at_table(ann, bob, game="kuhn")
        async with asyncio.timeout(WAIT):
            await asyncio.gather(hear(ann), hear(bob))
        assert seen[-1]["status"] == "over"
        assert sorted(seen[-1]["result"]) == [0.0, 1.0]
        mine = [one for one in seen if one["seat"] == 0]
        told = [line["text"] for one in mine for line in one["log"]]
        assert told == [line["text"] for line in (await look(ann, table))["log"]], "each line once"


async def test_a_stream_is_resumed_where_it_ended(ann: Person, house: House) -> None:
    table = await ann.make(ME, {"kind": "here"})
    stream = lines(house, ann, table)
    first = (await anext(stream))["position"]
    await stream.aclose()
    await ann.do(f"tables/{table}/moves", action=first["legal"][0]["id"], version=first["version"])
    again = (await anext(lines(house, ann, table, first["version"])))["position"]
    whole = (await look(ann, table))["log"]
    assert again["log"]
    assert first["log"] + again["log"] == whole[: len(first["log"] + again["log"])]


async def test_a_heartbeat_says_that_the_house_is_there(
    ann: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.make(ME, OPEN)
    monkeypatch.setattr(programs, "HEARTBEAT", 0.01)
    stream = lines(house, ann, table)
    waiting = (await anext(stream))["position"]
    assert (waiting["status"], waiting["version"], waiting["text"]) == ("waiting", 0, "")
    async with asyncio.timeout(WAIT):
        while "beat" not in (line := await anext(stream)):
            assert line["position"]["status"] == "waiting"
    assert line["beat"] > 1e9


async def test_the_games_say_what_their_numbers_mean(ann: Person) -> None:
    listed = (await ann.get("/api/games")).json()["games"]
    assert {one["name"] for one in listed} >= set(all_games())
    for one in listed:
        facts = (await ann.get(f"/api/games/{one['name']}")).json()
        game = all_games()[one["name"]]
        assert facts["num_distinct_actions"] == game.num_distinct_actions
        assert [field["name"] for field in facts["observation"]] == [part.name for part in game.facts.observed]
        assert facts["players"] == list(game.facts.players)
    assert (await ann.get("/api/games/none")).status_code == 404


async def test_only_a_player_asked_in_secret_gets_an_observation_meanwhile(
    ann: Person, bob: Person, house: House
) -> None:
    """An observation says whose turn it is. The house may be asking someone, or only take its time."""
    table = await two_at_table(ann, bob, game="family-trade", options={"honour_calls": "on"})
    live, choice, asked, quiet = await house.table(table), random.Random(4), 0, 0
    people = {(await guest_of(person)).id: person for person in (ann, bob)}
    while not (asked and quiet):
        assert live.match is not None
        assert not live.over, "another seed"
        if live.questions.open is None:
            seat = live.match.current_player
            person = people[live.seats[seat].guest_id]
            seen = await look(person, table)
            assert seen["observation"]
            await person.do(f"tables/{table}/moves", action=choice.choice(seen["legal"])["id"], version=seen["version"])
            continue
        for seat, row in enumerate(live.seats):
            seen = await look(people[row.guest_id], table)
            theirs = seat in deciding(live)
            assert (bool(seen["legal"]), bool(seen["observation"])) == (theirs, theirs)
            asked, quiet = asked + theirs, quiet + (not theirs)
        await time_is_over(live)


def test_a_stream_is_seen_by_others_and_ends_with_its_token(nursery: Nursery, tmp_path: Path) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")
    with httpx.Client(base_url=server.url) as owner, httpx.Client(base_url=server.url) as robot:
        owner.post("/api/me/claim", json={"name": "Ann", "password": "correct horse"}).raise_for_status()
        body = {"name": "Robot", "password": "correct horse"}
        made = owner.post("/api/me/tokens/new", json=body).raise_for_status().json()
        robot.headers["authorization"] = f"Bearer {made['secret']}"
        body = {"game": "fortune", "programs": True, "seats": [ME, OPEN]}
        table = robot.post("/api/tables", json=body).raise_for_status().json()["id"]

        def present() -> bool:
            (mine, _) = owner.get(f"/api/tables/{table}").json()["table"]["seats"]
            return bool(mine["present"])

        assert not present()
        with robot.stream("GET", f"/api/tables/{table}/positions", timeout=WAIT) as stream:
            assert stream.headers["content-type"].startswith("application/x-ndjson")
            lines = stream.iter_lines()
            assert json.loads(next(lines))["position"]["status"] == "waiting"
            assert present()
            owner.post("/api/me/tokens/revoke", json={"id": made["id"]}).raise_for_status()
            assert not list(lines), "it ends, and nothing more comes"
        assert robot.get(f"/api/tables/{table}/position").status_code == 401
