"""Lessons played in a browser: the note is in view, you press what is marked, and the game continues."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.core.lesson import CITED, LEARNER
from parlour.games import all_games
from tests.browser.player import picked

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
LESSONS = [(name, ruleset) for name, game in all_games().items() for ruleset in game.lessons]
SIZES = (390, 844), (1280, 800)
PLAYED = [(*lesson, *size) for lesson in LESSONS for size in SIZES]
MOVING = LESSONS[3]  # the one with motion; the others are faster without
WHOLE = """() => { const box = document.querySelector('.prompt').getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth; }"""


@pytest.mark.parametrize(("name", "ruleset", "width", "height"), PLAYED)
@pytest.mark.suite("aces-and-faces--390-844")
def test_a_lesson_is_played_by_what_is_marked(visit: Visit, name: str, ruleset: str, width: int, height: int) -> None:
    still = "no-preference" if (name, ruleset) == MOVING else "reduce"
    page = visit("/", width=width, height=height, forced=True, reduced_motion=still)
    card = picked(page, name)
    if ruleset:
        card.locator(f"[data-ruleset={ruleset}]").check()
    card.get_by_role("button", name="Learn it").click()
    page.wait_for_url("**/t/*")
    lesson = all_games()[name].lessons[ruleset]
    for place, (actor, _) in enumerate(lesson.record.steps):
        if actor != LEARNER:
            continue
        scene = page.locator(".scene[data-lesson]")
        if place in lesson.notes:
            words = CITED.sub("", lesson.notes[place])  # its clause is a link
            expect(scene.locator(".prompt")).to_contain_text(words[:30], timeout=60_000)
            assert page.evaluate(WHOLE), lesson.notes[place]
        for marked in page.locator(".board .hinted").all()[:1]:
            expect(marked).to_be_in_viewport(ratio=0.9)
        version = page.locator("main").get_attribute("data-version")
        take(page)
        expect(page.locator("main")).not_to_have_attribute("data-version", str(version))
    end = CITED.sub("", lesson.notes[len(lesson.record.steps)])
    expect(page.locator(".prompt, .result").filter(has_text=re.compile(re.escape(end[:30])))).not_to_have_count(
        0, timeout=60_000
    )
    if not page.locator(".result").count():  # the last note looks like the others, beside the next decision
        expect(page.locator(".scene[data-lesson] .prompt")).to_have_css("font-family", re.compile("sans"))
        assert page.evaluate(WHOLE), end


def take(page: Page) -> None:
    """Press all that the lesson has marked: a piece, pieces and their button, or a button."""
    button = page.locator(".bar .act.main").first
    for part in page.locator(".board .hinted[data-part]").all():
        part.click()
    piece = page.locator(".board .hinted[data-action]").first
    (
        piece
        if piece.count() and not page.locator(".bar .act.main[data-action], .bar .act.main[data-pick]").count()
        else button
    ).click()
