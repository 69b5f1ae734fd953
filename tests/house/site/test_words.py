"""The short pages about the house: each exists, is the same for everyone, and says what is true of this house."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from parlour.games import find
from parlour.house.site import drawing
from parlour.house.site.drawing import HouseFacts
from tests.house.people import Person

PAGES = ("help", "about", "contact", "privacy")


class Links(HTMLParser):
    """The addresses that a page links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.add(str(dict(attrs)["href"]))


def words(name: str, contact: str = "", *, mails: bool = False, keep: float | None = None) -> str:
    return "".join(part.text for part in drawing.words(name, HouseFacts(contact, mails, keep), (find("fortune"),)))


@pytest.mark.parametrize("name", PAGES)
async def test_each_page_of_the_footer_exists_and_is_the_same_for_everyone(
    ann: Person, arrive: Callable[[], Person], name: str
) -> None:
    texts = [(await person.get(f"/{name}")).text for person in (ann, arrive())]
    assert texts[0] == texts[1]
    assert f"<h1>{name.capitalize()}</h1>" in texts[0]
    lobby = (await ann.get("/")).text
    assert f'<a href="/{name}">' in lobby
    for link in Links(texts[0]).found:
        if link.startswith("/"):
            answer = await ann.get(link)
            assert answer.status_code == 200, link


def test_the_keepers_address_is_a_link_where_it_can_be_one() -> None:
    assert 'href="mailto:keeper@house.example"><span>keeper@house.example</span></a>' in words(
        "contact", "keeper@house.example"
    )
    assert 'href="https://house.example/ask">' in words("contact", "https://house.example/ask")
    assert "Ring twice &lt;at night&gt;" in words("contact", "Ring twice <at night>")
    assert "javascript:" not in str(Links(words("contact", "javascript:alert(1)")).found)
    silent, said = words("contact"), words("contact", "keeper@house.example")
    assert "No address is published here." in silent
    for page in (silent, said):  # what one can do is said in any case
        assert "Report it at the table" in page
        assert '<a href="/help">' in page
        assert "--contact" not in page, "that is for the person who runs the house, on a page of theirs"


def test_how_to_report_can_be_read_at_once_and_other_topics_fit_a_window() -> None:
    for name in PAGES:
        first = " open" if name == "contact" else ""
        assert re.findall(r'<details class="fold roomy topic"( open)?>', words(name))[:2] == [first, ""]


def test_privacy_takes_its_numbers_from_the_house() -> None:
    assert "30 days without activity" in words("privacy", keep=30)
    assert "Games against bots: they stay." in words("privacy")
    assert "7 days without activity" in words("privacy")
    assert "last 2,000 messages" in words("privacy")
    assert "by email" in words("privacy", mails=True)
    assert "by email" not in words("privacy")
    assert "last 400 days" in words("privacy")
