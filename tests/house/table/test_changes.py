"""A page gets only what is new to it, and rebuilds the whole from that."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from html import escape
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.conformance.cases import random_steps
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.games import all_games
from parlour.house.house import House
from parlour.house.table.live.audience import KEPT, Kept
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.table import Table
from parlour.house.table.pages.changes import BEGIN, END, Drawing, put_together
from parlour.house.table.pages.fragments import drawn
from parlour.house.table.web.updates import Page, _section, message
from tests.expanding import Element, Replica, expand, only
from tests.house.people import LINK, ME, OPEN, Person, play_on, time_is_over

KEYS = [f"k{n}" for n in range(8)]


def part(element: str) -> str:
    """An element as a template marks it."""
    return f"{BEGIN}{element}{END}"


def without_marks(drawn: str) -> str:
    return drawn.replace(BEGIN, "").replace(END, "")


def markup(choice: Callable[[Any], Any], unused: list[str], depth: int = 3) -> str:
    """Return some random elements; keys are unique."""
    parts = []
    for _ in range(choice(st.integers(0, 3))):
        kind = choice(st.sampled_from(["words", "plain", "keyed", "art", "field"]))
        said = choice(st.sampled_from(["", "a", 'a > b & "c"', "<k data-key='k1'></k>", "−5"]))
        inside = markup(choice, unused, depth - 1) if depth else ""
        if kind == "words":
            parts.append(escape(said))
        elif kind == "plain":
            parts.append(f'<p class="{escape(said)}">{inside}</p>')
        elif kind == "keyed" and unused:
            key = unused.pop(choice(st.integers(0, len(unused) - 1)))
            parts.append(part(f'<li data-pick=\'{{"a":">"}}\' data-key="{key}" title="{escape(said)}">{inside}</li>'))
        elif kind == "art":
            parts.append('<svg aria-hidden="true"><use href="#face"/></svg>')
        else:
            parts.append("<input readonly>")
    return "".join(parts)


@settings(max_examples=50)
@given(st.data())
def test_a_page_makes_the_whole_of_the_changes(data: st.DataObject) -> None:
    old, new = (part(f'<div data-key="all">{markup(data.draw, [*KEYS])}</div>') for _ in range(2))
    was, now = put_together(old), put_together(f"\n{new}\n")
    assert (was.text, now.text) == (without_marks(old), without_marks(new))
    assert (was.mark == now.mark) == (old == new)
    changes = now.since(was)
    assert changes is not None
    assert expand(only(was.text), changes) == only(now.text)
    assert (changes == "") == (old == new)


@pytest.mark.parametrize("twice", [0, 1])
def test_a_key_that_stands_there_twice_is_sent_whole(twice: int) -> None:
    first = part('<i data-key="a"></i>')
    texts = [part(f'<div data-key="all">{first}{part(f"""<i data-key="{key}">1</i>""")}</div>') for key in "bb"]
    texts[twice] = part(f'<div data-key="all">{first}{part("""<i data-key="a">1</i>""")}</div>')
    was, now = map(put_together, texts)
    assert now.since(was) is None
    assert now.text == without_marks(texts[1])


def test_what_two_drawings_have_in_common_is_in_memory_once() -> None:
    nest = part(f'<i data-key="a">{part("""<b data-key="c">1</b>""")}</i>')
    text, changed = (
        part(f'<div data-key="all">{nest}{part(f"""<i data-key="b">{said}</i>""")}</div>') for said in "23"
    )
    one = put_together(text)
    other = put_together(changed, one)
    was, now = ({part.key: part for part in drawing.lend(drawing._root).all()} for drawing in (one, other))
    assert [key for key in now if now[key] is was[key]] == [b"a", b"c"]
    assert (other.text, other.mark) == (without_marks(changed), put_together(changed).mark)


@pytest.mark.parametrize("name", all_games())
@pytest.mark.suite("family-trade")
def test_what_anybody_sees_of_a_random_game_is_made_of_its_changes(name: str) -> None:
    game, choice = all_games()[name], random.Random(3)
    players = min(4, game.facts.players[-1])
    match = Match(game, players, seed=3, auto=False)
    before: dict[int, list[tuple[Drawing, Element]]] = {}
    small = whole = 0
    for _ in random_steps(match, 3, 60):
        for viewer in choice.sample((SPECTATOR, *range(players)), 2):
            scene = game.scenes.scene(match.state, viewer, match.names)
            now, seen = drawn(scene, f"/rules/{name}"), before.setdefault(viewer, [])
            text = now.text
            if seen:
                was, tree = choice.choice(seen[-5:])
                changes = now.since(was)
                assert changes is not None
                assert expand(tree, changes) == only(text)
                small, whole = small + len(changes), whole + len(text)
            seen.append((now, only(text)))
    assert small < 0.6 * whole


async def _table(game: str, ann: Person, bob: Person, **options: str) -> str:
    table = str((await ann.do("tables", game=game, seats=[ME, OPEN], hints=True, options=options))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


def _read(data: bytes) -> Any:
    return json.loads(data.partition(b"data: ")[2])


class Pages:
    """Two pages of one guest, one of which gets everything each time."""

    def __init__(self, live: Table, guest: str) -> None:
        self.live, self.guest, self.kept = live, guest, Kept()
        self.plain, self.page, self.replica = Page(), Page(changes=True), Replica()
        self.whole: dict[str, Element] = {}
        self.sent = 0

    def look(self) -> None:
        """Send both what is new, and check that they are the same afterwards."""
        eyes = eyes_of(self.live, self.guest)
        whole = message(self.live, eyes, "http://house.test", self.plain, self.kept)
        changes = message(self.live, eyes, "http://house.test", self.page, self.kept)
        assert (whole is None) == (changes is None)
        if whole is None or changes is None:
            return
        whole_update, other = _read(whole), _read(changes)
        self.sent += len(changes)
        self.replica.take(other)
        for name in ("version", "title", "fresh", "eyes"):
            assert whole_update[name] == other[name]
        for one, two in zip(whole_update["frames"], other["frames"], strict=True):
            same = ("version", "log", "moment")
            assert [one[name] for name in same] == [two[name] for name in same]
        assert [only(frame["html"]) for frame in whole_update["frames"]] == self.replica.scenes
        assert only(whole_update["table"]) == self.replica.table


@pytest.mark.parametrize("game", all_games())
@pytest.mark.suite("family-trade")
async def test_pages_that_are_sent_changes_have_the_same_as_those_that_are_sent_all(
    game: str, ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    table, eve, choice = await _table(game, ann, bob), arrive(), random.Random(2)
    live = await house.table(table)
    guests = [(await person.get("/api/me")).json()["id"] for person in (ann, bob, eve)]
    pages = [Pages(live, guest) for guest in guests]
    for number in range(25):
        assert live.match is not None
        for page in pages:
            if choice.random() < 0.7:  # otherwise it is slow
                page.look()
        if live.over:
            break
        if number % 5 == 0:
            await ann.do(f"tables/{table}/chat", text=f"<b>{number}</b> & so on")
        if live.questions.open is not None:
            await time_is_over(live)
            continue
        mover = (ann, bob)[live.match.current_player]
        seen = await mover.see(table)
        await mover.do(f"tables/{table}/moves", move=choice.choice(seen["legal"]), version=seen["table"]["version"])
    for page in pages:
        page.look()


def _inside(element: Element) -> Iterator[Element]:
    for child in element.children:
        if isinstance(child, Element):
            yield child
            yield from _inside(child)


async def test_each_keyed_element_beside_the_scene_is_a_part(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    """It has marks of its own, right round it, in every state of a table: markup is not read to find it."""
    found: set[str] = set()

    async def look(table: str) -> None:
        live = await house.table(table)
        for person in people:
            guest = (await person.get("/api/me")).json()["id"]
            for one in _section(live, eyes_of(live, guest), "http://house.test", Kept())._root.all():
                element = only(one.text.decode())
                keyed = [inner for inner in _inside(element) if inner.key is not None]
                assert element.key == one.key.decode() != ""
                assert [inner.tag for inner in keyed] == ["k"] * len(one.parts)
                assert [inner.key for inner in keyed] == [part.key.decode() for part in one.parts]
                assert one.keys == ()
                found.add(re.sub(r"\d+", "N", element.key))

    people = ann, bob, arrive()
    alone = (await ann.do("tables", game="fortune", seats=[ME, LINK, OPEN]))["id"]
    await look(alone)
    passed = await ann.do("tables", game="family-trade", seats=[ME, {"kind": "here", "name": "Bob"}], tempo="usual")
    table = await _table("fortune", ann, bob)
    for person, text in ((ann, "hello"), (bob, "hello"), (bob, "again")):
        await person.do(f"tables/{table}/chat", text=text)
    await look(table)
    await ann.do("me/mute", table=table, seat=1)
    await ann.do(f"tables/{table}/end")
    await look(table)
    await bob.do(f"tables/{table}/end")
    for one in (table, passed["id"]):
        await look(one)
    over = await _table("fortune", ann, bob, target="5000")  # the shortest game
    await play_on(over, 10_000, ann, bob)
    await look(over)
    template = (resources.files("parlour.house.table") / "templates/section.html").read_text("utf-8")
    assert template.count(" data-key=") == template.count("{{ part }}") == template.count("{{ end }}")
    assert len(found) > 30


async def test_what_has_not_changed_is_not_sent(ann: Person, bob: Person, house: House) -> None:
    table = await _table("fortune", ann, bob)
    live = await house.table(table)
    pages = Pages(live, (await ann.get("/api/me")).json()["id"])
    pages.look()
    eyes = eyes_of(live, pages.guest)
    assert message(live, eyes, "http://house.test", pages.page, pages.kept) is None
    await ann.do(f"tables/{table}/chat", text="hello")
    talk = _read(message(live, eyes, "http://house.test", pages.page, pages.kept) or b"")
    assert talk["frames"] == []
    assert "hello" in talk["table"]
    assert "No messages yet" not in talk["table"]
    assert len(talk["table"]) < 1000
    await play_on(table, 1, ann, bob)
    moved = _read(message(live, eyes, "http://house.test", pages.page, pages.kept) or b"")
    assert moved["table"] == ""
    assert moved["base"][1] == moved["marks"][1] == talk["marks"][1]


async def test_a_page_says_what_it_has_and_whoever_has_something_else_gets_the_whole(
    ann: Person, bob: Person, house: House
) -> None:
    table = await _table("fortune", ann, bob)
    page = (await ann.get(f"/t/{table}")).text
    scene, section = page.split('data-have="')[1].split('"')[0].split(".")
    live = await house.table(table)
    eyes, version = eyes_of(live, (await ann.get("/api/me")).json()["id"]), live.version

    def first(held: Page) -> Any:
        return _read(message(live, eyes, "http://house.test", held, Kept()) or b"")

    same = first(Page(version, 0, scene, section, changes=True))
    assert (same["frames"], same["table"], same["base"], same["marks"]) == ([], "", ["", section], [scene, section])
    other = first(Page(version, 0, "0" * 12, "1" * 12, changes=True))
    assert [frame["changes"] for frame in other["frames"]] == [False]
    assert other["base"] == ["", ""]
    assert only(other["frames"][0]["html"]).key == "scene"
    assert only(other["table"]).key == "table"
    nothing = first(Page(version, 0, changes=True))
    assert only(nothing["table"]).key == "table"


def _is_kept(kept: Kept, *key: object) -> bool:
    made: list[bool] = []
    kept.get(key, lambda: made.append(True), lambda _: 0)
    return not made


def test_what_is_kept_is_bounded_and_what_was_used_last_stays() -> None:
    kept = Kept()
    kept.pages = 2
    for number in range(100):
        assert kept.get(("many", number), lambda: b"x" * (KEPT // 10), len) is kept.get(("many", number), bytes, len)
        assert kept.get(("always",), lambda: b"y", len) == b"y"
    assert [number for number in range(100) if _is_kept(kept, "many", number)] == [*range(91, 100)]
    assert _is_kept(kept, "always")


def test_of_what_is_too_large_the_last_of_each_kind_stays() -> None:
    """It stays at any size, because many pages may need it."""
    kept = Kept()
    for number in range(5):
        for kind in ("position", "section"):
            kept.get((kind, number), lambda: "large", lambda _: KEPT)
    for kind in ("position", "section"):
        assert _is_kept(kept, kind, 4)
        assert not _is_kept(kept, kind, 3)


def test_for_a_lone_page_the_last_of_each_kind_stays_alone() -> None:
    kept = Kept()
    kept.pages = 1
    for number in range(2):
        for kind in ("position", "section"):
            kept.get((kind, number), lambda: "small", lambda _: 1)
    for kind in ("position", "section"):
        assert _is_kept(kept, kind, 1)
        assert not _is_kept(kept, kind, 0)
