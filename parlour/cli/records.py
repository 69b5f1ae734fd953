"""`parlour replay` and `parlour verify`: show a record, and check it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output
from parlour.core import fair
from parlour.core import replay as again
from parlour.core.contract import CHANCE
from parlour.core.errors import UnfairRecord
from parlour.core.scene import SPECTATOR

if TYPE_CHECKING:
    from parlour.core.match import Match
    from parlour.core.record import Record

File = Annotated[Path, typer.Argument(metavar="FILE", help="A record; - for standard input.")]


def replay(
    file: File,
    step: Annotated[int | None, typer.Option("--step", min=0, help="Show the game after this step.")] = None,
    log: Annotated[bool, typer.Option("--log", help="Also print the log up to there.")] = False,
    json: output.Json = False,
) -> None:
    """Replay a record: show the table at its end, or after any step.

    Examples: `parlour replay game.txt --log`, `parlour replay game.txt --step 12`
    """
    from parlour.games import find

    record = output.read_record(file)
    again.replay(record, find)  # all of it, so that a record with a fault in a later step is not shown as a good one
    total = len(record.steps)
    if step is not None and step > total:
        raise typer.BadParameter(f"the record has {total} steps.", param_hint="--step")
    shown = total if step is None else step
    match = again.replay(record.upto(shown), find)
    if json:
        output.emit(describe(match, total))
        return
    if log:
        for line in match.log():
            print(output.line_text(line))
        print()
    from parlour.core import plain

    print(f"{match.game.text.TITLE}, step {shown} of {total}")
    print()
    print(plain.render(match.scene(SPECTATOR)))


def verify(file: File, json: output.Json = False) -> None:
    """Check a record: that every move is legal, and that every roll and card follows from its seed.

    The seed becomes public when a game is over; its hash, the commitment, was published before the game, so the
    house cannot have chosen the outcomes after seeing the play. The commitment also binds the game, its rules version,
    edition, parts, options and number of seats; in records made before 25 November 2026 it binds the seed only. The
    answer says what the record proves and what it does not. Exit status 4 if the record is not fair.

    Example: `parlour verify game.txt`
    """
    from parlour.games import find

    record = output.read_record(file)
    facts: dict[str, object] = {
        "game": record.game, "steps": len(record.steps), "given": record.given, "commitment": record.commitment,
        "seed": record.seed,
    }  # fmt: skip
    try:
        match = again.verify(record, find)
    except UnfairRecord as error:
        if json:
            output.emit({"fair": False, "message": str(error), **facts})
        raise
    chance = sum(actor == CHANCE for actor, _, _ in match.steps[record.given :])
    bound = record.form == fair.SETUP
    changed = again.changed_parts(record, match.game)
    missing = _unproved(record, match, bound, changed)
    if json:
        output.emit({
            "fair": True, "over": match.over, "outcomes": chance, "binds": "setup" if bound else "seed",
            "edition_here": changed is not None, "parts_changed": changed or [], "not_proved": missing, **facts,
        })  # fmt: skip
        return
    since = f" from step {record.given + 1} on" if record.given else ""
    verdict = f"{_headline(match, bound, changed)}{since}"
    print(f"{verdict}: all {chance} random outcomes follow from the seed, and the seed matches the commitment.")
    if bound:
        print("The commitment also covers the game, rules version, edition, parts, options and number of seats.")
    for sentence in missing:
        print(sentence)
    output.facts({"game": match.game.text.TITLE, "commitment": record.commitment, "seed": str(record.seed)})


def _headline(match: Match, bound: bool, changed: list[str] | None) -> str:
    """Return the verdict. "Fair" alone is for a whole game, with parts that are bound or those of the edition."""
    if not match.over:
        return "Unfinished, but fair so far"
    return "Fair" if bound or changed == [] else "Fair draws from an unproved setup"


def _unproved(record: Record, match: Match, bound: bool, changed: list[str] | None) -> list[str]:
    """Return in sentences what the record does not prove."""
    found = []
    if record.given:
        found.append(
            f"The first {record.given} steps were set up in advance. They are legal, but the seed doesn't prove them."
        )
    if not match.over:
        found.append(f"The game isn't over after these {match.version} steps. Nothing is proved about what followed.")
    if not bound:
        found.append(
            "The commitment has the older form, which covers only the seed. It doesn't prove that the edition, parts, "
            "options and seats are those of the start."
        )
    if changed is None:
        found.append(f"This Parlour has no edition {record.edition!r} to compare the parts with.")
    elif changed:
        found.append(f"The parts differ from the edition {record.edition} here: {', '.join(changed)}.")
    found.append("The record doesn't prove the names, and the house knew the seed during the game.")
    return found


def describe(match: Match, total: int | None = None) -> dict[str, object]:
    """Return a match as data that a spectator may know. `total` is the number of steps in its whole record."""
    player = match.current_player
    return {
        "game": match.game.name,
        "edition": match.edition.name,
        "options": match.options,
        "names": list(match.names),
        "step": match.version,
        "steps": match.version if total is None else total,
        "over": match.over,
        "to_move": player if player >= 0 else None,
        "scores": match.scores,
        "winners": list(match.winners),
        "log": [{"text": line.text, "clause": line.clause, "seat": line.seat} for line in match.log()],
    }
