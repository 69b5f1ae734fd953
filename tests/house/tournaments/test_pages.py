"""The pages of tournaments: what each person sees and can do, and what their stream sends."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import pytest
from litestar import Litestar
from markupsafe import Markup

from parlour.house.house import House
from parlour.house.tournaments import jobs, watching
from parlour.house.tournaments.own import Person as Looking
from parlour.house.tournaments.own import named, winners_words
from parlour.house.tournaments.showing import Score, Who, amount
from parlour.house.tournaments.stream import tournament_events
from parlour.house.tournaments.viewing import podium, winners
from parlour.house.tournaments.watching import Watch
from tests.house.clock import Clock
from tests.house.people import Person, guest_of
from tests.house.tournaments.playing import accounts, announce, play_all, seen, settle

MINE = re.compile(r'data-kind="(\w+)".*?<h2 id="mine-title">(.*?)</h2>', re.DOTALL)


async def page(person: Person, tournament: str, query: str = "") -> str:
    answer = await person.get(f"/tournaments/{tournament}{query}")
    assert answer.is_success, answer.text
    return answer.text


async def own(person: Person, tournament: str, query: str = "") -> tuple[str, str]:
    """Return what a tournament's page says a person can do: the kind, and the heading."""
    found = MINE.search(await page(person, tournament, query))
    assert found
    return found[1], found[2]


async def test_a_page_says_what_each_person_can_do(house: House, arrive: Callable[[], Person], clock: Clock) -> None:
    ann, bob, cleo = await accounts(arrive, 3)
    guest = arrive()
    tournament = await announce(ann, rounds=1, starts_at=time.time() + 600)
    assert (await own(guest, tournament))[0] == "account"
    assert await own(bob, tournament) == ("join", "Join this tournament")
    for person in (ann, bob):
        await person.do(f"tournaments/{tournament}/join")
    assert await own(bob, tournament) == ("in", "You’re in")
    assert "/start" in await page(ann, tournament)
    assert "/start" not in await page(bob, tournament), "only the organiser can start it"
    assert "You’re in" in (await bob.get("/tournaments")).text
    lobby = (await bob.get("/")).text
    assert "cup-first" in lobby, "it starts soon, so it leads the lobby"
    assert "cup-first" not in (await cleo.get("/")).text
    await ann.do(f"tournaments/{tournament}/start")
    await settle(house)
    assert await own(ann, tournament) == ("play", "Round 1: you against Player B")
    assert "Open your table within 2 min of its start" in await page(ann, tournament)
    assert (await own(cleo, tournament))[0] == "watch"
    (table,) = (await seen(ann, tournament))["tables"]
    at_table = (await ann.get(f"/t/{table}")).text
    assert re.search(
        rf'class="cup-line"><a href="/tournaments/{tournament}"><bdi>Kuhn Open</bdi> <span>Round 1 of 1', at_table
    )
    await play_all(house, [ann, bob], tournament)
    clock.ahead += jobs.BREAK
    await settle(house)
    assert {await own(ann, tournament), await own(bob, tournament)} >= {("over", "You won the tournament")}
    over = await page(cleo, tournament)
    assert re.search(r'<h2 id="mine-title">Player [AB] won</h2>', over)
    assert "/results?trf=true" in over
    assert re.search("Back to the tournament", (await ann.get(f"/t/{table}")).text)
    listed = (await cleo.get("/tournaments")).text
    assert re.search(r"<b><bdi>Player [AB]</bdi></b>", listed), "the winner"


async def test_a_tournament_by_link_is_joined_by_its_link_and_is_in_no_list(arrive: Callable[[], Person]) -> None:
    ann, bob, cleo = await accounts(arrive, 3)
    tournament = await announce(ann, link=True)
    token = (await seen(ann, tournament))["link"]
    assert f"?link={token}" in await page(ann, tournament), "the organiser shares it with its link"
    assert (await own(bob, tournament))[0] == "watch"
    assert token not in await page(bob, tournament)
    shown = await bob.get(f"/tournaments/{tournament}?link={token}")
    assert shown.headers["Referrer-Policy"] == "no-referrer"
    assert (await own(bob, tournament, f"?link={token}"))[0] == "join"
    await bob.do(f"tournaments/{tournament}/join", token=token)
    assert tournament in (await bob.get("/tournaments")).text
    assert tournament not in (await cleo.get("/tournaments")).text


async def test_the_stream_sends_what_changed_and_the_way_to_a_new_table(
    house: House, app: Litestar, arrive: Callable[[], Person]
) -> None:
    ann, bob = await accounts(arrive, 2)
    tournament = await announce(ann, rounds=1)
    await ann.do(f"tournaments/{tournament}/join")
    watch: Watch = app.state.watch
    guest = await guest_of(ann)

    async def following(events: AsyncIterator[bytes]) -> tuple[str, int, str]:
        async for event in events:
            if event.startswith(b"event: parts"):
                sent = json.loads(event.split(b"data: ", 1)[1])
                return sent["html"], sent["entry"], sent["go"]
        raise AssertionError("the stream ended")

    async with aclosing(tournament_events(house, watch, Looking(guest), tournament, packed=False)) as events:
        html, entry, go = await following(events)
        assert (entry, go) == (1, "")
        assert all(f'data-key="{key}"' in html for key in ("cup-mine", "cup-state", "cup-body"))
        await bob.do(f"tournaments/{tournament}/join")
        await watch.look()
        html, _, _ = await following(events)
        assert "Player B" in html
        assert 'data-key="cup-state"' not in html, "nothing new is to be said there"
        await ann.do(f"tournaments/{tournament}/start")
        await settle(house)
        await watch.look()
        html, _, go = await following(events)
        (table,) = (await seen(ann, tournament))["tables"]
        assert go == f"/t/{table}"
        assert "To your table" in html


async def test_drawn_tournaments_are_kept_for_a_few(
    app: Litestar, arrive: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "KEPT", 2)
    (ann,) = await accounts(arrive, 1)
    made = [await announce(ann, name=f"Cup {number}") for number in range(3)]
    watch: Watch = app.state.watch
    with watch.listening(made[0], "someone"):
        for one in (*made, made[1]):
            await watch.shown(one)
        assert set(watch._shown) == set(made), "one that is looked at counts for nothing"
    await watch.shown(made[1])
    before = await watch.shown(made[1])
    assert await watch.shown(made[1]) is before
    await ann.do(f"tournaments/{made[1]}/join")
    assert (await watch.shown(made[1])) is not before
    assert set(watch._shown) == set(made[1:])
    assert not watch._locks


@pytest.mark.parametrize(
    ("points", "said"),
    [(0, "0"), (1, "1"), (0.5, "½"), (3.5, "3½"), (1 / 3, "⅓"), (1.2, "1⅕"), (0.37, "0.37"), (2.0000001, "2")],
)
def test_points_are_written_as_people_write_them(points: float, said: str) -> None:
    assert amount(points) == said


@pytest.mark.parametrize(
    ("places", "steps", "heading"),
    [
        ((1, 2, 3, 4), (1, 2, 3), "Player 0 won"),
        ((1, 2, 3, 3, 5), (1, 2, 3, 3), "Player 0 won"),
        ((1, 2, 3, 3, 3), (1, 2), "Player 0 won"),
        ((1, 1, 3), (1, 1, 3), "Player 0 and Player 1 won"),
        ((1, 1, 1, 4), (1, 1, 1), "Player 0, Player 1 and Player 2 won"),
        ((1, 1, 1, 1, 1), (), "5 players share first place"),
    ],
)
def test_who_shares_a_place_shares_its_step(places: tuple[int, ...], steps: tuple[int, ...], heading: str) -> None:
    scores = [
        Score(Who(entry, f"Player {entry}", "", Markup(), False), place, f"{9 - place}", (), 0, (), 0)
        for entry, place in enumerate(places)
    ]
    assert tuple(one.place for one in podium(scores)) == steps
    assert winners_words(winners(scores)) == heading


def test_a_list_of_tournaments_does_not_name_hundreds() -> None:
    assert named([f"Player {number}" for number in range(1_000)]) == "1000 players"
    assert named(["Ann", "Bob"]) == "Ann and Bob"


async def test_no_one_wins_a_tournament_to_which_no_one_came(
    house: House, arrive: Callable[[], Person], clock: Clock
) -> None:
    ann, bob = await accounts(arrive, 2)
    tournament = await announce(ann, rounds=1)
    for person in (ann, bob):
        await person.do(f"tournaments/{tournament}/join")
    await ann.do(f"tournaments/{tournament}/start")
    await settle(house)
    clock.ahead += 3600
    await settle(house)
    clock.ahead += jobs.BREAK
    await settle(house)
    assert await own(ann, tournament) == ("over", "No one scored in this tournament")
    assert 'aria-label="Podium"' not in await page(bob, tournament)
    assert "<bdi>Player" not in (await arrive().get("/tournaments")).text, "there is no winner"
