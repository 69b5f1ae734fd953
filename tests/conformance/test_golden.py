"""Real games kept as fixtures: they must be replayed as they were played, and told in the same words."""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

import pytest

from parlour.core.errors import OtherRules
from parlour.core.record import Record
from parlour.core.replay import verify
from tests.conformance import golden
from tests.conformance.cases import every_game


@pytest.mark.parametrize("file", golden.records(), ids=lambda file: file.stem)
def test_a_kept_game_is_replayed_as_it_was_played(file: Path) -> None:
    """Written anew it may have other words for a move, and is the same game."""
    record = Record.parse(file.read_text("utf-8"))
    match = verify(record, golden.game_of)
    assert match.over
    anew = match.record()
    usual = {option.name: option.default for option in match.game.facts.options}  # also of options that came since
    assert anew.options == {name: record.options.get(name, usual[name]) for name in anew.options}
    assert replace(anew, steps=(), options={}) == replace(record, steps=(), options={})
    assert [actor for actor, _ in anew.steps] == [actor for actor, _ in record.steps]
    assert verify(Record.parse(anew.to_text()), golden.game_of).steps == match.steps


@pytest.mark.parametrize("file", golden.records(), ids=lambda file: file.stem)
def test_a_kept_game_is_logged_in_the_same_words(file: Path) -> None:
    kept = golden.text_of(file).read_text("utf-8")
    lines = golden.tell(Record.parse(file.read_text("utf-8")))
    difference = "\n".join(unified_diff(kept.splitlines(), lines.splitlines(), "kept", "now", lineterm="", n=2))
    assert kept == lines, f"{difference}\nIf that is meant: python -m tests.conformance.golden"


@pytest.mark.parametrize("file", golden.kept(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_kept_game_is_replayed_or_refused_in_a_sentence(file: Path) -> None:
    """It may be of any version of the rules, and is in the folder of that version."""
    record = Record.parse(file.read_text("utf-8"))
    now = golden.game_of(record.game).rules.VERSION
    assert file.parent.name == f"rules-{record.rules_version}"
    if record.rules_version == now:
        assert verify(record, golden.game_of).over
        return
    with pytest.raises(OtherRules, match=f"version {record.rules_version} .* this Parlour has version {now}"):
        verify(record, golden.game_of)


def test_of_every_version_of_the_rules_a_game_is_kept() -> None:
    assert golden.missing() == set(), "see docs/testing.md: python -m tests.conformance.golden --play"


def test_a_change_of_the_rules_needs_a_new_record_and_keeps_the_old_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    game = golden.game_of("fortune")
    before = golden.records()
    old = [file for file in before if file.stem.startswith("fortune-")]
    monkeypatch.setattr(game.rules, "VERSION", 2)
    assert golden.missing() == {("fortune", 2)}  # until one is played
    assert set(golden.records()) == {*before} - {*old}
    for file in old:
        test_a_kept_game_is_replayed_or_refused_in_a_sentence(file)
    monkeypatch.setattr(golden, "kept", lambda: [file for file in before if file not in old])
    assert golden.missing() == {("fortune", 1), ("fortune", 2)}  # the old ones may not be thrown away


def test_every_game_and_edition_has_a_kept_game() -> None:
    wanted = {f"{game.name}-{edition}" for game in every_game() for edition in game.editions}
    assert {file.stem for file in golden.records()} == wanted
    assert {file.stem for file in golden.GOLDEN.glob("*.txt")} == wanted
