"""Guests: no sign-up is needed, they choose a name, and a signed cookie identifies them."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable

import pytest

from parlour.core.errors import ParlourError
from parlour.house.accounts.guests import COOKIE, clean_name
from parlour.house.house import House
from parlour.house.table.storage.rows import Snapshot
from tests.house.people import ME, OPEN, Person, open_tables


async def test_a_guest_has_a_name_at_once_and_keeps_it(arrive: Callable[[], Person]) -> None:
    person = arrive()
    first = (await person.get("/api/me")).json()
    assert first["name"].startswith("Guest ")
    assert not first["named"]
    assert (await person.get("/api/me")).json() == first
    await person.do("me", name="  Ann \t Lee ")
    assert (await person.get("/api/me")).json() == {
        "id": first["id"],
        "name": "Ann Lee",
        "named": True,
        "claimed": False,
        "program": False,
        "preferences": {},
    }


async def test_the_cookie_is_not_for_scripts_nor_other_sites(arrive: Callable[[], Person]) -> None:
    answer = await arrive().get("/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


async def test_a_cookie_that_we_did_not_sign_is_nobody(ann: Person, arrive: Callable[[], Person]) -> None:
    mine = (await ann.get("/api/me")).json()["id"]
    thief = arrive()
    for forged in (mine, f"{mine}.AAAA", "", "ü.x"):
        answer = await thief.get("/api/me", headers={"cookie": f"{COOKIE}={forged}".encode()})
        assert answer.json()["id"] != mine


@pytest.mark.parametrize("name", ["A", "Zoë", "李小龙", "x" * 24, "<b>bold</b>", 'O\'Neil & "Sons"', "👩‍🚀"])
def test_names_that_are_possible(name: str) -> None:
    assert clean_name(f" {name} ") == name


# Fillers of Hangul (three kinds), Braille's blank, variation selectors, joiners and marks without a base.
UNSEEN = ["\u3164", "\u115f\u1160", "\uffa0 \u3164", "\u2800\u2800", "\ufe0f", "\U000e0101", "\u034f", "\u180b"]
UNSEEN += ["\u200d\ufe0f\u200d", "\u3000\u2800\u1680", "\U0001d159", "\U00013441", "\U00016fe4", "\u2064", "\ufeff"]


BAD = ["", "   ", "x" * 25, "a\x00b", "a\u202eb", "\u200b", "\u200d", "\ue000", "\u0301"]


@pytest.mark.parametrize("name", [*BAD, *UNSEEN])
def test_names_that_are_not(name: str) -> None:
    with pytest.raises(ParlourError) as caught:
        clean_name(name)
    assert "A name" in caught.value.message


def test_what_is_drawn_as_nothing_counts_as_a_space() -> None:
    assert clean_name("Ann\u3164\u2800 Lee\u3164") == "Ann Lee"
    assert clean_name("❤\ufe0f") == "❤\ufe0f"


def test_no_letter_or_symbol_that_unicode_calls_blank_is_a_name() -> None:
    """Try every character whose Unicode name says that it is invisible."""
    words = {"FILLER", "BLANK", "INVISIBLE", "NULL", "SELECTOR", "JOINER", "SPACE"}
    drawn = "\u2400\u2420\u2422\u303f\U0001da7f\U0001da80"  # visible pictures of blanks, and a place in SignWriting
    blank = []
    for char in map(chr, range(sys.maxunicode + 1)):
        if words & {*unicodedata.name(char, "").replace("-", " ").split()} and char not in drawn:
            blank.append(char)
    for char in blank:
        if not unicodedata.category(char).startswith("P"):  # those that fill a line are visible
            with pytest.raises(ParlourError):
                clean_name(char)
    assert len(blank) > 256 + 20  # variation selectors, and spaces


async def test_a_bad_name_is_refused_and_the_old_one_stays(ann: Person) -> None:
    error = await ann.refused("me", 400, "bad-input", name="x" * 25)
    assert "1 to 24" in error["message"]
    assert (await ann.get("/api/me")).json()["name"] == "Ann"


async def test_markup_in_names_and_chat_is_text(ann: Person) -> None:
    evil = "<script>x</script>"
    await ann.do("me", name=evil)
    table = await ann.make({"kind": "me"}, {"kind": "open"})
    await ann.do(f"tables/{table}/chat", text=f"<img src=x onerror=alert(1)>{evil}")
    for page in ("/", f"/t/{table}"):
        text = (await ann.get(page)).text
        assert evil not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;" in text


async def test_a_new_name_is_seen_at_tables_that_wait_and_in_games_under_way(ann: Person, bob: Person) -> None:
    waiting = await ann.make({"kind": "me"}, {"kind": "open"})
    playing = await ann.make({"kind": "me"}, {"kind": "open"})
    await bob.do(f"tables/{playing}/sit")
    await ann.do(f"tables/{playing}/start")
    over = await ann.make({"kind": "me"}, {"kind": "here", "name": "Cid"}, options={"target": "5000"})
    while (seen := await ann.see(over))["legal"]:
        await ann.do(f"tables/{over}/moves", move="stop", version=seen["table"]["version"])
    await ann.do("me", name="Anna")
    assert (await bob.see(waiting))["table"]["seats"][0]["name"] == "Anna"
    assert (await bob.see(playing))["table"]["seats"][0]["name"] == "Anna"
    assert (await bob.record(playing)).names == ("Anna", "Bob")
    await bob.do("me", name="Anna")
    assert (await bob.record(playing)).names == ("Anna", "Anna (2)")
    for page in (f"/t/{playing}", "/"):
        assert "Bob" not in (await bob.get(page)).text
    assert (await ann.see(over))["table"]["status"] == "over"
    assert (await ann.record(over)).names == ("Ann", "Cid")  # a finished game keeps its names


async def test_a_new_name_costs_no_more_for_who_has_seats_everywhere(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest may sit at any number of others' tables, and change their name every second."""
    tables = await open_tables(house, ann, 20, ME, OPEN)
    for table in tables:
        await bob.do(f"tables/{table}/sit")
    honest, loaded = house.store.load, []

    async def load(table_id: str, *since: int) -> Snapshot:
        loaded.append(table_id)
        return await honest(table_id, *since)

    monkeypatch.setattr(house.store, "load", load)
    live = await house.table(tables[3])
    with house.presence.listening(live, "a viewer") as page:
        page.news.clear()
        loaded.clear()
        await bob.do("me", name="Robert")
        assert loaded == [tables[3]]  # the only one with an open page
        assert page.news.is_set()
        assert live.seats[1].name == "Robert"
    for table in tables:
        assert (await ann.see(table))["table"]["seats"][1]["name"] == "Robert"


async def test_a_name_is_taken_also_when_a_table_closes_meanwhile(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing, other = await ann.make(OPEN, OPEN), await bob.make(ME, OPEN)
    await bob.do(f"tables/{closing}/sit")
    look = house.store.named_at

    async def slowly(guest: str) -> list[str]:
        found = await look(guest)
        await bob.do(f"tables/{closing}/leave")
        await ann.do(f"tables/{closing}/leave")
        return found

    monkeypatch.setattr(house.store, "named_at", slowly)
    assert (await bob.do("me", name="Robert"))["name"] == "Robert"
    assert (await bob.see(other))["table"]["seats"][0]["name"] == "Robert"
