"""What a table's host chooses before another player sits there, and what is shown of players: tempo, and ratings."""

from __future__ import annotations

import re
from collections.abc import Callable

import sqlalchemy as sa

from parlour.house.house import House
from parlour.house.ratings import schema as ratings
from tests.expanding import bare
from tests.house.people import BOT, ME, OPEN, Person
from tests.house.ratings.test_rated import known


async def test_the_host_chooses_the_tempo_before_anybody_else_sits_there(ann: Person, bob: Person) -> None:
    await known(ann, "Ann")
    table = await ann.make(ME, OPEN, tempo="quick")

    async def tempo() -> str:
        return str((await ann.see(table))["table"]["tempo"])

    assert await tempo() == "5 min each, 5 s more a decision"
    await bob.refused(f"tables/{table}/tempo", 403, "not-host", tempo="usual")
    slow = {"delay": 43200, "off": [0, 6], "zone": "Europe/Zurich"}
    for chosen, words in (
        ("usual", "20 min each, 10 s more a decision"),
        (slow, "12 h a decision; not on Mondays and Sundays (Europe/Zurich)"),
        ({"bank": 90, "increment": 2}, "1 min each, 2 s more a decision"),
        (None, ""),
        ("turns", "1 min a decision"),
    ):
        await ann.do(f"tables/{table}/tempo", tempo=chosen)
        assert await tempo() == words
    for wrong in ({"bank": 1}, {"bank": 60, "off": [1]}, "slow", {}):
        await ann.refused(f"tables/{table}/tempo", 400, "bad-input", tempo=wrong)
    await ann.do(f"tables/{table}/rated", rated=True)
    await ann.refused(f"tables/{table}/tempo", 400, "bad-setup", tempo=None)
    await ann.do(f"tables/{table}/tempo", tempo={"bank": 300})
    await known(bob, "Bob")
    await bob.do(f"tables/{table}/sit")
    await ann.refused(f"tables/{table}/tempo", 409, "seat-taken", tempo="quick")
    await ann.do(f"tables/{table}/tempo", tempo={"bank": 300})  # no change
    await ann.do(f"tables/{table}/start")
    assert {clock["left"] for clock in (await bob.see(table))["table"]["clocks"]} == {300}
    await ann.refused(f"tables/{table}/tempo", 409, "already-started", tempo="quick")


async def test_ratings_stand_beside_names_and_bots_where_there_are_any(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    """They are in the waiting room and on the lobby's cards: for those who have one, and at a rated table for
    everyone."""
    one, other = await known(ann, "Ann"), await known(bob, "Bob")
    eve = arrive()

    def put(connection: sa.Connection) -> None:
        for player, mu, sure in ((one, 31.24, True), ("bot:greedy", 20.06, False), (other, 12.0, True)):
            ruleset = "battle-royale" if player == other else ""
            values = {"game": "family-trade" if ruleset else "fortune", "ruleset": ruleset, "player": player}
            connection.execute(sa.insert(ratings.ratings).values(**values, mu=mu, sigma=3.0, games=9, sure=sure))

    await house.store.do(put)
    plain = await ann.make(ME, OPEN, BOT, {"kind": "bot", "bot": "random"})
    seats = (await eve.see(plain))["table"]["seats"]
    assert [(seat["rating"], seat["sure"]) for seat in seats] == [
        ("1684", True), ("", False), ("1354", False), ("", False),
    ]  # fmt: skip
    room = bare((await eve.get(f"/t/{plain}")).text)
    assert re.search(r'Ann</a></b> <small class="rating" title="Rating">.*?1684</small>', room)
    assert re.search(r'Greedy bot</b> <small class="rating" title="Rating, provisional">.*?1354<span', room)
    rated = await bob.make(ME, OPEN, BOT, rated=True)
    seats = (await eve.see(rated))["table"]["seats"]
    assert [seat["rating"] for seat in seats] == ["1500", "", "1354"]  # his rating is in another ruleset
    text = (await eve.get("/")).text
    waiting = {
        table: text.partition(f'data-key="waiting-{table}"')[2].partition("</li>")[0] for table in (plain, rated)
    }
    assert "1684" in waiting[plain]
    assert "1500" in waiting[rated]
    assert all('provisional rating </span>1354<span aria-hidden="true">?</span>' in card for card in waiting.values())
    assert 'data-clocks="live" data-rated="yes"' in waiting[rated]
    assert 'data-clocks="none" data-rated="no"' in waiting[plain]
    dialog = text.partition('id="more-fortune"')[2].partition("</dialog>")[0]
    assert re.search(r'Bot ratings: greedy <small class="rating".*?1354', dialog)
    guest = await eve.make(ME, OPEN)  # a guest without an account has no rating
    assert [seat["rating"] for seat in (await bob.see(guest))["table"]["seats"]] == ["", ""]
