"""Every kind of notice has words and a switch, and the page You shows every switch."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from parlour.house.notify import wording
from parlour.house.notify.channels import Channel
from parlour.house.notify.kinds import KINDS, OWN, SWITCHES, Wants
from parlour.house.notify.outbox import Notice
from parlour.house.notify.wording import Position
from parlour.house.settings import Settings
from tests.house.accounts.test_belongings import packed
from tests.house.people import Person

NO_SWITCH = ("confirm", "lost")  # emails that a person has just asked for
BESIDE = ("digest",)  # a choice that is not a switch for kinds: the page shows it for email


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any")


def test_every_switch_has_words_and_every_kind_a_switch() -> None:
    assert (*SWITCHES, *BESIDE) == Wants.__struct_fields__
    assert {one.switch for kind, one in KINDS.items() if kind not in NO_SWITCH} == set(SWITCHES)
    assert OWN == NO_SWITCH


@pytest.mark.parametrize("off", SWITCHES)
def test_a_switch_turns_off_its_kinds_alone(off: str) -> None:
    wants = Wants(**{name: name != off for name in SWITCHES})
    assert {kind for kind in KINDS if not wants.include(kind)} == {
        kind for kind, one in KINDS.items() if one.switch == off
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_words(kind: str) -> None:
    channel = Channel("c", "ann", "mail", "ann@example.org", "", "", None, "secret", True, 1.0, 0.0, Wants())
    one = Notice(channel, kind, "a-table", 1, 1.0, 0, "fortune", ("Bob",), "Bob", token="a-token", more="Because.")
    title, text, path = wording.fill(one, Position("What do you play?", "Ann 3", 1e9, True, "Bob wins."))
    assert title
    assert text.endswith((".", "?"))
    assert path.startswith("/")
    assert not {*"{}"} & {*title, *text, *path}


async def test_the_page_and_the_export_show_every_switch(ann: Person) -> None:
    await ann.do("me/told", kind="hook", address="http://127.0.0.1:9/hook")
    place = (await ann.get("/me")).text.partition('data-send="/api/me/told/choose">')[2]
    place = place.partition('name="id" value="')[2].partition('"')[0]
    for only in SWITCHES:
        await ann.do("me/told/choose", id=place, **{name: name == only for name in SWITCHES})
        page = unescape((await ann.get("/me")).text)
        for name, words in SWITCHES.items():
            checked = " checked" if name == only else ""
            assert f'<input type="checkbox" name="{name}"{checked}> <span>{words}</span>' in page
        assert [one["of"] for one in (await packed(ann))[0]["told"]] == [[only]]
