"""Records: round trips, and a clear refusal of everything else."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.core.contract import CHANCE
from parlour.core.errors import BadSetup, BrokenRecord, OtherRules, ParlourError, RecordError, UnknownName
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay, verify


def played(moves: int = 12, **more: object) -> Match:
    match = Match(parlour.find("fortune"), 3, seed=4, names=["Ann", "Bob “B” Ü", "a\nb: 1"], words=("w\n1",), **more)  # type: ignore[arg-type]
    for _ in range(moves):
        match.play(match.legal_actions()[-1 if match.version % 2 else 0])
    return match


TEXT = played().record().to_text()
LINES = TEXT.split("\n")


def line_of(start: str) -> int:
    return next(i for i, line in enumerate(LINES) if line.startswith(start))


def changed(start: str, line: str) -> str:
    """TEXT with the line that begins so replaced."""
    return "\n".join([*LINES[: line_of(start)], line, *LINES[line_of(start) + 1 :]])


def test_text_and_record_round_trip() -> None:
    record = Record.parse(TEXT)
    assert record.to_text() == TEXT
    again = replay(record, parlour.find)
    assert again.record() == played().record()
    assert again.scores == played().scores
    assert again.names[2] == "a\nb: 1"


@pytest.mark.parametrize("text", ["", " ", "roll\n* card gold", "roll\r", "roll ", "roll\n"])
def test_a_step_that_could_not_be_read_again_is_not_written(text: str) -> None:
    record = replace(played().record(), steps=((0, "stop"), (1, text)))
    with pytest.raises(BrokenRecord, match="Step 2 cannot be written as one line"):
        record.to_text()


def test_without_the_seed() -> None:
    record = played().record(reveal=False)
    assert record.seed is None
    match = replay(Record.parse(record.to_text()), parlour.find)
    assert match.record() == record
    before = match.version
    with pytest.raises(BadSetup, match="seed"):
        match.play("stop")
    assert match.version == before


def test_a_replayed_match_goes_on_with_the_same_chance() -> None:
    ahead = played(20)
    behind = replay(Record.parse(TEXT), parlour.find)
    for actor, action, _ in ahead.steps[behind.version :]:
        if actor != CHANCE:
            behind.play(action)
    assert behind.record() == ahead.record()


def test_other_line_ends_blank_lines_remarks_and_other_words_for_a_move_are_read() -> None:
    text = "\ufeff" + TEXT.replace("\n", "\r\n").replace("stop", "bank") + "\r\n# a remark\r\n\r\n"
    assert replay(Record.parse(text), parlour.find).record().to_text() == TEXT


def test_an_edition_that_has_changed_since_is_played_as_it_was() -> None:
    parts = json.loads(LINES[line_of("parts:")].removeprefix("parts:"))
    parts["deck"]["gold"] = 20
    match = replay(Record.parse(changed("parts:", f"parts: {json.dumps(parts)}").split("\n* ")[0]), parlour.find)
    assert match.state.deck_size == 52
    assert match.record().parts == parts


@pytest.mark.parametrize(
    ("start", "line", "sentence"),
    [
        ("parlour-record", "parlour-record 2", "not a Parlour record"),
        ("game:", "game: fortune", "Line 2: the value of 'game' is not JSON"),
        ("game:", "game: 5", "Line 2: the value of 'game' is of the wrong kind"),
        ("game:", "", "lacks: game"),
        ("rules:", "rules: true", "Line 3.*wrong kind"),
        ("rules:", "rules: 1.0", "Line 3.*wrong kind"),
        ("rules:", "rules: " + "9" * 5000, "Line 3.*JSON"),
        ("edition:", 'game: "fortune"', "Line 4: 'game' is given twice"),
        ("parts:", "parts: " + "[" * 100_000, "Line 5.*JSON"),
        ("parts:", "parts: []", "Line 5.*wrong kind"),
        ("options:", 'options: {"target": 8000}', "Line 6: the values of the options must be texts"),
        ("options:", "options: null", "Line 6.*wrong kind"),
        ("names:", 'names: ["a", 5]', "Line 7: 'names' must be a list of texts"),
        ("names:", 'names: ["a", "\\ud800"]', "Line 7.*JSON"),
        ("commitment:", 'commitment: "abc"', "Line 8: 'commitment' must be 64"),
        ("words:", "words: [[]]", "Line 9: 'words' must be a list of texts"),
        ("seed:", 'seed: "12"', "Line 10: 'seed' must be 64"),
        ("words:", "given: true", "Line 9: the value of 'given' is of the wrong kind"),
        ("words:", "given: 2.0", "Line 9: the value of 'given' is of the wrong kind"),
        ("words:", "given: null", "Line 9: the value of 'given' is of the wrong kind"),
        ("words:", "given: -1", f"'given' must be a number from 0 to {len(played().steps)}, the number of steps"),
        ("words:", f"given: {len(played().steps) + 1}", f"'given' must be a number from 0 to {len(played().steps)}"),
        ("words:", f"given: {'9' * 4000}", "'given' must be a number from 0"),
        ("* card", "card captain", "Line 13 is neither"),
        ("* card", "*", "Line 13 is neither"),
        ("* card", "0 stop", "Line 13 is neither"),
        ("* card", "100 stop", "Line 13 is neither"),
        ("* card", "² stop", "Line 13 is neither"),
        ("* card", "9" * 10_000 + " stop", "Line 13 is neither"),
        ("* card", 'game: "fortune"', "Line 13 is neither"),
    ],
)
def test_a_broken_line_is_named(start: str, line: str, sentence: str) -> None:
    with pytest.raises(BrokenRecord, match=sentence) as refused:
        Record.parse(changed(start, line))
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("start", "line", "error", "sentence"),
    [
        ("game:", 'game: "chess"', UnknownName, "no game 'chess'"),
        ("rules:", "rules: 99", OtherRules, "version 99"),
        ("parts:", "parts: {}", BrokenRecord, "edition"),
        ("parts:", 'parts: {"deck": 5, "sea_battle_bonus": [1, 2, 3]}', BrokenRecord, "edition"),
        ("parts:", 'parts: {"deck": {"gold": 1e400}, "sea_battle_bonus": [1, 2, 3]}', BrokenRecord, "whole number"),
        ("parts:", 'parts: {"deck": {"gold": 1}, "sea_battle_bonus": {"a": 1}}', BrokenRecord, "three numbers"),
        ("options:", 'options: {"target": "7"}', UnknownName, "Allowed: 8000"),
        ("options:", 'options: {"colour": "red"}', UnknownName, "no option"),
        ("names:", "names: []", BadSetup, "2 to 4 players"),
        ("names:", "names: " + json.dumps(["x"] * 1000), BadSetup, "2 to 4 players"),
        ("* card", "* card joker", BrokenRecord, "Step 2 .card joker. is not possible"),
        ("* card", "1 stop", BrokenRecord, "Step 2 .stop. is not possible"),
        ("* dice", "* dice " + "gold " * 9, BrokenRecord, "Step 3"),
    ],
)
def test_what_can_be_read_but_not_played_is_refused(
    start: str, line: str, error: type[ParlourError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence) as refused:
        replay(Record.parse(changed(start, line)), parlour.find)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("text", ["", "\n", "\x00\xff" * 1000, "parlour-record 1", "x" * 1_000_000, "{" * 100_000])
def test_what_is_no_record_at_all(text: str) -> None:
    with pytest.raises(BrokenRecord):
        Record.parse(text)


def test_a_huge_record_is_refused_without_delay() -> None:
    with pytest.raises(BrokenRecord, match="Step"):
        replay(Record.parse(TEXT + "1 stop\n" * 200_000), parlour.find)


def use(text: str) -> None:
    """Whatever the text, nothing but ParlourError may come out."""
    try:
        record = Record.parse(text)
    except RecordError:
        return
    assert Record.parse(record.to_text()) == record
    record.to_text().encode()
    for what in (replay, verify):
        with suppress(ParlourError):
            what(record, parlour.find)


@given(st.text())
def test_any_text_after_the_first_line(text: str) -> None:
    use(f"parlour-record 1\n{text}")


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, 20), st.text(max_size=8)), min_size=1, max_size=4))
@settings(max_examples=200)
def test_a_record_with_pieces_cut_out_and_put_in(cuts: list[tuple[int, int, str]]) -> None:
    text = TEXT
    for place, length, new in cuts:
        text = text[:place] + new + text[place + length :]
    use(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
deck = st.dictionaries(
    st.sampled_from(["gold", "storm", "captain", "joker"]), json_values | st.integers(0, 40), max_size=4
)
parts = st.fixed_dictionaries(
    {}, optional={"deck": deck | json_values, "sea_battle_bonus": json_values | st.lists(st.integers(0, 9), max_size=4)}
)


@given(st.sampled_from([line.partition(":")[0] for line in LINES[1:10]]), json_values | parts)
@settings(max_examples=200)
def test_any_value_in_the_header(name: str, value: object) -> None:
    use(changed(f"{name}:", f"{name}: {json.dumps(value)}"))


def test_parse_is_the_inverse_for_any_names() -> None:
    for names in (["", ""], ["'\"", "<b>"], ["\u2028", "#"], ["* x", "1 stop"]):
        record = replace(played().record(), names=tuple(names), steps=())
        assert Record.parse(record.to_text()) == record


def test_load_from_a_file_or_a_text(tmp_path: Path) -> None:
    file = tmp_path / "a.parlour"
    file.write_text(TEXT, "utf-8")
    for source in (TEXT, file, str(file)):
        assert parlour.load(source).record().to_text() == TEXT
    file.write_bytes(b"\xff\x00\xfe")
    with pytest.raises(BrokenRecord, match="not text"):
        parlour.load(file)
