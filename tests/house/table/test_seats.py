"""Creating a table, its seats, starting, leaving, rematches."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from parlour.core import fair
from parlour.core.replay import verify
from parlour.games import all_games
from parlour.house.house import House
from parlour.house.table.play.seating import SitBody, sit
from parlour.house.table.storage.change import Change
from tests.house.people import BOT, LINK, ME, OPEN, Person, guest_of, play_on, turn, two_at_table


async def test_a_friend_joins_by_a_link_and_only_he(ann: Person, bob: Person, arrive: Callable[[], Person]) -> None:
    table = await ann.make(ME, LINK)
    invite = (await ann.see(table))["table"]["seats"][1]["invite"]
    assert (await bob.see(table))["table"]["seats"][1]["invite"] == ""
    await bob.refused(f"tables/{table}/sit", 403, "forbidden", seat=1)
    await bob.refused(f"tables/{table}/sit", 409, "seat-taken")
    await bob.refused(f"tables/{table}/sit", 404, "bad-link", token="guessed")
    page = await bob.get(invite)
    assert page.status_code == 200
    assert (await bob.see(table))["table"]["my_seat"] is None  # a link preview must not sit down
    token = invite.rsplit("/", 1)[1]
    for _ in range(2):  # repeating it does no harm
        assert await bob.do(f"tables/{table}/sit", token=token) == {"seat": 1}
    assert (await bob.get(invite)).status_code == 302
    late = arrive()
    assert (await late.get(invite)).json()["error"]["code"] == "bad-link"
    await late.refused(f"tables/{table}/sit", 409, "seat-taken", token=token)


async def test_an_invitation_can_be_taken_back_made_anew_and_outlives_the_memory(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    async def link() -> str:
        return str((await ann.see(table))["table"]["seats"][1]["invite"])

    table = await ann.make(ME, LINK)
    first = await link()
    assert len(base64.urlsafe_b64decode(first.rpartition("/")[2])) * 8 >= 64  # no one can guess it
    assert table not in (await bob.get("/")).text  # there is no seat without a link
    assert "kept for a friend with the link" in (await bob.get(f"/t/{table}")).text
    offered = await bob.get(first)
    assert 'data-token="' in offered.text
    assert offered.headers["referrer-policy"] == "no-referrer"
    assert (await ann.get(first)).headers["location"] == f"/t/{table}"  # a seated player gets no offer
    await ann.do(f"tables/{table}/seats", seat=1, kind="open")
    assert table in (await bob.get("/")).text
    assert (await bob.get(first)).json()["error"]["code"] == "bad-link"
    await bob.refused(f"tables/{table}/sit", 404, "bad-link", token=first.rpartition("/")[2])
    await ann.do(f"tables/{table}/seats", seat=1, kind="link")
    second = await link()
    assert second != first
    house.forget(await house.table(table))  # as after a restart
    token = second.rpartition("/")[2]
    await bob.do(f"tables/{table}/sit", token=token)
    await bob.do(f"tables/{table}/leave")
    assert await link() == second  # only the player who left can come back
    await arrive().refused(f"tables/{table}/sit", 403, "forbidden", seat=1)
    await ann.do(f"tables/{table}/start", bots=True)
    assert (await bob.get(second)).json()["error"]["code"] == "bad-link"
    await bob.refused(f"tables/{table}/sit", 409, "already-started", token=token)


async def test_open_seats_are_for_anyone_until_they_are_taken(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN)
    await bob.refused(f"tables/{table}/sit", 409, "seat-taken", seat=0)
    await bob.refused(f"tables/{table}/sit", 400, "bad-input", seat=9)
    assert await bob.do(f"tables/{table}/sit", seat=1) == {"seat": 1}
    await ann.refused(f"tables/{table}/moves", 409, "not-playing", move="stop", version=0)


async def test_only_the_host_starts_and_only_when_all_sit(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN)
    await bob.refused(f"tables/{table}/start", 403, "not-host")
    error = await ann.refused(f"tables/{table}/start", 409, "seats-free")
    assert "2" in error["message"]
    await bob.do(f"tables/{table}/sit")
    for _ in range(2):
        await ann.do(f"tables/{table}/start")
    seen = await ann.see(table)
    assert seen["table"]["status"] == "playing"
    assert seen["table"]["version"] >= 3  # who starts, the card, the dice


async def test_words_of_the_players_are_fixed_at_the_start_and_enter_the_dice(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN)
    commitment = (await ann.see(table))["table"]["verdict"]["commitment"]
    await ann.do(f"tables/{table}/sit", words="red herring")
    await ann.do(f"tables/{table}/sit", words="blue herring")
    await bob.do(f"tables/{table}/sit", words="  42 ")
    assert [seat["words"] for seat in (await bob.see(table))["table"]["seats"]] == ["", "42"]
    await ann.do(f"tables/{table}/start")
    await bob.do(f"tables/{table}/sit", words="other words")
    record = await bob.record(table)
    assert record.words == ("blue herring", "42")
    assert record.commitment == commitment
    await ann.refused(f"tables/{table}/sit", 400, "bad-input", words="x" * 65)


async def test_no_words_for_the_dice_are_taken_before_the_commitment_is_shown(ann: Person) -> None:
    """Otherwise the house could try seeds until one suits it with these words (docs/notation.md)."""
    refusal = await ann.refused("tables", 400, "bad-input", game="fortune", words="blue herring")
    assert "words" in refusal["message"]
    table = await ann.make(ME, BOT, wait=True)
    seen = (await ann.see(table))["table"]
    assert (seen["status"], seen["version"]) == ("waiting", 0)
    await ann.do(f"tables/{table}/sit", words="blue herring")
    await ann.do(f"tables/{table}/start")
    record = await ann.record(table)
    assert record.words == ("blue herring", "")
    assert record.commitment == seen["verdict"]["commitment"]


async def test_a_rematch_takes_no_words_along(ann: Person) -> None:
    """The house knew them before it chose the new seed."""
    table = await ann.make(ME, {"kind": "here"}, options={"target": "5000", "round_limit": "100"}, wait=True)
    await ann.do(f"tables/{table}/sit", words="blue herring")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 5000, ann, first=True)
    assert (await ann.record(table)).words == ("blue herring", "")
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    assert (await ann.record(again)).words == ("", "")


async def test_addresses_of_tables_are_not_to_be_guessed(ann: Person) -> None:
    tables = {await ann.make(ME, OPEN) for _ in range(5)}
    assert len(tables) == 5
    assert all(re.fullmatch("[0-9a-f]{16}", table) for table in tables)  # 64 bits, and one word for a double click


async def test_the_host_changes_free_seats_before_the_start(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN, OPEN)
    await bob.refused(f"tables/{table}/seats", 403, "not-host", seat=1, kind="bot")
    await ann.do(f"tables/{table}/seats", seat=1, kind="link")
    await ann.do(f"tables/{table}/seats", seat=2, kind="bot", bot="random")
    await ann.refused(f"tables/{table}/seats", 400, "unknown-name", seat=1, kind="bot", bot="hal")
    await ann.refused(f"tables/{table}/seats", 400, "bad-input", seat=7, kind="bot")
    await ann.refused(f"tables/{table}/seats", 409, "seat-taken", seat=0, kind="open")
    seats = (await ann.see(table))["table"]["seats"]
    assert [seat["kind"] for seat in seats] == ["guest", "link", "bot"]
    assert seats[2]["bot"] == "random"


async def test_who_has_the_page_open_keeps_his_seat(ann: Person, bob: Person, house: House) -> None:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    live = await house.table(table)
    with house.presence.listening(live, (await bob.get("/api/me")).json()["id"]):
        await ann.refused(f"tables/{table}/seats", 409, "seat-taken", seat=1, kind="open")
        assert (await ann.see(table))["table"]["seats"][1]["present"]
    await ann.do(f"tables/{table}/seats", seat=1, kind="open")


async def test_leaving_a_table_that_waits(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    await bob.do(f"tables/{table}/leave")
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]] == ["guest", "open"]
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/leave")  # the table passes to Bob
    seen = await bob.see(table)
    assert seen["table"]["is_host"]
    assert [seat["kind"] for seat in seen["table"]["seats"]] == ["open", "guest"]
    await bob.do(f"tables/{table}/leave")  # now it is empty
    await bob.refused(f"tables/{table}/sit", 404, "unknown-table")


async def test_a_table_closed_while_one_waits_for_it_is_no_more(ann: Person, bob: Person, house: House) -> None:
    table = await ann.make(ME, OPEN)
    live = await house.table(table)
    async with live.lock:
        said = asyncio.ensure_future(bob.refused(f"tables/{table}/chat", 404, "unknown-table", text="hello"))
        await asyncio.sleep(0.05)
        assert not said.done()
        house.forget(live)
    await said


async def test_who_leaves_a_game_is_replaced_by_a_bot_and_may_come_back(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob, pace="slow")
    await bob.do(f"tables/{table}/leave")
    seat = (await ann.see(table))["table"]["seats"][1]
    assert (seat["kind"], seat["name"]) == ("bot", "Bob")
    assert (await bob.see(table))["table"]["my_seat"] is None
    assert await bob.do(f"tables/{table}/sit") == {"seat": 1}
    assert (await bob.see(table))["table"]["seats"][1]["kind"] == "guest"
    person, seen = await turn(table, ann, bob)
    await person.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])


async def test_nobody_else_sits_down_in_a_game(ann: Person, bob: Person, arrive: Callable[[], Person]) -> None:
    table = await two_at_table(ann, bob)
    await arrive().refused(f"tables/{table}/sit", 409, "already-started")
    await ann.refused(f"tables/{table}/seats", 409, "already-started", seat=1, kind="bot")


async def test_an_edition_is_a_name_and_opens_no_file(ann: Person, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "classic-35"\ndeck.gold = 6\n', "utf-8")
    error = await ann.refused("tables", 400, "unknown-name", game="fortune", edition=str(file))
    assert error["allowed"] == ["shafir-35", "classic-35"]


async def test_setups_that_cannot_be(ann: Person) -> None:
    error = await ann.refused("tables", 400, "unknown-name", game="chess")
    assert error["allowed"] == list(all_games())
    for body, code in (
        ({"edition": "gold"}, "unknown-name"),
        ({"options": {"luck": "yes"}}, "unknown-name"),
        ({"options": {"target": "9"}}, "unknown-name"),
        ({"seats": [ME]}, "bad-setup"),
        ({"seats": [ME] * 2}, "bad-setup"),
        ({"seats": [OPEN] * 5}, "bad-setup"),
        ({"seats": []}, "bad-input"),
        ({"seats": [{"kind": "throne"}]}, "bad-input"),
        ({"pace": -1}, "bad-input"),
        ({"pace": "hasty"}, "bad-input"),
        ({"colour": "red"}, "bad-input"),
    ):
        await ann.refused("tables", 400, code, **{"game": "fortune", **body})
    assert (await ann.get("/")).text.count("/t/") == 0


async def test_pace_is_the_hosts(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    await bob.refused(f"tables/{table}/pace", 403, "not-host", pace="fast")
    await ann.do(f"tables/{table}/pace", pace="fast")
    assert (await bob.see(table))["table"]["pace"] == 0.5


async def test_two_people_of_one_name_are_told_apart(ann: Person, bob: Person) -> None:
    await bob.do("me", name="Ann")
    table = await two_at_table(ann, bob)
    assert (await ann.record(table)).names == ("Ann", "Ann (2)")


async def test_a_game_to_its_end_and_a_rematch(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob, options={"round_limit": "100", "target": "5000"})
    await ann.refused(f"tables/{table}/rematch", 409, "not-over")
    assert (await ann.get(f"/api/tables/{table}/replay")).json()["error"]["code"] == "not-over"
    await play_on(table, 5000, ann, bob, first=True)
    view = (await ann.see(table))["table"]
    assert view["status"] == "over"
    assert sum(view["result"]) == 1
    record = await ann.record(table)
    assert (record.seed, record.form) == (view["verdict"]["seed"], fair.SETUP)
    from parlour.games import find

    verify(record, find)
    await ann.refused(f"tables/{table}/moves", 409, "match-over", move="stop", version=view["version"])
    answers = [await person.do(f"tables/{table}/rematch") for person in (ann, bob)]
    assert answers[0] == answers[1]
    assert (await bob.see(table))["table"]["rematch"] == answers[0]["id"]
    again = (await ann.see(answers[0]["id"]))["table"]
    assert {seat["name"] for seat in again["seats"]} == {"Ann", "Bob"}
    assert again["verdict"]["commitment"] != view["verdict"]["commitment"]
    assert again["status"] == "playing"
    for step in (0, 1, view["version"]):
        assert (await bob.get(f"/t/{table}/replay?step={step}")).status_code == 200
        assert (await bob.get(f"/api/tables/{table}/replay?step={step}")).json()["frame"]["version"] == step
    for step in ("-1", str(view["version"] + 1), "x", "9" * 30):
        assert (await bob.get(f"/api/tables/{table}/replay?step={step}")).json()["error"]["code"] == "bad-input"


async def test_a_seat_taken_by_who_was_cut_off_is_seen(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their connection breaks after the database has stored the seat, and before the house knows."""
    table, change = await ann.make(ME, OPEN), house.store.change

    @contextlib.asynccontextmanager
    async def cut(table_id: str) -> AsyncIterator[Change]:
        async with change(table_id) as wanted:
            yield wanted
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "change", cut)
        with pytest.raises(asyncio.CancelledError):
            await sit(house, table, await guest_of(bob), SitBody())
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]] == ["guest", "guest"]
