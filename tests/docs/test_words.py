"""The pages are in plain English, and the rest gets no worse (`wording.py` has the patterns and the better words)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import wording

BAD = (  # a sentence for each pattern, in its order
    "Who is away has lost.",
    "Whoever likes keeps a name.",
    "The pages of who answered are woken.",
    "Everybody is told about it.",
    "It is one's own decision.",
    "The lists are for nobody.",
    "The stream of a person who is nobody any more ends.",
    "Where there are rules there are none.",
    "It waits for so many seconds.",
    "The page comes back by itself.",
    "The house-keeper decides.",
    "A letter brings a link.",
    "The game goes on.",
    "What was said stands in the log.",
    "You come in by the door.",
    "No link can be had.",
    "Until then it is so.",
    "You can sit down, also while others play.",
    "The worker is used no more.",
    "A hint is no step.",
    "A person deletes themself.",
)
GOOD = (
    "Who is there? Ask anyone who knows, or a player who has lost.",
    "A bot cannot be told apart from a person, and cannot be told from one.",
    "You tell the others as many words as you like, and twice as many lies.",
    "The house starts again, so people stay. People who keep a house are its keepers.",
    "There are letters of the alphabet, and email.",
    'The games of a deleted account keep the name "Somebody".',
    "There is no step here, and it is no longer than before; it is no larger, either. The player is no one.",
    "Somebody",  # that name alone, as it is stored
    "{% for who in rows %}{% if who.name is none %}",
)


@pytest.mark.parametrize("page", wording.PAGES, ids=lambda page: page.name)
def test_a_page_has_no_banned_pattern(page: Path) -> None:
    places = wording.places_in(page)
    assert not places, "\n" + "\n".join(map(str, places))


def test_no_folder_has_more_banned_patterns_than_before() -> None:
    """A count that is a tenth too high must be lowered, so that what was mended stays mended."""
    if not (wording.ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    folders = sorted({*wording.counted(), *wording.stored()})
    now = {folder: len(wording.counted().get(folder, [])) for folder in folders}
    limits = {folder: wording.stored().get(folder, 0) for folder in folders}
    grown = [wording.grown(folder) for folder in folders if now[folder] > limits[folder]]
    assert not grown, "\n" + "\n\n".join(grown)
    high = [folder for folder in folders if now[folder] < limits[folder] - max(limits[folder] // 10, 10)]
    assert not high, f"lower the counts of {high}: `python -m tests.docs.wording --write`"


@pytest.mark.parametrize(("pattern", "sentence"), list(zip(wording.PATTERNS, BAD, strict=True)), ids=BAD)
def test_every_pattern_finds_its_sentence(pattern: wording.Pattern, sentence: str) -> None:
    found = wording.found(f"A good sentence. {sentence} Another one.", "page.md", 7)
    assert pattern in [place.pattern for place in found]
    (said,) = [str(place) for place in found if place.pattern == pattern]
    assert said == f"page.md:7: {pattern.why}; write {pattern.instead}.\n    {sentence}"


@pytest.mark.parametrize("sentence", GOOD)
def test_plain_english_is_left_alone(sentence: str) -> None:
    assert wording.found(sentence) == []


def test_code_and_quoted_words_of_a_page_are_not_read() -> None:
    page = '# A\n\n```\nnobody\n```\n\nThe name "Somebody", `whoever`, [a](b "nobody").\n\nThen\nnobody.\n'
    (place,) = wording.found(wording.prose(page))
    assert (place.line, place.sentence) == (10, "Then nobody.")


def test_strings_and_comments_of_a_module_are_read_and_names_are_not() -> None:
    module = (
        'nobody = 1  # whoever it is\n\ndef f():\n    """Tell\n    nobody."""\n    return f"to {nobody} somebody"\n'
    )
    said = [(line, place.sentence) for line, text in wording.spoken(module) for place in wording.found(text)]
    assert sorted(said) == [(1, "whoever it is"), (4, "Tell nobody."), (6, "somebody")]


def test_a_count_is_never_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wording, "FILE", tmp_path / "wording.toml")
    place = wording.found("nobody else")[0]
    wording.FILE.write_text('[counts]\n"a" = 1\n"b" = 5\n')
    monkeypatch.setattr(wording, "counted", lambda: {"a": [place] * 3, "b": [place] * 2, "c": [place]})
    wording.write()
    assert wording.stored() == {"a": 1, "b": 2, "c": 1}


def test_growth_names_the_place_and_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = wording.found("Old words for nobody.\n\nNew words for whoever reads.", "parlour/a.py")
    monkeypatch.setattr(wording, "counted", lambda: {"parlour": [old, new]})
    monkeypatch.setattr(wording, "stored", lambda: {"parlour": 1})
    monkeypatch.setattr(wording, "changed_lines", lambda _: {("parlour/a.py", 3)})
    said = wording.grown("parlour")
    assert "parlour/a.py:3: " in said
    assert "New words for whoever reads." in said
    assert "Old words" not in said
