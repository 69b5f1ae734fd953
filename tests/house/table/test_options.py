"""Options of a table: how they may be sent, what is refused, and tables from before it was refused."""

from __future__ import annotations

from parlour.games import all_games
from parlour.house.house import House
from tests.house.people import BOT, ME, OPEN, Person

OLD = {"ruleset": "battle-royale", "honour_calls": "on"}  # the second has no effect in the first


async def test_options_may_be_sent_as_what_they_say(ann: Person) -> None:
    table = await ann.make(ME, BOT, options={"must_keep_one": True, "target": 5000, "finish": "at_least"})
    options = {option["name"]: option["value"] for option in (await ann.see(table))["table"]["options"]}
    assert (options["must_keep_one"], options["target"], options["finish"]) == ("true", "5000", "at_least")
    assert (await ann.record(table)).options == options
    for name, value, code in (
        ("must_keep_one", 1, "unknown-name"),
        ("target", 1, "unknown-name"),
        ("target", True, "unknown-name"),
        ("target", None, "bad-input"),
        ("target", 0.5, "bad-input"),
    ):
        error = await ann.refused("tables", 400, code, game="fortune", options={name: value})
        assert error["message"]


async def test_an_option_is_neither_accepted_nor_shown_where_it_makes_no_difference(ann: Person) -> None:
    error = await ann.refused("tables", 400, "bad-setup", game="family-trade", options=OLD)
    assert (error["clause"], error["allowed"]) == ("FT-19", ["honour_calls=off"])
    for ruleset, offered in (
        ("battle-royale", ["ruleset"]),
        ("market-making", ["ruleset", "honour_calls", "dealt_hand"]),
    ):
        made = await ann.do("tables", game="family-trade", seats=[ME, OPEN], options={"ruleset": ruleset})
        assert [option["name"] for option in (await ann.see(made["id"]))["table"]["options"]] == offered


async def test_the_words_of_the_print_stand_beside_a_choice_between_readings(ann: Person) -> None:
    """They are in the form for a new table, and on the rules page."""
    form = (await ann.get("/")).text
    for game in all_games().values():
        book = (await ann.get(f"/rules/{game.name}")).text
        for option in game.facts.options:
            for page in (form, book) if option.printed else ():
                assert f"The printed rules say “{option.printed}”." in page, option.name


async def test_a_table_made_before_that_was_refused_can_be_played(ann: Person, house: House) -> None:
    for seats in ([ME, OPEN], [ME, BOT]):  # one waits, one is being played
        table = (await ann.do("tables", game="family-trade", seats=seats, options={"ruleset": OLD["ruleset"]}))["id"]
        async with house.hold(table) as live:
            async with house.store.change(table) as change:
                await change.set(options=OLD)
            house.forget(live)
        seen = await ann.see(table)
        assert [option["value"] for option in seen["table"]["options"]] == ["battle-royale"]
        assert "Family Trade" in (await ann.get(f"/t/{table}")).text
    assert seen["table"]["status"] == "playing"
