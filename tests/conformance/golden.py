"""Playthroughs kept as text: real records, and what replaying them tells, to be read like a story.

    python -m tests.conformance.golden          write tests/golden/*.txt again from tests/records
    python -m tests.conformance.golden --play   first play a record for each game that has none of its present rules

A change of the text is a change of the rules, the words or the log, and is looked at before it is committed. When old
records are played differently, raise the game's VERSION and play new ones. Records stay where they are for ever, in the
folder of the version of the rules that they were played with (tests/records/rules-N).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from parlour.bots import View, find, simulated
from parlour.conformance.cases import Case, all_changed
from parlour.core.contract import CHANCE, Step
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.core.scene import SPECTATOR
from tests.conformance.cases import TESTS, every_game

RECORDS = TESTS / "records"
GOLDEN = TESTS / "golden"
PEOPLE = ("Anne", "Bartholomew", "Mary", "Edward")


def game_of(name: str) -> Game:
    return next(game for game in every_game() if game.name == name)


def chosen(game: Game) -> list[Case]:
    """One for each edition; the first as it is, the others with all options changed and one player more."""
    cases = []
    for i, edition in enumerate(game.editions):
        players = min(game.facts.players[0] + i, game.facts.players[1])
        cases.append(Case(game, edition, players, all_changed(game) if i else ()))
    return cases


def play(case: Case) -> Record:
    """A game to its end between the best of the bots that need no search."""
    match = Match(
        case.game, edition=case.edition, options=dict(case.options), names=PEOPLE[: case.players], seed="golden",
        words=("aye",),
    )  # fmt: skip
    bot = find(case.game, simulated(case.game)[0])
    while not match.over:
        match.play(bot.choose(View.of(match, match.current_player)))
    return match.record()


def tell(record: Record) -> str:
    """Return the replay of a record as prose."""
    match = replay(record, game_of)
    game = match.game
    options = ", ".join(f"{name} {value}" for name, value in match.options.items())
    head = [f"{game.text.TITLE}, {match.edition.title}. {' and '.join(match.names)} play."]
    if options:
        head.append(f"Options: {options}.")
    lines = [*head, ""]
    for (actor, _, text), step in zip(match.steps, match.history(), strict=True):
        lines.append(f"{'*' if actor == CHANCE else match.names[actor]}: {text}")
        lines += _said(match, step)
    scores = ", ".join(f"{name} {score:,}" for name, score in zip(match.names, match.scores, strict=True))
    lines += ["", f"Over: {scores}. Won by {' and '.join(match.names[seat] for seat in match.winners) or 'no player'}."]
    return "\n".join(lines) + "\n"


def _said(match: Match, step: Step) -> Iterator[str]:
    game = match.game
    for line in game.scenes.tell(step, SPECTATOR, match.names):
        yield f"    {line.text}" + (f" [{line.clause}]" if line.clause else "")
    before, after = [0] * len(match.names), [0] * len(match.names)
    game.rules.scores(step.before, before)
    game.rules.scores(step.after, after)
    if after != before:
        yield "    = " + ", ".join(f"{name} {score:,}" for name, score in zip(match.names, after, strict=True))
    n = game.rules.legal_actions(step.after, [0] * game.rules.MAX_LEGAL)
    if n:
        prompt = game.scenes.scene(step.after, SPECTATOR, match.names).prompt
        yield f"    ? {prompt} ({n} {'moves' if n > 1 else 'move'})"


def kept() -> list[Path]:
    """Return the records of all versions of the rules that there have been."""
    return sorted(RECORDS.glob("*/*.parlour"))


def records() -> list[Path]:
    """Those of the rules of today."""
    return [file for file in kept() if file.parent.name == f"rules-{_played(file).rules.VERSION}"]


def missing() -> set[tuple[str, int]]:
    """Games with a version of their rules of which no record is kept."""
    there = {(_played(file).name, int(file.parent.name.removeprefix("rules-"))) for file in kept()}
    return {(game.name, n) for game in every_game() for n in range(1, game.rules.VERSION + 1)} - there


def _played(file: Path) -> Game:
    return game_of(Record.parse(file.read_text("utf-8")).game)


def text_of(record: Path) -> Path:
    return GOLDEN / f"{record.stem}.txt"


def main() -> None:
    if "--play" in sys.argv:
        for game in every_game():
            for case in chosen(game):
                file = RECORDS / f"rules-{game.rules.VERSION}" / f"{game.name}-{case.edition}.parlour"
                if not file.exists():
                    file.parent.mkdir(exist_ok=True)
                    file.write_text(play(case).to_text(), "utf-8")
    for file in records():
        text_of(file).write_text(tell(Record.parse(file.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
