"""Reports: what is stored with them, their limits, and what happens to them when an account is deleted."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.names import likeness
from parlour.house.admin import rows as admin_rows
from parlour.house.house import House
from parlour.house.http.rates import REPORTS, Rates
from parlour.house.social import rows as social_rows
from parlour.house.social import schema as social
from parlour.house.social.rows import AROUND, MOST_OPEN, Report, Said
from parlour.house.table.play.talk import PHRASES
from tests.house.moderators import does, moderator_of
from tests.house.people import Person, guest_of, two_at_table

Arrive = Callable[[], Person]


async def the_reports(house: House, *, done: bool = False) -> list[Report]:
    _, found = await house.store.look(partial(social_rows.reports, done=done, page=0))
    return found


async def kept_with(house: House, number: int) -> list[Said]:
    return (await house.store.look(partial(social_rows.evidence, numbers=[number])))[number]


async def lines(person: Person, table: str) -> list[Any]:
    return list((await person.see(table))["table"]["chat"])


async def test_phrases_are_lines_like_any_other(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    for phrase in PHRASES:
        await bob.do(f"tables/{table}/chat", text=phrase)
        assert f">{phrase}</button>" in (await ann.get(f"/t/{table}")).text
    assert [line["text"] for line in await lines(ann, table)] == [*PHRASES]


async def test_the_lines_around_the_one_that_is_reported_are_kept(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    for i in range(30):
        await (ann, bob)[i % 2].do(f"tables/{table}/chat", text=f"line {i}")
    meant = (await lines(ann, table))[15]
    number = (await ann.do("me/report", table=table, line=meant["id"], reason="rude", words="This hurts."))["id"]
    (row,) = await the_reports(house)
    assert (row.id, row.about, row.reason, row.words) == (number, (await guest_of(bob)).id, "rude", "This hurts.")
    kept = await kept_with(house, number)
    assert [one.text for one in kept] == [f"line {i}" for i in range(15 - AROUND, 16 + AROUND)]
    assert [one.name for one in kept[:2]] == ["Ann", "Bob"]
    person = (await ann.do("me/report", table=table, seat=1, reason="cheating"))["id"]
    assert [one.text for one in await kept_with(house, person)] == [f"line {i}" for i in range(30 - 2 * AROUND - 1, 30)]
    await bob.do("me/claim", name="Bob", password="correct horse")
    by_name = (await ann.do("me/report", name="Bob", reason="name"))["id"]
    assert await kept_with(house, by_name) == []
    assert (await ann.do("me/report", table=table, line=meant["id"], reason="spam"))["id"] == number  # the same
    assert len(await the_reports(house)) == 3


async def test_what_is_kept_stays_when_the_table_goes(ann: Person, bob: Person, house: House) -> None:
    table = await ann.make({"kind": "me"}, {"kind": "open"})
    await bob.do(f"tables/{table}/chat", text="Boo.")
    (line,) = await lines(ann, table)
    number = (await ann.do("me/report", table=table, line=line["id"], reason="rude"))["id"]
    await ann.do(f"tables/{table}/delete")
    assert [one.text for one in await kept_with(house, number)] == ["Boo."]


async def test_reports_have_limits(ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await two_at_table(ann, bob)
    for i in range(MOST_OPEN + 1):
        await bob.do(f"tables/{table}/chat", text=f"line {i}")
    *first, last = [line["id"] for line in await lines(ann, table)]
    for line in first:
        await ann.do("me/report", table=table, line=line, reason="rude")
    problem = await ann.refused("me/report", 409, "too-many", table=table, line=last, reason="rude")
    assert f"{MOST_OPEN} unread reports" in problem["message"]
    await house.store.do(partial(social_rows.finish, number=1, done=time.time()))
    await ann.do("me/report", table=table, line=last, reason="rude")
    monkeypatch.setattr(social_rows, "MOST_REPORTS", MOST_OPEN)
    await bob.refused("me/report", 409, "too-many", table=table, seat=0, reason="rude")
    await ann.refused("me/report", 400, "bad-input", table=table, seat=1, reason="rude", words="a" * 501)
    await ann.refused("me/report", 400, "bad-input", table=table, seat=1, reason="dull")
    await ann.refused("me/report", 400, "bad-input", table=table, seat=0, reason="rude")


async def test_reports_have_a_price(ann: Person, bob: Person, app: Litestar) -> None:
    table = await two_at_table(ann, bob)
    app.state.rates = Rates()
    assert REPORTS.guest is not None
    for _ in range(int(REPORTS.guest.burst)):
        await ann.do("me/report", table=table, seat=1, reason="other")
    await ann.refused("me/report", 429, "too-fast", table=table, seat=1, reason="other")


async def test_ten_thousand_reports_are_read_page_by_page(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    """With any number of reports (perhaps older than the limit), a page of them is fast and of limited size."""
    about, now = (await guest_of(bob)).id, time.time()

    def many(connection: sa.Connection) -> None:
        rows = [
            {"guest_id": f"g{i}", "about": about, "table_id": "", "line": 0, "reason": "rude", "words": "x" * 500,
             "created": now, "done": None} for i in range(10_000)
        ]  # fmt: skip
        connection.execute(sa.insert(social.reports), rows)
        said = [
            {"report_id": i, "line": line, "guest_id": about, "name": "Bob", "text": "<b>" + "y" * 290}
            for i in range(1, 10_001)
            for line in range(11)
        ]
        connection.execute(sa.insert(social.report_lines), said)

    await house.store.do(many)
    moderator = await moderator_of(house, arrive)
    before = house.watchdog.busiest
    for page in (1, 2, 400):
        answer = await moderator.get(f"/house/reports?page={page}")
        assert answer.is_success
        assert answer.text.count('name="id"') == social_rows.PAGE
        assert len(answer.text) < 400_000
        assert "<b>yyy" not in answer.text
    assert (await moderator.get(f"/house/people/{about}")).is_success
    assert "10,000" in (await moderator.get("/house")).text
    assert house.watchdog.busiest < max(before, 0.1) + 0.1  # which leaves out the slowness of a busy machine
    problem = await ann.refused("me/report", 409, "too-many", table=await two_at_table(ann, bob), seat=1, reason="rude")
    assert "Mute or block the person" in problem["message"]


async def taken_home(person: Person) -> Any:
    with zipfile.ZipFile(io.BytesIO((await person.get("/me/export")).content)) as pack:
        return json.loads(pack.read("me.json"))


async def test_one_takes_home_what_one_did_and_what_is_kept(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    table = await two_at_table(ann, bob)
    await bob.do(f"tables/{table}/chat", text="Boo.")
    await ann.do("me/mute", table=table, seat=1)
    await ann.do("me/block", table=table, seat=1)
    number = (await ann.do("me/report", table=table, seat=1, reason="rude", words="This hurts."))["id"]
    mine = await taken_home(ann)
    assert (mine["muted"], mine["blocked"]) == (["Bob"], ["Bob"])
    (report,) = mine["reported"]
    assert (report["name"], report["reason"], report["words"], report["done"]) == ("Bob", "rude", "This hurts.", False)
    theirs = await taken_home(bob)
    assert "This hurts." not in json.dumps(theirs)
    assert theirs["kept with reports that are done"] == []  # an open report is in no export
    moderator = await moderator_of(house, arrive)
    await does(moderator, "report", id=str(number), words="Talked to them.")
    await does(moderator, "ban", guest=(await guest_of(bob)).id, length="day", words="Be kind.")
    theirs = await taken_home(bob)  # a banned person can still export their data
    assert theirs["kept with reports that are done"] == ["Boo."]
    assert [(one["told"], one["lifted"]) for one in theirs["bans"]] == [("Be kind.", False)]
    assert "This hurts." not in json.dumps(theirs)


async def test_reports_and_bans_outlive_a_deletion_and_evidence_goes_when_the_report_is_closed(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    table = await two_at_table(ann, bob)
    await ann.do(f"tables/{table}/chat", text="You started it.")
    await bob.do(f"tables/{table}/chat", text="Boo.")
    number = (await ann.do("me/report", table=table, seat=1, reason="rude", words="This hurts."))["id"]
    who = (await guest_of(bob)).id
    moderator = await moderator_of(house, arrive)
    await does(moderator, "ban", guest=who, length="ever")
    cookie = dict(bob.cookies)
    await bob.do("me/delete", word="delete")
    assert (await bob.get("/api/me")).status_code == 403  # with the cookie from the deletion
    assert [one.text for one in await kept_with(house, number)] == ["You started it.", "Boo."]
    await ann.do("me/delete", word="delete")
    (row,) = await the_reports(house)
    assert (row.guest, row.words, row.reason) == ("", "This hurts.", "rude")
    await does(moderator, "report", id=str(number), words="Banned.")
    assert [(one.name, one.text) for one in await kept_with(house, number)] == [
        ("Somebody", ""), ("Somebody", ""),
    ]  # fmt: skip
    for page in ("/house/reports", f"/house/people/{who}", "/house/bans", "/house/log", "/house/people"):
        text = (await moderator.get(page)).text
        assert "Bob" not in text, page
        assert "Boo." not in text, page
    assert (
        admin_rows.Ban(1, who, "", None, "")[:4]
        == (await house.store.look(partial(admin_rows.bans, page=0)))[1][0][0][:4]
    )
    async with Person(transport=ann._transport, base_url="http://house.test", cookies=cookie) as again:
        assert (await again.get("/api/me")).status_code == 403  # with the earlier cookie
    (row,) = await the_reports(house, done=True)
    assert (row.guest, row.words, row.reason) == ("", "", "rude")


async def test_a_banned_person_who_deletes_the_account_does_not_come_back_with_the_same_cookies(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    """The ban holds in the browser that deletes and in another that was signed in; and the name is not free soon."""
    await bob.do("me/claim", name="Bob", password="correct horse")
    phone = arrive()
    await phone.do("me/sign-in", name="Bob", password="correct horse")
    moderator = await moderator_of(house, arrive)
    await does(moderator, "ban", guest=(await guest_of(bob)).id, length="week")
    await bob.do("me/delete", password="correct horse")
    for browser in (bob, phone):
        for _ in range(2):
            assert (await browser.get("/", headers={"accept": "text/html"})).status_code == 403
    await ann.refused("me", 409, "name-taken", name="Bob")
    await ann.refused("me/claim", 409, "name-taken", name="B0b", password="correct horse")
    other = await house.store.look(partial(account_rows.taken, likenesses=[likeness("Bob"), likeness("Ann")]))
    assert other == {likeness("Bob")}


async def test_the_name_of_a_deleted_account_is_free_after_a_while_and_not_while_it_is_banned(
    ann: Person, bob: Person, house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    moderator = await moderator_of(house, arrive)
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        await person.do("me/claim", name=name, password="correct horse")
    await does(moderator, "ban", guest=(await guest_of(bob)).id, length="ever")
    for person in (ann, bob):
        await person.do("me/delete", password="correct horse")
    eve = arrive()
    await eve.refused("me/claim", 409, "name-taken", name="Ann", password="correct horse")
    later = time.time() + account_rows.RETIRED + 1
    monkeypatch.setattr(account_rows.time, "time", lambda: later)
    await eve.refused("me/claim", 409, "name-taken", name="Bob", password="correct horse")
    assert await house.store.do(partial(account_rows.release, now=later)) == 1
    await eve.do("me/claim", name="Ann", password="correct horse")
