"""The commands about Fortune, and the workspace of its solver: see `parlour.core.game.Solution`."""

from __future__ import annotations

import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from parlour.core.errors import BadSetup
from parlour.core.match import Match
from parlour.core.solving import Answer, Command, Interrupted, Parameter, Question, Table
from parlour.games.fortune.study import duels, positions, turns
from parlour.games.fortune.study.duels import workspace as workspace

SOLVE = Command(
    "The best turn with each card, by expected points; or, with --duel, the chance to win for every pair of totals. "
    "--duel saves its work in OUT.part after each round: after an interruption (Ctrl-C), the same command resumes it.",
    (
        Parameter("exact", "Exact fractions; some seconds.", bool, False),
        Parameter("duel", "Solve the game for two players and write the table; some minutes.", bool, False),
        Parameter("out", "Where --duel writes (.npz).  [default: GAME-EDITION.npz]", Path),
        Parameter("threads", "Threads for --duel.  [default: one a core]", int, least=1),
    ),
    ("parlour solve fortune --exact --json", "parlour solve fortune --duel --edition classic-35"),
)
POSITION = Command(
    parameters=(
        Parameter("card", "The card turned."),
        Parameter("dice", "Eight faces, separated by spaces."),
        Parameter("rolls", "Rolls made in this turn.  [default: 1; 2 with --helped]", int, least=1),
        Parameter("helped", "The Sorceress has helped already.", bool, False),
        Parameter("scores", "The totals, the player's own first.  [default: 0,0]"),
        Parameter("final", "The seat that began the final round, as in --scores.", int, least=1),
    ),
    examples=('parlour advise fortune --card captain --dice "skull sword sword gold gold gold monkey parrot"',),
)
ADVISE = Command(
    "Expected points, chance to win, chance to be disqualified; the distribution of the turn's score after the best "
    "decision, or after --move.",
    (
        Parameter("for", "Play the turn on for this.", default="win", choices=tuple(turns.MEASURES)),
        Parameter("move", "Show how the turn ends after this decision."),
    ),
)


def solve(question: Question) -> Answer:
    """Solve the cards' turns in points, as fractions with `exact`; with `duel`, the game for two, into a file."""
    if question.given["duel"]:
        return _duel(question)
    if question.given["exact"]:
        values = turns.fractions(question.game, question.edition, question.options)
        return Answer(
            {name: {"numerator": value.numerator, "denominator": value.denominator} for name, value in values.items()},
            tuple(f"{name}: {value.numerator}/{value.denominator}" for name, value in values.items()),
        )
    worths = turns.cards(question.game, question.compiled(), question.edition, question.options)
    rows = tuple(
        (name, f"{worth.points:,.2f}", f"{worth.disqualified:.1%}", f"{worth.island:.1%}", f"{worth.loss:,.1f}")
        for name, worth in worths.items()
    )
    columns = ("card", "points", "disqualified", "Island", "each opponent loses")
    return Answer({name: worth.points for name, worth in worths.items()}, (Table(columns, rows),))


def _duel(question: Question) -> Answer:
    """Solve the game for two. Unfinished work is saved beside the file, which is written only when it is complete."""
    game, edition, options = question.game, question.edition, question.options
    usual = game.options()
    changed = [f"-{name}={value}" for name, value in options.items() if value != usual.get(name)]
    file = question.given["out"] or Path(f"{game.name}-{game.edition(edition).name}{''.join(changed)}.npz")
    if file.suffix != ".npz":
        raise BadSetup(f"--out names a file that ends in .npz, and {file} does not.")
    file.parent.mkdir(parents=True, exist_ok=True)
    kept, beside = Path(f"{file}.part"), Path(f"{file}.tmp")
    try:
        table = duels.solve(
            game, question.compiled(), edition, options, kept, question.progress, question.given["threads"]
        )
        with beside.open("wb") as written:
            table.save(written)
        os.replace(beside, file)
        kept.unlink(missing_ok=True)
    except KeyboardInterrupt:
        rounds = f"the rounds that are done are in {kept}" if kept.exists() else "no round was done yet"
        raise Interrupted(f"Interrupted: {rounds}. The same command resumes from there.") from None
    facts = {"file": str(file), "bytes": file.stat().st_size, "places": table.places, **table.facts}
    return Answer(facts, ({name: str(value) for name, value in facts.items()},))


def position(question: Question) -> Match:
    """Return the position that the options describe; see `positions`."""
    given = question.given
    if given["card"] is None or given["dice"] is None:
        raise BadSetup("A position of Fortune needs both --card and --dice.")
    return positions.position(
        question.game,
        positions.Turn(given["card"], given["dice"].split(), given["rolls"], given["helped"]),
        scores=_totals("0,0" if given["scores"] is None else given["scores"]),
        final=None if given["final"] is None else given["final"] - 1,
        edition=question.edition,
        options=question.options,
    )


def _totals(scores: str) -> list[int]:
    totals = [score.strip() for score in scores.split(",")]
    if not all(re.fullmatch(r"-?[0-9]{1,9}", total) for total in totals):  # `int` also reads 1_000 and other digits
        raise BadSetup(f"--scores: {scores!r} is not totals separated by commas, as in 3000,-200.")
    return [int(total) for total in totals]


def advise(match: Match, question: Question) -> Answer:
    """Return every decision, the best first, and how the turn ends after one of them."""
    measure = question.given["for"]
    found = turns.prospects(match, question.plain(), measure, question.given["move"])
    data: dict[str, Any] = {
        "game": match.game.name, "seat": match.current_player, "for": measure,
        "decisions": [asdict(row) for row in found.decisions], "move": found.move,
        "scores": [{"points": points, "chance": chance} for points, chance in sorted(found.scores.items())],
        "losses": [{"points": points, "chance": chance} for points, chance in sorted(found.losses.items())],
    }  # fmt: skip
    rows = tuple(
        (row.move, f"{row.points:,.1f}", f"{row.win:.2%}", f"{row.disqualified:.1%}") for row in found.decisions
    )
    ends = [f"{points:>8,}  {chance:7.2%}" for points, chance in sorted(found.scores.items())]
    ends += [
        f"  Island: every opponent loses {points:,}  {chance:7.2%}" for points, chance in sorted(found.losses.items())
    ]
    table = Table(("decision", "points", "win", "disqualified"), rows)
    return Answer(data, (table, f"How the turn ends after {found.move}:", *ends))
