"""Playtests: their tables, consent, what is noted of whom, and what the designer gets."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from html import unescape
from itertools import pairwise
from typing import Any

import httpx
import polars
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.core.clauses import clauses
from parlour.core.game import Game
from parlour.games import find
from parlour.house.app import create_app, open_house
from parlour.house.database.all_tables import TABLES
from parlour.house.house import House
from parlour.house.http.rates import POSITION, READING, Price, Rates
from parlour.house.playtests import deeds, export, rows
from parlour.house.playtests import schema as s
from parlour.house.playtests.export import _harmless
from parlour.house.playtests.pages import first_words
from parlour.house.settings import Settings
from parlour.house.table.storage import schema as storage
from tests.found import added
from tests.house.people import ME, OPEN, Person, guest_of, play_on

Arrive = Callable[[], Person]
SHORT = {"target": "5000"}
CLAUSE = "FO-7"
GOOD: dict[str, Any] = {"fun": 5, "clear": 2, "length": 3, "again": 1, "words": "Fewer skulls."}


@pytest.fixture
async def eve(arrive: Arrive) -> Person:
    person = arrive()
    await person.do("me", name="Eve")
    return person


async def playtest(designer: Person, *editions: dict[str, Any], **body: Any) -> tuple[str, str]:
    """Make a playtest; return its id and the token of its link."""
    wanted = {"name": "More gold", "game": "fortune", "editions": list(editions) or [{}], "options": SHORT, **body}
    made = await designer.do("playtests", **wanted)
    return made["id"], made["link"].rpartition("/")[2]


async def join(token: str, *people: Person, agree: bool = True) -> str:
    """Seat people at one table; return its id."""
    tables = {(await one.do("playtests/join", token=token, agree=agree))["id"] for one in people}
    assert len(tables) == 1
    return str(tables.pop())


async def shown(designer: Person, made: str) -> str:
    """Return the text of the designer's page."""
    answer = await designer.get(f"/playtests/{made}")
    assert answer.status_code == 200, answer.text
    main = answer.text[answer.text.index("<main") : answer.text.index("</main>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


async def packed(designer: Person, made: str) -> dict[str, list[dict[str, str]]]:
    """Return the tables of the export, by name."""
    answer = await designer.get(f"/playtests/{made}/data")
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        texts = {name: pack.read(name).decode() for name in pack.namelist()}
    assert texts.pop("README.txt").startswith("A playtest of ")
    return {name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in texts.items()}


async def parquet(designer: Person, made: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of the export as Parquet, by name."""
    answer = await designer.get(f"/playtests/{made}/data?parquet=true")
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        assert pack.read("README.txt").startswith(b"A playtest of ")
        names = [name for name in pack.namelist() if name.endswith(".parquet")]
        return {name: polars.read_parquet(io.BytesIO(pack.read(name))).to_dicts() for name in names}


async def stored(house: House, *tables: sa.Table) -> list[str]:
    """Return all rows of these tables, or of the whole database, as texts."""
    async with house.store.read() as connection:
        return [str(row) for one in tables or TABLES for row in await connection.execute(sa.select(one))]


# Tables ----------------------------------------------------------------------------------------------
async def test_friends_meet_at_one_table_that_begins_when_all_are_there(
    ann: Person, bob: Person, eve: Person, arrive: Arrive
) -> None:
    made, token = await playtest(ann)
    assert "Ann" in (page := (await bob.get(f"/try/{token}")).text)
    assert "May we take notes while you play?" in page
    table = (await bob.do("playtests/join", token=token))["id"]
    assert (await bob.see(table))["table"]["status"] == "waiting"
    assert (await bob.do("playtests/join", token=token))["id"] == table  # the link opened again
    assert (await eve.do("playtests/join", token=token))["id"] == table
    seen = (await eve.see(table))["table"]
    assert (seen["status"], seen["public"], seen["rated"], seen["playtest"]) == ("playing", False, False, True)
    other = (await arrive().do("playtests/join", token=token))["id"]
    assert other != table
    assert "Tables 2 0 finished" in await shown(ann, made)


async def test_its_tables_are_for_people_and_unrated(ann: Person, bob: Person) -> None:
    _, token = await playtest(ann)
    await bob.do("me/claim", name="Robert", password="correct horse battery")
    table = (await bob.do("playtests/join", token=token))["id"]
    error = await bob.refused(f"tables/{table}/rated", 400, "bad-setup", rated=True)
    assert error["message"] == "A game of a playtest can't be rated."
    await bob.refused(f"tables/{table}/programs", 400, "bad-setup", programs=True)
    page = (await bob.get(f"/t/{table}")).text
    assert "Make it rated" not in page
    assert "Start with bots" in page


async def test_two_editions_take_turns_and_players_see_no_difference(
    ann: Person, bob: Person, eve: Person, arrive: Arrive, house: House
) -> None:
    made, token = await playtest(ann, {}, {"changes": {"deck.gold": 5, "deck.storm": "1"}})
    people = [bob, eve, *(arrive() for _ in range(6))]
    tables = []
    for one, other in zip(people[::2], people[1::2], strict=True):
        tables.append(await join(token, one, other))
    found = await house.store.look(partial(rows.tables, playtest=made))
    assert [one.arm for one in found[1]] == ["A", "B", "A", "B"]
    usual = find("fortune").named().parts
    other = find("fortune").named().changed({"deck.gold": 5, "deck.storm": 1}).parts
    assert [(await house.table(table)).row.parts for table in tables] == [usual, other, usual, other]
    for path in ("/t/{}", "/api/tables/{}"):
        texts = [(await person.get(path.format(table))).text for person, table in zip(people[::2], tables, strict=True)]
        for text in texts:
            assert made not in re.sub(r'data-playtest="\w+"', "", text)
            assert "deck.gold" not in text
            assert '"arm"' not in text
    states = [(await person.see(table))["table"] for person, table in zip(people[::2], tables, strict=True)]
    assert {(one["edition"], one["edition_title"]) for one in states} == {("Playtest", "Playtest")}
    assert {(await bob.record(tables[0])).edition, (await people[2].record(tables[1])).edition} == {"Playtest"}


async def test_the_edition_that_was_played_less_comes_next(ann: Person, bob: Person, house: House) -> None:
    made, token = await playtest(ann, {}, {"changes": {"deck.gold": 5}})
    first = (await bob.do("playtests/join", token=token))["id"]
    await bob.do(f"tables/{first}/leave")  # which deletes the empty table
    second = (await bob.do("playtests/join", token=token))["id"]
    assert second != first
    assert (await house.table(second)).row.arm == "A"
    assert (await house.store.look(partial(rows.next_arm, playtest=made)))[0].arm == "B"


async def test_a_rematch_belongs_to_it_and_a_game_from_a_replay_does_not(
    ann: Person, bob: Person, eve: Person, house: House
) -> None:
    made, token = await playtest(ann, {}, {"changes": {"deck.gold": 5}})
    table = await join(token, bob, eve)
    await play_on(table, 1000, bob, eve)
    again = (await bob.do(f"tables/{table}/rematch"))["id"]
    assert (await eve.do(f"tables/{table}/rematch"))["id"] == again
    assert (await eve.see(again))["table"]["status"] == "playing"
    row = (await house.table(again)).row
    assert (row.playtest, row.arm) == (made, "A")
    alone = (await bob.do(f"tables/{table}/play-on", step=3, bot="greedy"))["id"]
    assert (await house.table(alone)).row.playtest == ""


async def test_who_is_blocked_gets_another_table(ann: Person, bob: Person, eve: Person) -> None:
    _, token = await playtest(ann)
    table = (await bob.do("playtests/join", token=token))["id"]
    await eve.do("me/claim", name="Evelyn", password="correct horse battery")
    await bob.do("me/block", name="Evelyn")
    assert (await eve.do("playtests/join", token=token))["id"] != table


async def test_a_closed_link_still_fills_its_tables_and_opens_none(
    ann: Person, bob: Person, eve: Person, arrive: Arrive
) -> None:
    made, token = await playtest(ann)
    table = (await bob.do("playtests/join", token=token))["id"]
    await bob.refused(f"playtests/{made}/open", 404, "not-found", open=False)
    await ann.do(f"playtests/{made}/open", open=False)
    assert "The link is closed" in await shown(ann, made)
    assert (await eve.do("playtests/join", token=token))["id"] == table
    await arrive().refused("playtests/join", 403, "forbidden", token=token)
    await ann.do(f"playtests/{made}/open", open=True)
    await arrive().do("playtests/join", token=token)


# Consent ---------------------------------------------------------------------------------------------
async def test_of_one_who_did_not_agree_nothing_is_noted_shown_or_exported(
    ann: Person, bob: Person, eve: Person, house: House
) -> None:
    made, token = await playtest(ann)
    table = (await bob.do("playtests/join", token=token, agree=True))["id"]
    assert (await eve.do("playtests/join", token=token))["id"] == table
    for person, said in ((bob, "Plugh"), (eve, "Xyzzy")):
        await person.do(f"tables/{table}/chat", text=said)
        noted = await person.do(f"tables/{table}/note", kind="refused", clause=CLAUSE)
        assert noted == {"done": person is bob}
    await play_on(table, 1000, bob, eve)
    for person in (bob, eve):
        answered = await person.do(
            f"tables/{table}/answers",
            **GOOD,
        )
        assert answered == {"done": person is bob}
    whose = (await guest_of(eve)).id
    assert [row for row in await stored(house, *(getattr(s, name) for name in (
        "playtests", "editions", "players", "notes", "answers"))) if whose in row] == []  # fmt: skip
    files = await packed(ann, made)
    page = await shown(ann, made)
    assert "Plugh" in page
    assert "Xyzzy" not in page + str(files)
    assert {row["player"] for name, found in files.items() for row in found if "player" in row} == {"P1"}
    for word in ("Bob", "Eve", table, (await guest_of(bob)).id, whose):
        assert word not in str(files), word
    steps = (await house.store.load(table)).steps
    mine = sum(step.actor == 0 for step in steps)
    assert 0 < len(files["decisions.csv"]) <= mine
    assert "1 of 1 tried what it forbids" in page
    assert "Players with notes 1" in page


async def test_parquet_says_what_csv_says_and_nothing_of_one_who_did_not_agree(
    ann: Person, bob: Person, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, token = await playtest(ann)
    table = (await bob.do("playtests/join", token=token, agree=True))["id"]
    await eve.do("playtests/join", token=token)
    for person, said in ((bob, "=Plugh"), (eve, "Xyzzy")):
        await person.do(f"tables/{table}/chat", text=said)
    await play_on(table, 1000, bob, eve)
    await bob.do(f"tables/{table}/answers", **GOOD)
    texts, found = await packed(ann, made), await parquet(ann, made)
    assert {name.removesuffix(".csv") for name in texts} == {name.removesuffix(".parquet") for name in found}
    for name, rows_ in texts.items():
        other = found[name.replace(".csv", ".parquet")]
        assert [list(row.values()) for row in rows_] == [list(map(_as_text, row.values())) for row in other], name
    assert found["chat.parquet"][0]["text"] == "=Plugh"  # no spreadsheet reads it
    assert isinstance(found["decisions.parquet"][0]["choices"], int)
    for word in ("Bob", "Eve", "Xyzzy", table, (await guest_of(bob)).id, (await guest_of(eve)).id):
        assert word not in str(found), word
    assert "Download as Parquet" in await shown(ann, made)
    monkeypatch.setattr(export, "has_parquet", lambda: False)  # a house without that library
    assert "Download as Parquet" not in await shown(ann, made)
    refused = await ann.get(f"/playtests/{made}/data?parquet=true")
    assert (refused.status_code, refused.json()["error"]["message"]) == (404, export.NO_PARQUET)


def _as_text(cell: object) -> str:
    """Return a value of Parquet as CSV has it."""
    return "" if cell is None else str(int(cell)) if isinstance(cell, bool) else str(export._harmless(str(cell)))


async def test_only_what_happens_after_a_player_agreed_is_counted(ann: Person, bob: Person, eve: Person) -> None:
    made, token = await playtest(ann)
    table = await join(token, bob, eve, agree=False)
    await bob.do(f"tables/{table}/chat", text="before")
    await play_on(table, 12, bob, eve)
    await asyncio.sleep(0.01)
    await bob.do(f"playtests/{made}/consent", agree=True)
    assert (await packed(ann, made))["decisions.csv"] == []
    await bob.do(f"tables/{table}/chat", text="after")
    await play_on(table, 1000, bob, eve)
    files = await packed(ann, made)
    assert [row["text"] for row in files["chat.csv"]] == ["after"]
    assert files["decisions.csv"]
    assert min(int(row["step"]) for row in files["decisions.csv"]) >= 12


async def test_withdrawing_deletes_all_notes(ann: Person, bob: Person, eve: Person, house: House) -> None:
    made, token = await playtest(ann)
    table = await join(token, bob, eve)
    await bob.do(f"tables/{table}/note", kind="opened", clause=CLAUSE)
    await play_on(table, 1000, bob, eve)
    await bob.do(f"tables/{table}/answers", **GOOD)
    assert "stop, and delete my notes" in (await bob.get("/playtests")).text.lower()
    await bob.do(f"playtests/{made}/consent", agree=False)
    assert await stored(house, s.notes, s.answers) == []
    files = await packed(ann, made)
    assert {row["player"] for found in files.values() for row in found if "player" in row} == {"P2"}
    await bob.do(f"playtests/{made}/consent", agree=False)  # again
    await bob.do(f"playtests/{made}/consent", agree=True)
    await bob.do(f"tables/{table}/answers", **GOOD)
    assert {row["player"] for row in (await packed(ann, made))["answers.csv"]} == {"P3"}  # not a number given before


async def test_only_who_plays_there_can_agree_note_and_answer(
    ann: Person, bob: Person, eve: Person, arrive: Arrive
) -> None:
    made, token = await playtest(ann)
    table = await join(token, bob, eve)
    stranger = arrive()
    await stranger.refused(f"playtests/{made}/consent", 403, "not-seated", agree=True)
    await stranger.refused(f"tables/{table}/note", 403, "not-seated", kind="opened", clause=CLAUSE)
    await stranger.refused(f"tables/{table}/answers", 403, "not-seated", **GOOD)
    await bob.refused(f"tables/{table}/answers", 409, "not-over", **GOOD)
    other = await bob.make(ME, OPEN)
    await bob.refused(f"tables/{other}/note", 404, "not-found", kind="opened", clause=CLAUSE)
    for path in (f"/playtests/{made}", f"/playtests/{made}/data", "/try/none", "/playtests/none"):
        assert (await stranger.get(path)).status_code == 404, path
    await stranger.refused(f"playtests/{made}/delete", 404, "not-found")
    await stranger.refused("playtests/join", 404, "bad-link", token="none")


# What the designer gets ------------------------------------------------------------------------------
async def test_times_and_taken_back_are_those_of_the_journal(
    ann: Person, bob: Person, eve: Person, house: House
) -> None:
    """A game played by hand: two of Bob's four decisions are taken back. Times are compared with the database's."""
    with added(Game("satchel", "tests.fixtures.satchel")):
        made, token = await playtest(ann, game="satchel", options={})
        table = await join(token, bob, eve)
        for move in ("coin 1", "undo", "coin 3", "coin 2", "undo", "close"):
            path, body = ("undo", {}) if move == "undo" else ("moves", {"move": move})
            version = (await bob.see(table))["table"]["version"]
            await bob.do(f"tables/{table}/{path}", version=version, **body)
        steps = (await house.store.load(table)).steps
        found = (await packed(ann, made))["decisions.csv"]
        page = await shown(ann, made)
    mine = [(before, step) for before, step in pairwise(steps) if step.actor == 0 and step.action >= 0]
    assert [step.text for _, step in mine] == ["coin 1", "coin 3", "coin 2", "close"]
    assert [row["taken_back"] for row in found] == ["1", "0", "1", "0"]
    assert [row["step"] for row in found] == [str(step.idx) for _, step in mine]
    assert [float(row["seconds"] or 0) for row in found] == [round(step.at - before.at, 1) for before, step in mine]
    assert {row["move"] for row in found} == {""}  # the game is not over, and its moves may be secret
    assert "Decisions 4" in page
    assert "Taken back 2" in page


async def test_clauses_are_counted_by_player_with_their_own_words(ann: Person, bob: Person, eve: Person) -> None:
    made, token = await playtest(ann)
    table = await join(token, bob, eve)
    for person, clause, kind in (
        (bob, CLAUSE, "refused"), (bob, CLAUSE, "refused"), (eve, CLAUSE, "refused"), (bob, "FO-2", "opened"),
    ):  # fmt: skip
        await person.do(f"tables/{table}/note", kind=kind, clause=clause)
    page = await shown(ann, made)
    assert f"{CLAUSE} 2 of 2 tried what it forbids , 3 times" in page.replace("forbids,", "forbids ,")
    assert "FO-2 1 of 2 opened it" in page
    assert first_words(clauses(find("fortune"))[CLAUSE]) in page
    files = await packed(ann, made)
    assert Counter((row["what"], row["clause"]) for row in files["clauses.csv"]) == {
        ("refused", CLAUSE): 3, ("opened", "FO-2"): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**AB-1** *Take* a [card](#AB-2). Then rest.", "Take a card."),
        ("**AB-1** No end", "No end"),
        ("", ""),
        ("**AB-1** " + "x" * 300, "x" * 239 + "…"),
    ],
)
def test_a_clause_is_quoted_by_its_first_sentence(text: str, words: str) -> None:
    assert first_words(text) == words


async def test_a_new_playtest_says_that_no_one_has_played(ann: Person) -> None:
    made, _ = await playtest(ann)
    assert "No one has played yet." in await shown(ann, made)
    listed = (await ann.get("/playtests")).text
    assert "More gold" in listed
    assert 'href="#fortune-cover"' in listed.partition("Your playtests")[2].partition("New playtest")[0]


async def test_a_text_is_no_formula_and_no_markup(ann: Person, bob: Person, eve: Person) -> None:
    made, token = await playtest(ann, name="<b>x</b>")
    table = await join(token, bob, eve)
    await bob.do(f"tables/{table}/chat", text="=1+1 <script>alert(1)</script>")
    await play_on(table, 1000, bob, eve)
    await bob.do(f"tables/{table}/answers", **{**GOOD, "words": "@SUM(A1)"})
    page = (await ann.get(f"/playtests/{made}")).text
    assert "<script>alert" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page
    files = await packed(ann, made)
    assert files["chat.csv"][0]["text"].startswith("'=1+1")
    assert files["answers.csv"][0]["words"] == "'@SUM(A1)"
    assert [_harmless(cell) for cell in ("-1", "a=1", 5, "")] == ["'-1", "a=1", 5, ""]


# Wrong input and limits ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({"editions": [{"changes": "deck.gold = 5"}]}, "bad-input", "valid"),
        ({"editions": [{"changes": {"deck.gold": 99}}]}, "bad-parts", "deck.gold is 99"),
        ({"editions": [{}, {"changes": {"deck.none": 1}}]}, "bad-parts", "deck has no"),
        ({"editions": [{"changes": {f"a{i}": 1 for i in range(501)}}]}, "bad-input", "valid"),
        ({"editions": [{"changes": {"deck.gold": "5" * 6001}}]}, "bad-input", "too long"),
        ({"editions": [{}, {}]}, "bad-setup", "The two editions are the same"),
        ({"editions": []}, "bad-input", "valid"),
        ({"editions": [{}, {}, {}]}, "bad-input", "valid"),
        ({"editions": [{"edition": "none"}]}, "unknown-name", "no edition"),
        ({"name": " "}, "bad-input", "A name must have"),
        ({"seats": 99}, "bad-input", "valid"),
        ({"seats": 16}, "bad-setup", "players"),
        ({"game": "chess"}, "unknown-name", ""),
    ],
)
async def test_a_wrong_playtest_is_refused(
    ann: Person, house: House, body: dict[str, Any], code: str, words: str
) -> None:
    answer = await ann.post("/api/playtests", json={"name": "x", "game": "fortune", "editions": [{}], **body})
    error = answer.json()["error"]
    assert (error["code"], words in error["message"]) == (code, True), error
    assert await stored(house, s.playtests) == []


async def test_wrong_answers_are_refused(ann: Person, bob: Person, eve: Person, house: House) -> None:
    _, token = await playtest(ann)
    table = await join(token, bob, eve)
    await play_on(table, 1000, bob, eve)
    wrong: list[dict[str, Any]] = [
        {"fun": 0}, {"fun": 6}, {"length": 4}, {"again": "1"}, {"words": "x" * 501}, {"more": 1},
    ]  # fmt: skip
    for one in wrong:
        await bob.refused(f"tables/{table}/answers", 400, "bad-input", **{**GOOD, **one})
    assert await stored(house, s.answers) == []


@pytest.mark.parametrize("wrong", [{"clause": "FO-999"}, {"clause": "x" * 17}, {"kind": "other"}, {"version": 1}])
async def test_wrong_notes_are_refused(ann: Person, bob: Person, eve: Person, house: House, wrong: Any) -> None:
    _, token = await playtest(ann)
    table = await join(token, bob, eve)
    answer = await bob.post(f"/api/tables/{table}/note", json={"kind": "opened", "clause": CLAUSE, **wrong})
    assert answer.status_code in (400, 404)
    assert await stored(house, s.notes) == []


async def test_what_can_be_stored_is_limited(
    ann: Person, bob: Person, eve: Person, arrive: Arrive, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MOST", "MOST_TABLES", "MOST_NOTES", "MOST_PLAYERS"):
        monkeypatch.setattr(rows, name, 2)
    made, token = await playtest(ann)
    await playtest(ann)
    await ann.refused("playtests", 409, "too-many", name="x", game="fortune", editions=[{}])
    table = await join(token, bob, eve)
    notes = [(await bob.do(f"tables/{table}/note", kind="opened", clause=CLAUSE))["done"] for _ in range(4)]
    assert notes == [True, True, False, False]
    one, other, last = arrive(), arrive(), arrive()
    await one.refused("playtests/join", 409, "too-many", token=token, agree=True)
    await join(token, one, other, agree=False)
    await last.refused("playtests/join", 409, "too-many", token=token)
    assert len(await stored(house, s.players)) == 2
    assert "Tables 2" in await shown(ann, made)


async def test_its_page_costs_as_much_as_the_positions_of_its_tables(
    app: Litestar, ann: Person, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, token = await playtest(ann)
    paid: list[Price] = []
    rates = Rates()
    monkeypatch.setattr(rates, "charge", lambda price, *_: paid.append(price))
    app.state.rates = rates
    for tables in range(3):
        for path in ("", "/data"):
            paid.clear()
            assert (await ann.get(f"/playtests/{made}{path}")).status_code == 200
            assert sum(price.amount for price in paid if price.budget == READING) == 4 + POSITION * tables
        await join(token, arrive(), arrive())


# Ends ------------------------------------------------------------------------------------------------
async def test_deleting_a_playtest_leaves_ordinary_tables(ann: Person, bob: Person, eve: Person, house: House) -> None:
    made, token = await playtest(ann)
    table = await join(token, bob, eve)
    await bob.do(f"tables/{table}/note", kind="opened", clause=CLAUSE)
    await ann.do(f"playtests/{made}/delete")
    assert await stored(house, s.playtests, s.editions, s.players, s.notes, s.answers) == []
    assert (await bob.get(f"/try/{token}")).status_code == 404
    seen = (await bob.see(table))["table"]
    assert (seen["status"], seen["playtest"]) == ("playing", False)
    await play_on(table, 4, bob, eve)
    await bob.refused(f"tables/{table}/note", 404, "not-found", kind="opened", clause=CLAUSE)


async def test_who_deletes_their_account_leaves_no_notes_and_no_playtests(
    ann: Person, bob: Person, eve: Person, house: House
) -> None:
    _, token = await playtest(ann, name="Zorkmid")
    table = await join(token, bob, eve)
    await bob.do(f"tables/{table}/note", kind="opened", clause=CLAUSE)
    whose = (await guest_of(bob)).id
    await bob.do("me/delete", word="delete")
    assert await stored(house, s.notes) == []
    assert [row for row in await stored(house) if whose in row] == []
    assert len(await stored(house, s.players)) == 1
    await ann.do("me/delete", word="delete")
    assert await stored(house, s.playtests, s.editions, s.players) == []
    assert [row for row in await stored(house) if "Zorkmid" in row] == []
    assert (await eve.see(table))["table"]["playtest"] is False


async def test_what_was_noted_is_in_the_export_of_its_player_and_moves_to_their_account(
    ann: Person, bob: Person, eve: Person, arrive: Arrive, house: House
) -> None:
    made, token = await playtest(ann)
    table = await join(token, bob, eve)
    await bob.do(f"tables/{table}/note", kind="refused", clause=CLAUSE)
    await play_on(table, 1000, bob, eve)
    await bob.do(f"tables/{table}/answers", **GOOD)
    phone = arrive()
    await phone.do("me/claim", name="Robert", password="correct horse battery")
    other = await join(token, phone, arrive())
    await phone.do(f"tables/{other}/note", kind="refused", clause="FO-2")
    await bob.do("me/sign-in", name="Robert", password="correct horse battery")
    async with house.store.read() as connection:
        found = await connection.run_sync(partial(rows.exported, guest=(await guest_of(phone)).id))
    (mine,) = found["noted in playtests"]  # type: ignore[misc] # a list
    assert [one["clause"] for one in mine["notes"]] == [CLAUSE, "FO-2"]
    assert [one["words"] for one in mine["answers"]] == ["Fewer skulls."]
    assert found["playtests"] == []
    assert len(await stored(house, s.players)) == 3
    assert (await ann.get(f"/playtests/{made}")).status_code == 200


async def test_old_playtests_are_deleted(ann: Person, bob: Person, eve: Person, house: House) -> None:
    made, token = await playtest(ann)
    await join(token, bob, eve)
    await house.store.do(partial(rows.clear, now=0.0))
    assert len(await stored(house, s.playtests)) == 1
    row = await house.store.look(partial(rows.playtest, playtest=made))
    await house.store.do(partial(rows.clear, now=row.created + rows.KEPT + 1))
    assert await stored(house, s.playtests, s.players) == []


async def test_one_that_no_one_plays_is_deleted_sooner(ann: Person, bob: Person, house: House) -> None:
    (unused, _), (used, token) = await playtest(ann), await playtest(ann)
    await bob.do("playtests/join", token=token)
    made = (await house.store.look(partial(rows.playtest, playtest=used))).created
    await house.store.do(partial(rows.clear, now=made + rows.UNUSED - 60))
    assert len(await stored(house, s.playtests)) == 2
    await house.store.do(partial(rows.clear, now=made + rows.UNUSED + 60))
    assert (await ann.get(f"/playtests/{unused}")).status_code == 404
    assert (await ann.get(f"/playtests/{used}")).status_code == 200


async def test_changes_are_read_as_those_of_a_table() -> None:
    game = find("fortune")
    wish = deeds.EditionWish(changes={"deck.gold": "5", "sea_battle_bonus.2": "1,500"})
    edition = deeds._edition(game, wish, among=1)
    assert edition.parts == game.named().changed({"deck.gold": 5, "sea_battle_bonus.2": 1500}).parts
    assert edition.name == f"{game.named().name}, changed"
    assert deeds._lines(game, edition) == "deck.gold = 5\nsea_battle_bonus.2 = 1500"
    assert deeds._edition(game, deeds.EditionWish(), among=2).name == "Playtest"


@pytest.mark.service
@pytest.mark.whole
async def test_the_same_in_postgresql(database: str) -> None:
    """All queries about playtests work in PostgreSQL too."""
    app = create_app(Settings(database=database, pace=0, limits=False, engine="plain"))
    house = await open_house(app)
    people = [Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") for _ in "abc"]
    ann, bob, eve = people
    made, token = await playtest(ann, {}, {"changes": {"deck.gold": 5}})
    table = await join(token, bob, eve)
    await bob.do(f"tables/{table}/note", kind="opened", clause=CLAUSE)
    await play_on(table, 1000, bob, eve)
    await bob.do(f"tables/{table}/answers", **GOOD)
    assert len((await packed(ann, made))["answers.csv"]) == 1
    assert "Edition A" in await shown(ann, made)
    await bob.do(f"playtests/{made}/consent", agree=False)
    await ann.do("me/delete", word="delete")
    assert (await eve.see(table))["table"]["playtest"] is False
    for person in people:
        await person.aclose()
    await house.close()


@pytest.mark.service
async def test_twenty_at_once_do_not_pass_a_limit_in_postgresql(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request is a transaction of its own: without a lock several count before any is stored."""
    for name in ("MOST", "MOST_NOTES", "MOST_TABLES"):
        monkeypatch.setattr(rows, name, 3)
    app = create_app(Settings(database=database, pace=0, limits=False, engine="plain"))
    house = await open_house(app)
    people = [Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") for _ in range(23)]
    ann, bob, eve, *crowd = people
    for person in people:
        await person.get("/api/me")
    body = {"name": "x", "game": "fortune", "editions": [{}], "seats": 2}
    made = await asyncio.gather(*(ann.post("/api/playtests", json=body) for _ in range(20)))
    assert Counter(answer.status_code for answer in made) == {200: 3, 409: 17}
    token = next(answer.json()["link"] for answer in made if answer.is_success).rpartition("/")[2]
    table = await join(token, bob, eve)
    note = {"kind": "opened", "clause": CLAUSE}
    noted = await asyncio.gather(*(bob.post(f"/api/tables/{table}/note", json=note) for _ in range(20)))
    assert Counter(answer.json()["done"] for answer in noted) == {True: 3, False: 17}
    await asyncio.gather(*(person.post("/api/playtests/join", json={"token": token}) for person in crowd))
    assert len(await stored(house, s.playtests)) == 3
    assert len(await stored(house, s.notes)) == 3
    async with house.store.read() as connection:
        count = await connection.execute(sa.select(sa.func.count()).select_from(storage.tables))
        assert 2 <= count.scalar_one() <= 3
    for person in people:
        await person.aclose()
    await house.close()
