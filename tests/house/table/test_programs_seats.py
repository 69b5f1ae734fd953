"""Programs at tables: they sit only where the host allows it, everyone sees them, and they are rated apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest

from parlour.core.game import Game
from parlour.house.house import House
from parlour.house.ratings import accuracies, results
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings.accuracies import Kept
from parlour.house.ratings.results import Outcome, Wanted
from tests.found import added
from tests.house.people import LINK, ME, OPEN, Person, guest_of

Arrive = Callable[[], Person]
SECRET = "correct horse"


async def token(owner: Person, arrive: Arrive) -> Person:
    """Return a program with a token of this account, which is claimed first."""
    if not (await guest_of(owner)).claimed:
        await owner.do("me/claim", name=(await guest_of(owner)).name, password=SECRET)
    made = await owner.do("me/tokens/new", name="Robot", password=SECRET)
    program = arrive()
    program.headers["authorization"] = f"Bearer {made['secret']}"
    return program


@pytest.fixture
async def robot(bob: Person, arrive: Arrive) -> Person:
    """Return a program of Bob's."""
    return await token(bob, arrive)


async def look(person: Person, table: str) -> dict[str, object]:
    answer = await person.get(f"/api/tables/{table}/position")
    assert answer.is_success, answer.text
    found: dict[str, object] = answer.json()
    return found


async def test_a_program_sits_only_where_the_host_allows_it(ann: Person, robot: Person) -> None:
    table = await ann.make(ME, OPEN)
    error = await robot.refused(f"tables/{table}/sit", 403, "forbidden")
    assert error["message"].startswith("The host of this table doesn't allow programs.")
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]] == ["guest", "open"]
    await robot.refused(f"tables/{table}/programs", 403, "wrong-scope", programs=True)
    await ann.do(f"tables/{table}/programs", programs=True)
    await ann.do(f"tables/{table}/programs", programs=True)
    assert (await robot.do(f"tables/{table}/sit"))["seat"] == 1
    late = await ann.refused(f"tables/{table}/programs", 409, "seat-taken", programs=False)
    assert "whether programs may play" in late["message"]


async def test_everyone_sees_that_it_may_happen_and_that_it_did(ann: Person, robot: Person, arrive: Arrive) -> None:
    eve = arrive()
    table = await ann.make(ME, OPEN, programs=True)
    assert "Programs may play here." in (await eve.get(f"/t/{table}")).text
    assert "programs may play" in (await eve.get("/")).text
    await robot.do(f"tables/{table}/sit")
    page = (await eve.get(f"/t/{table}")).text
    assert re.search(r"Bob.{0,80}<small>program, ", page)
    await ann.do(f"tables/{table}/start")
    assert "Bob (program)" in (await eve.get("/")).text
    for person in (ann, eve, robot):
        (first, second) = (await look(person, table))["players"]  # type: ignore[misc]
        assert (first["program"], second["program"], second["name"]) == (False, True, "Bob (program)")
    assert (await ann.record(table)).names == ("Ann", "Bob (program)")
    seats = (await eve.see(table))["table"]["seats"]
    assert [seat["program"] for seat in seats] == [False, True]
    assert not seats[1]["rating"]


async def test_a_new_name_leaves_the_mark(ann: Person, bob: Person, robot: Person) -> None:
    table = await ann.make(ME, OPEN, programs=True)
    await robot.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await bob.do("me", name="Robert")
    assert [one["name"] for one in (await look(ann, table))["players"]] == ["Ann", "Robert (program)"]  # type: ignore[attr-defined]


async def test_a_seat_that_a_program_left_is_no_programs(ann: Person, bob: Person, robot: Person) -> None:
    table = await ann.make(ME, OPEN, programs=True)
    await robot.do(f"tables/{table}/sit")
    await robot.do(f"tables/{table}/leave")
    await bob.do(f"tables/{table}/sit")
    assert [one["program"] for one in (await look(ann, table))["players"]] == [False, False]  # type: ignore[attr-defined]


async def test_a_game_with_a_person_is_not_rated_where_programs_play(ann: Person, robot: Person) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    table = await ann.make(ME, OPEN, programs=True)
    error = await ann.refused(f"tables/{table}/rated", 400, "bad-setup", rated=True)
    assert "only programs and bots play" in error["message"]
    await ann.refused("tables", 400, "bad-setup", game="fortune", programs=True, rated=True, seats=[ME, OPEN])
    rated = await ann.make(ME, OPEN, rated=True)
    await ann.refused(f"tables/{rated}/programs", 400, "bad-setup", programs=True)
    await robot.refused(f"tables/{rated}/sit", 403, "forbidden")


async def finish(table: str, house: House, *players: Person) -> None:
    """Let people or programs play to the end, each with their first decision."""
    for _ in range(100):
        for player in players:
            now = await look(player, table)
            if now["status"] == "over":
                await house._stories.of(await house.table(table))  # counts the game
                return
            if now["legal"]:
                move = now["legal"][0]["id"]  # type: ignore[index]
                await player.do(f"tables/{table}/moves", action=move, version=now["version"])
    raise AssertionError("the game does not end")


async def test_programs_are_rated_apart_from_people(
    ann: Person, bob: Person, robot: Person, arrive: Arrive, house: House
) -> None:
    other = await token(ann, arrive)
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        rated = {"game": "kuhn", "programs": True, "rated": True}
        table = await robot.make(ME, OPEN, **rated)
        for person in (ann, bob, arrive()):  # also the owner of a program
            error = await person.refused(f"tables/{table}/sit", 403, "forbidden")
            assert error["message"] == "This game is rated among programs, so people can only watch."
        page = (await ann.get(f"/t/{table}")).text
        assert "<b>Rated among programs.</b>" in page
        assert "Take a seat" not in page
        late = await bob.refused(f"tables/{table}/programs", 409, "seat-taken", programs=False)
        assert "A program has already joined" in late["message"]
        await other.do(f"tables/{table}/sit")
        await robot.do(f"tables/{table}/start")
        mover, owner = (robot, bob) if (await look(robot, table))["legal"] else (other, ann)
        now = await look(mover, table)
        await owner.refused(f"tables/{table}/moves", 403, "forbidden", action=0, version=now["version"])
        await finish(table, house, robot, other)
        found = (await robot.get("/api/games/kuhn/ratings")).json()
        assert (found["total"], found["players"]) == (0, []), "nothing of it is their owners'"
        assert [(one["name"], one["bot"], one["games"]) for one in found["programs"]] in (
            [("Ann", "", 1), ("Bob", "", 1)], [("Bob", "", 1), ("Ann", "", 1)],
        )  # fmt: skip
        assert found["programs"][0]["rating"] > 1500 > found["programs"][1]["rating"]
        page = (await ann.get("/best/kuhn")).text
        assert page.index('id="programs-title">Programs') < page.index("Bob (program)") < page.index("How ratings work")
        again = (await bob.do(f"tables/{table}/rematch"))["id"]
        assert not (await bob.see(again))["table"]["rated"], "a person would play in it"


async def test_a_bot_has_a_rating_of_its_own_among_programs(
    bob: Person, robot: Person, arrive: Arrive, house: House
) -> None:
    bot = {"kind": "bot", "bot": "random"}
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await robot.make(ME, bot, game="kuhn", programs=True, rated=True, pace="instant")
        assert not any(seat.get("rating") for seat in (await bob.see(table))["table"]["seats"])
        ended = [Outcome(1.0, 1), Outcome(0.0, 0)]
        await house.store.do(partial(results.keep_outcomes, table_id=table, outcomes=ended))
        found = (await robot.get("/api/games/kuhn/ratings?ruleset=")).json()
        assert found["players"] == []
        assert {(one["name"], one["bot"]) for one in found["programs"]} == {("Bob", ""), ("", "random")}
        own = await house.store.look(partial(rating_rows.exported, guest=(await guest_of(bob)).id))
        assert (own["ratings"], len(own["program_ratings"])) == ([], 1)  # type: ignore[arg-type]
        await bob.do("me/delete", password=SECRET)
        found = (await arrive().get("/api/games/kuhn/ratings")).json()
        assert [one["bot"] for one in found["programs"]] == ["random"]


async def test_a_program_makes_a_table_of_its_own(robot: Person, ann: Person) -> None:
    bot = {"kind": "bot", "bot": "greedy"}
    missing = await robot.refused("tables", 403, "forbidden", game="fortune", seats=[ME, bot])
    assert missing["allowed"] == ["programs: true"]
    alone = {"game": "fortune", "programs": True}
    await robot.refused("tables", 400, "bad-setup", seats=[ME, {"kind": "here"}], **alone)
    await robot.refused("tables", 403, "forbidden", seats=[ME, {**LINK, "invite": "Ann"}], **alone)
    table = await robot.make(ME, OPEN, programs=True)
    await robot.refused(f"tables/{table}/start", 409, "seats-free")
    await ann.do(f"tables/{table}/sit")
    await robot.do(f"tables/{table}/start")
    assert (await look(robot, table))["status"] == "playing"


async def test_a_program_never_acts_for_a_person_or_sees_their_game(
    ann: Person, bob: Person, robot: Person, arrive: Arrive
) -> None:
    """Bob sits there himself: his token neither moves nor looks, until the game is over."""
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await ann.make(ME, OPEN, game="kuhn", programs=True)
        await bob.do(f"tables/{table}/sit")
        for path in ("sit", "leave"):
            error = await robot.refused(f"tables/{table}/{path}", 403, "forbidden")
            assert "as a person" in error["message"]
        await ann.do(f"tables/{table}/start")
        answer = await robot.get(f"/api/tables/{table}/position")
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
        assert (await robot.get(f"/api/tables/{table}/positions")).status_code == 403
        await robot.refused(f"tables/{table}/moves", 403, "forbidden", action=0, version=2)
        for path, body in (("undo", {"version": 2}), ("end", {}), ("absent", {"seat": 0}), ("chat", {"text": "No!"})):
            error = await robot.refused(f"tables/{table}/{path}", 403, "forbidden", **body)  # type: ignore[arg-type]
            assert "as a person" in error["message"]
        assert (await look(bob, table))["seat"] == 1
        assert (await look(await token(ann, arrive), (await ann.make(ME, OPEN))))["status"] == "waiting"
        while (turn := await look(ann, table))["status"] == "playing":
            mover = ann if turn["legal"] else bob
            now = await look(mover, table)
            await mover.do(f"tables/{table}/moves", action=now["legal"][0]["id"], version=now["version"])  # type: ignore[index]
        assert (await look(robot, table))["status"] == "over"


async def test_its_owner_may_play_on_in_its_seat(ann: Person, bob: Person, robot: Person) -> None:
    table = await robot.make(ME, {"kind": "bot", "bot": "greedy"}, programs=True, pace="instant")
    while not (now := await look(bob, table))["legal"]:
        assert now["status"] == "playing"
    await bob.do(f"tables/{table}/moves", action=now["legal"][0]["id"], version=now["version"])  # type: ignore[index]
    assert [one["program"] for one in (await look(ann, table))["players"]] == [True, False]  # type: ignore[attr-defined]


async def test_what_programs_play_is_in_no_statistics_of_their_owner(
    ann: Person, bob: Person, robot: Person, house: House
) -> None:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await ann.make(ME, OPEN, game="kuhn", programs=True)
        await robot.do(f"tables/{table}/sit")
        await ann.do(f"tables/{table}/start")
        while (turn := await look(ann, table))["status"] == "playing":
            mover = ann if turn["legal"] else robot
            now = await look(mover, table)
            await mover.do(f"tables/{table}/moves", action=now["legal"][0]["id"], version=now["version"])  # type: ignore[index]
        await house.store.do(lambda connection: accuracies.keep(connection, table, [Kept(1.0), Kept(0.5)]))
        found = {}
        for person in (ann, bob):
            wanted = Wanted((await guest_of(person)).id)
            tallies = await house.store.look(partial(results.tallies, wanted=wanted))
            judged = await house.store.look(partial(accuracies.of, wanted=wanted))
            total, _ = await house.store.look(partial(results.games, wanted=wanted, page=0))
            found[person] = (sum(one.games for one in tallies), len(judged), total)
        assert found == {ann: (1, 1, 1), bob: (0, 0, 1)}, "Ann, a person, played it; Bob finds it in his list"


async def test_it_chats_where_it_plays_and_its_name_says_what_it_is(ann: Person, bob: Person, robot: Person) -> None:
    closed, table = await ann.make(ME, OPEN), await ann.make(ME, OPEN, programs=True)
    for where, said in ((closed, "doesn't allow programs"), (table, "only at a table where it plays")):
        assert said in (await robot.refused(f"tables/{where}/chat", 403, "forbidden", text="Hello!"))["message"]
    await robot.do(f"tables/{table}/sit")
    await robot.do(f"tables/{table}/chat", text="Hello!")
    await bob.do(f"tables/{table}/chat", text="That was my program.")
    for person, mine in ((ann, False), (bob, True), (robot, True)):
        assert (await look(person, table))["chat"] == [
            {"id": 1, "seat": 1, "name": "Bob (program)", "text": "Hello!", "mine": mine},
            {"id": 2, "seat": 1, "name": "Bob", "text": "That was my program.", "mine": mine},
        ]
    await ann.do("me/mute", table=table, line=1)
    assert (await look(ann, table))["chat"] == []


async def test_it_takes_back_its_own_decision(ann: Person, robot: Person) -> None:
    with added(Game("satchel", "tests.fixtures.satchel")):
        table = await robot.make(ME, OPEN, game="satchel", programs=True)
        await ann.do(f"tables/{table}/sit")
        await robot.do(f"tables/{table}/start")
        seen = await look(robot, table)
        assert not seen["undo"]
        await robot.do(f"tables/{table}/moves", move="coin 1", version=seen["version"])
        seen = await look(robot, table)
        assert (seen["undo"], (await look(ann, table))["undo"]) == (True, False)
        await robot.do(f"tables/{table}/undo", version=seen["version"])
        again = await look(robot, table)
        assert (again["undo"], again["version"]) == (False, seen["version"] + 1)  # type: ignore[operator]


async def test_it_votes_and_lets_a_bot_play_on(ann: Person, robot: Person) -> None:
    table = await robot.make(ME, OPEN, programs=True)
    await ann.do(f"tables/{table}/sit")
    await robot.do(f"tables/{table}/start")
    await robot.refused(f"tables/{table}/absent", 409, "still-here", seat=1)
    await robot.do(f"tables/{table}/end")
    assert (await look(ann, table))["ending"] == [0]
    assert (await look(ann, table))["chat"][0]["name"] == "Bob (program)"  # type: ignore[index]
    await robot.do(f"tables/{table}/end", agree=False)
    await ann.do(f"tables/{table}/end")
    assert (await look(robot, table))["ending"] == [1]
    await robot.do(f"tables/{table}/end")
    assert (await look(robot, table))["status"] == "closed"


async def test_programs_play_again_and_are_rated_again(
    ann: Person, bob: Person, robot: Person, arrive: Arrive, house: House
) -> None:
    """The other one finds its invitation; whichever asks second takes its seat."""
    other, owner = await token(ann, arrive), arrive()
    await owner.do("me", name="Eve")
    eve = await token(owner, arrive)
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        first = await robot.make(ME, OPEN, game="kuhn", programs=True, rated=True)
        await other.do(f"tables/{first}/sit")
        await robot.do(f"tables/{first}/start")
        await robot.refused(f"tables/{first}/rematch", 409, "not-over")
        await finish(first, house, robot, other)
        await eve.refused(f"tables/{first}/rematch", 403, "not-seated")
        again = (await robot.do(f"tables/{first}/rematch"))["id"]
        (invited,) = (await other.get("/api/invitations")).json()["invitations"]
        assert invited["id"] == again
        assert (await other.do(f"tables/{first}/rematch"))["id"] == again
        seats = (await bob.see(again))["table"]["seats"]
        assert [(seat["name"], seat["program"]) for seat in seats] == [("Ann", True), ("Bob", True)]
        await robot.do(f"tables/{again}/start")  # with clocks it waits for the host, unless all have a stream open
        await finish(again, house, robot, other)
        found = (await robot.get("/api/games/kuhn/ratings")).json()
        assert [one["games"] for one in found["programs"]] == [2, 2]
        last = (await other.do(f"tables/{again}/rematch"))["id"]
        await robot.do(f"tables/{last}/decline")
        assert (await robot.get("/api/invitations")).json()["invitations"] == []


async def test_invitations_of_a_person_are_not_shown_to_their_program(
    ann: Person, bob: Person, robot: Person, house: House
) -> None:
    """Each has the token of a link, with which anyone could sit down."""
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await ann.make(ME, OPEN, game="kuhn")
        await bob.do(f"tables/{table}/sit")
        await ann.do(f"tables/{table}/start")
        await finish(table, house, ann, bob)
        again = (await ann.do(f"tables/{table}/rematch"))["id"]
        await robot.refused(f"tables/{again}/decline", 403, "forbidden")
        assert len((await bob.get("/api/invitations")).json()["invitations"]) == 1
        found = (await robot.get("/api/invitations")).json()
        assert (found["invitations"], found["turns"], found["go"]) == ([], [], "")
        await robot.refused(f"tables/{table}/rematch", 403, "forbidden")


async def test_a_program_asks_for_no_rematch_of_its_owners_game(
    ann: Person, bob: Person, robot: Person, house: House
) -> None:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await ann.make(ME, OPEN, game="kuhn", programs=True)
        await bob.do(f"tables/{table}/sit")
        await ann.do(f"tables/{table}/start")
        await finish(table, house, ann, bob)
        error = await robot.refused(f"tables/{table}/rematch", 403, "forbidden")
        assert "as a person" in error["message"]
