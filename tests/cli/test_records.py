"""`parlour replay` and `parlour verify`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import parlour
from parlour.core import fair
from parlour.core.replay import replay
from tests.cli.conftest import Cli


def test_replay_draws_the_end(cli: Cli, record: Path, finished: parlour.Match) -> None:
    done = cli("replay", record)
    steps = len(finished.steps)
    assert done.status == 0
    assert f"step {steps} of {steps}" in done.out
    assert str(finished) in done.out


def test_replay_draws_any_step(cli: Cli, record: Path, finished: parlour.Match) -> None:
    shown = {step: cli("replay", record, "--step", str(step)).out for step in (0, 2, 5)}
    assert len(set(shown.values())) == 3
    done = json.loads(cli("replay", record, "--step", "5", "--json").out)
    assert (done["step"], done["steps"], done["over"]) == (5, len(finished.steps), False)


def test_replay_tells_what_happened(cli: Cli, record: Path, finished: parlour.Match) -> None:
    done = cli("replay", record, "--log")
    for line in finished.log():
        assert line.text in done.out
    assert finished.log()


def test_replay_as_json(cli: Cli, record: Path, finished: parlour.Match) -> None:
    data = json.loads(cli("replay", record, "--json").out)
    assert data["scores"] == finished.scores
    assert data["winners"] == list(finished.winners)
    assert data["over"] is True
    assert data["to_move"] is None
    assert len(data["log"]) == len(finished.log())


def test_replay_from_standard_input(cli: Cli, finished: parlour.Match) -> None:
    done = cli("replay", "-", "--json", input=finished.record().to_text())
    assert json.loads(done.out)["steps"] == len(finished.steps)


def test_step_that_is_not_there(cli: Cli, record: Path, finished: parlour.Match) -> None:
    done = cli("replay", record, "--step", "99999")
    assert done.status == 2
    assert f"the record has {len(finished.steps)} steps" in " ".join(done.err.split())


def test_files_that_are_no_records(cli: Cli, record: Path, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "words").write_text("hello\n")
    (tmp_path / "cut").write_text(record.read_text("utf-8").replace("* card", "* cart", 1))
    for name, words in {
        "nothing": "No such file",
        "binary": "isn't text",
        "words": "not a Parlour record",
        "cut": "Step 2 (cart",
        ".": "directory",
    }.items():
        for command in ("replay", "verify"):
            done = cli(command, tmp_path / name)
            assert done.status == 3, (name, done)
            assert words in done.err, (name, done)
            assert done.err.count("\n") == 1
            assert done.out == ""


def test_record_of_other_rules(cli: Cli, record: Path, finished: parlour.Match) -> None:
    now = finished.game.rules.VERSION
    record.write_text(record.read_text("utf-8").replace(f"rules: {now}\n", "rules: 99\n"))
    done = cli("replay", record)
    assert done.status == 3
    assert "version 99 of the rules" in done.err


def test_verify_a_fair_record(cli: Cli, record: Path, finished: parlour.Match) -> None:
    done = cli("verify", record)
    assert done.status == 0
    assert done.out.startswith("Fair: all ")
    assert str(finished.seed) in done.out
    data = json.loads(cli("verify", record, "--json").out)
    assert (data["fair"], data["over"], data["binds"], data["parts_changed"]) == (True, True, "setup", [])
    assert data["outcomes"] == sum(actor < 0 for actor, _, _ in finished.steps)


def test_verify_a_game_that_goes_on_from_another(cli: Cli, record: Path, finished: parlour.Match) -> None:
    """The first steps are those of another seed, and it says so."""
    seed = fair.seed_of("another")
    start = replace(finished.record().upto(6), given=6, seed=seed, commitment=fair.commitment(seed))
    match = replay(start, parlour.find)
    match.draw()
    while not match.over:
        match.play(match.legal_actions()[-1])
    record.write_text(match.record().to_text())
    done = cli("verify", record)  # the commitment has the older form
    own = sum(actor < 0 for actor, _, _ in match.steps[6:])
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"Fair from step 7 on: all {own} random outcomes follow from the seed")
    assert "The first 6 steps were set up in advance. They are legal, but the seed doesn't prove them." in done.out
    data = json.loads(cli("verify", record, "--json").out)
    assert (data["given"], data["outcomes"]) == (6, own)
    for step in ("3", "6", "7"):
        assert json.loads(cli("replay", record, "--step", step, "--json").out)["step"] == int(step)
    record.write_text(record.read_text().replace("given: 6\n", ""))
    assert cli("verify", record).status == 4


def test_verify_says_that_a_game_was_cut_off(cli: Cli, record: Path, finished: parlour.Match) -> None:
    cut = finished.record().upto(len(finished.steps) - 4)
    record.write_text(cut.to_text())
    done = cli("verify", record)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Unfinished, but fair so far: all ")
    assert f"The game isn't over after these {len(cut.steps)} steps. Nothing is proved about what followed." in done.out
    data = json.loads(cli("verify", record, "--json").out)
    assert (data["fair"], data["over"]) == (True, False)


def test_verify_says_which_form_the_commitment_has_and_which_parts_are_others(
    cli: Cli, record: Path, finished: parlour.Match
) -> None:
    """A deck that was changed fits no commitment that binds it, and one to the seed alone says nothing about it."""
    whole = finished.record()
    parts = {**whole.parts, "sea_battle_bonus": [1, 2, 3]}
    old = replace(whole, parts=parts, commitment=fair.commitment(str(whole.seed)))
    record.write_text(replace(whole, parts=parts).to_text())
    assert cli("verify", record).status == 4
    record.write_text(replace(old, parts=whole.parts).to_text())
    done = cli("verify", record)
    assert done.out.startswith("Fair: ")
    assert "The commitment has the older form, which covers only the seed." in done.out
    changed = replace(old, steps=old.steps[:3])
    record.write_text(changed.to_text())
    done = cli("verify", record)
    assert done.status == 0
    assert not done.out.startswith("Fair")
    assert f"The parts differ from the edition {old.edition} here: sea_battle_bonus." in done.out
    data = json.loads(cli("verify", record, "--json").out)
    assert (data["binds"], data["parts_changed"]) == ("seed", ["sea_battle_bonus"])
    record.write_text(replace(old, edition="mine").to_text())
    done = cli("verify", record)
    assert done.out.startswith("Fair draws from an unproved setup: ")
    assert "This Parlour has no edition 'mine' to compare the parts with." in done.out


def test_verify_another_seed(cli: Cli, record: Path, finished: parlour.Match) -> None:
    record.write_text(record.read_text("utf-8").replace(str(finished.seed), "0" * 64))
    done = cli("verify", record)
    assert done.status == 4
    assert "commitment" in done.err


def test_verify_a_card_that_was_swapped(cli: Cli, record: Path) -> None:
    lines = record.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("* card"))
    lines[at] = "* card gold" if lines[at] != "* card gold" else "* card diamond"
    del lines[at + 2 :]
    record.write_text("\n".join(lines) + "\n")
    done = cli("verify", record, "--json")
    assert done.status == 4
    assert json.loads(done.out)["fair"] is False
    assert "is not what the seed gives" in done.err


def test_verify_while_the_seed_is_secret(cli: Cli, record: Path, finished: parlour.Match) -> None:
    record.write_text(finished.record(reveal=False).to_text())
    done = cli("verify", record)
    assert done.status == 4
    assert "is still secret" in done.err
