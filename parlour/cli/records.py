"""`parlour replay` and `parlour verify`: show a record, and check it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.cli import output
from parlour.core import replay as again
from parlour.core.contract import CHANCE
from parlour.core.errors import UnfairRecord
from parlour.core.scene import SPECTATOR

if TYPE_CHECKING:
    from parlour.core.match import Match

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
    house cannot have chosen the outcomes after seeing the play. Exit status 4 if the record is not fair.

    Example: `parlour verify game.txt`
    """
    from parlour.games import find

    record = output.read_record(file)
    facts: dict[str, Any] = {
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
    if json:
        output.emit({"fair": True, "over": match.over, "outcomes": chance, **facts})
        return
    since = f" from step {record.given + 1} on" if record.given else ""
    print(f"Fair{since}: all {chance} outcomes of chance follow from the seed, and the seed matches the commitment.")
    if record.given:
        print(f"The first {record.given} steps were given: they are legal, and the seed says nothing about them.")
    output.facts({"game": match.game.text.TITLE, "commitment": record.commitment, "seed": str(record.seed)})


def describe(match: Match, total: int | None = None) -> dict[str, Any]:
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
