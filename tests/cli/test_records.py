"""`parlour replay` and `parlour verify`."""

from __future__ import annotations

import json
from pathlib import Path

import parlour
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
    told = json.loads(cli("replay", record, "--json").out)
    assert told["scores"] == finished.scores
    assert told["winners"] == list(finished.winners)
    assert told["over"] is True
    assert told["to_move"] is None
    assert len(told["log"]) == len(finished.log())


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
        "binary": "not text",
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
    told = json.loads(cli("verify", record, "--json").out)
    assert told["fair"] is True
    assert told["outcomes"] == sum(actor < 0 for actor, _, _ in finished.steps)


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
