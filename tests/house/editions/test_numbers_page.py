"""The page with the numbers of an edition: what it shows, what it makes of links, and what it keeps of bad ones."""

from __future__ import annotations

import html
import json
import re
import time
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest

from parlour.conformance.editions import drawn
from parlour.core.book import SOURCES
from parlour.core.fields import Entry, entries, said, text_of, within
from parlour.core.game import Game
from parlour.games import all_games, find
from parlour.house.editions.api import MOST_ADDRESS
from parlour.house.editions.pages import NumbersView, numbers_view
from parlour.house.house import House
from tests.house.people import Person

HOUSE = "http://house.test"
GAMES = list(all_games().values())


def shown(game: Game, address: str) -> NumbersView:
    """Return the page at an address of the house."""
    path, _, edition = urlsplit(address).path.removeprefix("/new/").partition("/")
    assert path == game.name
    return numbers_view(game, edition, parse_qsl(urlsplit(address).query, keep_blank_values=True), HOUSE)


def typed(view: NumbersView) -> list[tuple[str, str]]:
    """Return what a browser sends of the form when no script runs: all of it."""
    return [(one.path, one.text) for part in view.parts for row in part.rows for one in row.fields]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
async def test_a_link_opens_the_form_that_it_was_made_of_and_plays_that_edition(
    game: Game, ann: Person, house: House, request: pytest.FixtureRequest
) -> None:
    """For editions that are drawn: link, form, what a browser sends of it, and the table that a button makes."""
    rng, changed = Random(7), 0
    enough = 60 if request.config.getoption("--whole") else 3
    for _ in range(20 * enough):
        base = rng.choice(list(game.editions.values()))
        edition = drawn(game, base, rng)
        if edition is base:
            continue
        changed += 1
        texts = {entry.path: text_of(value) for entry, value in _values(game, base.name, edition.parts)}
        first = numbers_view(game, base.name, texts.items(), HOUSE)
        again = shown(game, first.address)
        assert first.link == HOUSE + first.address
        assert (again.address, again.parts) == (first.address, first.parts)
        assert again.changes == said(base, edition) == numbers_view(game, base.name, typed(again), HOUSE).changes
        assert not again.faults
        body = json.loads(again.starts["open"])
        table = (await house.store.load((await ann.do("tables", **body))["id"])).table
        assert (table.edition, table.parts) == (edition.name, edition.parts)
        if changed == enough:
            break
    assert changed == enough


def _values(game: Game, name: str, parts: dict[str, object]) -> list[tuple[Entry, object]]:
    base = game.named(name)
    return [(entry, within(parts[key], entry)) for key, part in base.components.items()
            for entry in entries(key, part) if entry.kind != "other"]  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
async def test_every_value_has_its_words_bounds_mark_and_clause(game: Game, ann: Person) -> None:
    for edition in game.editions.values():
        page = (await ann.get(f"/new/{game.name}/{edition.name}")).text
        for name, part in edition.components.items():
            at = page.index(f'data-key="part-{name}"')
            piece = html.unescape(page[at : page.index('<details class="fold roomy', at)])
            assert part.named(name) in piece
            assert part.note in piece
            assert f'#{part.clause}">{part.clause}</a>' in piece
            assert f">{'printed' if part.mark == 'stated' else part.mark}</small>" in piece
            assert part.mark == "stated" or SOURCES[part.mark] in piece
            bounds = part.bounds.said(part.value).partition(", each one of")[0]
            assert ("These can’t be changed." if part.bounds.fixed else f"Allowed: {bounds}") in piece
            for entry in entries(name, part):
                assert (f'name="{entry.path}"' in piece) == (entry.kind != "other")
        assert "<mark>" not in page
        assert "Nothing is changed yet." in page


async def test_what_is_changed_is_marked_and_each_value_leads_back(ann: Person) -> None:
    page = (await ann.get("/new/fortune?deck.gold=5&sea_battle_bonus.2=2000")).text
    assert re.findall(r"<mark>(.*?)</mark>", page) == ["gold: 5", "4 swords: 2,000"]
    assert re.findall(r'data-back="([^"]*)"', page) == ["deck.gold", "sea_battle_bonus.2", ""]
    assert 'aria-label="Fortune Cards, gold: back to 3"' in page
    assert "<li>Fortune Cards, gold: 5 instead of 3</li>" in page
    assert 'value="http://house.test/new/fortune?deck.gold=5&amp;sea_battle_bonus.2=2000"' in page
    assert 'content="Fortune with other numbers"' in page  # a preview elsewhere says what it is
    assert "Fortune Cards, gold: 5 instead of 3. Bonus of the Sea Battles, 4 swords: 2,000 instead of 1,000." in page


async def test_a_bad_link_gets_a_sentence_for_each_mistake_and_loses_nothing(ann: Person) -> None:
    address = (
        "/new/fortune/gone-7?deck.gold=50&deck.truce=x%22%3Cb%3E&deck.storm=4&dekc.gold=1&deck.glod=1&option:finish=z"
        "&option:gone=1&table:players=nine"
    )
    answer = await ann.get(address)
    assert answer.status_code == 200
    view = shown(find("fortune"), address)
    assert [sentence for _, sentence in view.faults] == [
        "Fortune Cards, gold is 50, but it must be 0 to 20 (FO-2).",
        "Fortune Cards, truce must be a whole number, not 'x\"<b>' (FO-2).",
        "Fortune Cards has no 'glod' (did you mean 'gold'?) (FO-2).",
        "Fortune has no edition 'gone-7'. This page shows the first one.",
        "Option finish cannot be 'z'. Allowed: above, at_least.",
        f"fortune has no option 'gone'. Allowed: {', '.join(one.name for one in find('fortune').facts.options)}.",
        "Fortune is for 2 to 4 players, not 'nine'.",
        "There is no component 'dekc' (did you mean 'deck'?); there are deck, sea_battle_bonus.",
    ]
    texts = dict(typed(view))
    assert (texts["deck.gold"], texts["deck.truce"], texts["deck.storm"]) == ("50", 'x"<b>', "4")
    assert view.starts == {}
    assert "data-start=" not in answer.text
    assert "<b>" not in answer.text.split("</nav>")[1].replace("<b><bdi>", "")
    assert answer.text.count('aria-invalid="true"') == 2
    assert "deck.gold=50" in view.address  # a reload loses nothing either


def test_values_that_make_no_game_together_are_a_mistake_of_none() -> None:
    none = "&".join(f"deck.{card}=0" for card in find("fortune").edition().parts["deck"])
    view = shown(find("fortune"), f"/new/fortune?{none}")
    assert [path for path, _ in view.faults] == [""]
    assert len(view.changes) == 0


async def test_an_option_travels_with_the_link_unless_the_ruleset_leaves_it_without_effect(ann: Person) -> None:
    trade = find("family-trade")
    view = shown(
        trade, "/new/family-trade?start=400&option:ruleset=battle-royale&option:honour_calls=on&table:players=4"
    )
    assert view.address == "/new/family-trade?start=400&option:ruleset=battle-royale"
    body = json.loads(view.starts["link"])
    assert (body["options"], body["changes"], len(body["seats"])) == ({"ruleset": "battle-royale"}, {"start": 400}, 4)
    table = (await ann.do("tables", **body))["id"]
    assert (await ann.see(table))["table"]["changes"] == ["Money at the start: 400,000 instead of 500,000"]


async def test_hostile_addresses_are_bounded(ann: Person) -> None:
    answer = await ann.get("/new/fortune?deck.gold=" + "9" * MOST_ADDRESS)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-input")
    assert (await ann.get("/new/chess")).status_code == 404
    assert (await ann.get("/new/fortune?deck.gold=1&deck.gold=2")).status_code == 400
    many = "&".join(f"a{i}=1" for i in range(700))
    deep = "cabaret=" + ";;a" * 700 + "&" + "x." * 600 + "=1&prestige=" + ",".join("1" * 900)
    began = time.process_time()
    for path in (
        f"/new/fortune?{many}",
        f"/new/gatsby?{deep}",
        f"/new/gatsby/{'x' * 3000}",
        "/new/fortune?%FF=%FE&=&;=;",
    ):
        answer = await ann.get(path)
        assert answer.status_code == 200, answer.text
        assert len(answer.text) < 200_000
        assert answer.text.count('<li><a href="#n-') + answer.text.count("<li>There") <= 12
    assert time.process_time() - began < 1  # a few milliseconds each


async def test_the_dialog_of_the_lobby_leads_there(ann: Person) -> None:
    page = (await ann.get("/")).text
    for game in GAMES:
        for number, edition in enumerate(game.editions.values()):
            address = f"/new/{game.name}" + (f"/{edition.name}" if number else "")
            assert f'href="{address}">Change the numbers</a>' in page
