"""A designer's playtests as pages show them: what a table that enforces the rules knows of its players."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import mean, median
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from parlour.analysis.evaluation import Judgement
from parlour.core import book, fields
from parlour.core.clauses import clauses
from parlour.core.edition import Edition
from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.games import all_games
from parlour.house.accounts.guests import Guest
from parlour.house.analysis import rows as analysis_rows
from parlour.house.analysis.jobs import WAY
from parlour.house.editions.pages import PLAYTEST, PURPOSE
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.playtests import rows
from parlour.house.playtests.digest import Digest, digest
from parlour.house.playtests.expert import Opinions, Place, by_step, opinions
from parlour.house.playtests.questions import QUESTIONS
from parlour.house.playtests.rows import EditionRow, Found, Kind, Note, Opened, Playtest
from parlour.house.site.addresses import OPTION, numbers_address
from parlour.house.site.titles import title_of
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.table import Table

SLOWEST = 8  # decisions that a page names
SENTENCE = 240  # characters of a clause


class Read(NamedTuple):
    """A table of a playtest, its number there, and how it was played; None if it cannot be shown. `judged`: what the
    analysis of its game says, by the step of the record, as far as there is one."""

    number: int
    table: Opened
    digest: Digest | None
    judged: Mapping[int, Judgement] = MappingProxyType({})


class Playtested(NamedTuple):
    """A playtest with everything that is known of it. `total`: of its tables, those that are not read included."""

    playtest: Playtest
    editions: list[EditionRow]
    total: int
    tables: list[Read]
    found: Found

    @property
    def compared(self) -> bool:
        """Return whether two editions are compared."""
        return len(self.editions) > 1


class Slow(NamedTuple):
    """A decision that took long: who made it and where, and the replay of the position, "" while the game runs."""

    seconds: str
    who: str
    table: int
    text: str
    href: str


class ClauseCount(NamedTuple):
    """A clause, its first words, how many players met it, and how often."""

    clause: str
    words: str
    players: int
    times: int


class Line(NamedTuple):
    """A message, and the position in which it was sent."""

    who: str
    table: int
    text: str
    href: str


class Answered(NamedTuple):
    """A question, how many players gave each answer, and the mean of those from 1 to 5."""

    words: str
    counts: tuple[tuple[str, int], ...]
    mean: str


class Arm(NamedTuple):
    """What is known of one edition of a playtest."""

    label: str
    edition: str
    changes: tuple[str, ...]
    tables: int
    over: int
    players: int
    decisions: int
    median: str
    slow: tuple[Slow, ...]
    back: int
    refused: tuple[ClauseCount, ...]
    opened: tuple[ClauseCount, ...]
    answers: int
    answered: tuple[Answered, ...]
    words: tuple[Line, ...]
    said: tuple[Line, ...]
    opinions: Opinions | None


async def read(house: House, guest: Guest, playtest: Playtest) -> Playtested:
    """Return all that is known of a playtest, as its designer may see it. Errors: StoreFailed."""
    total, opened = await house.store.look(partial(rows.tables, playtest=playtest.id))
    found = await house.store.look(partial(rows.found, playtest=playtest.id))
    editions = await house.store.look(partial(rows.editions, playtest=playtest.id))
    regard = await house.regards.of(guest.id)
    tables: list[Read] = []
    for number, one in enumerate(opened, 1):
        shown, judged = None, dict[int, Judgement]()
        try:
            snapshot = await house.store.load(one.id)
            table = await Table.of(snapshot, house.settings)
            viewer = eyes_of(table, guest.id, regard).viewer
            await table.known.ready(viewer)
            said = [line for line in found.said if line.table == one.id]
            notes = [note for note in found.notes if note.table == one.id]
            work = partial(digest, table, snapshot.steps, found.players, said, notes, viewer)
            shown = await asyncio.to_thread(work)  # of a table that no one else has
            if shown.over and shown.decisions:
                stored = partial(analysis_rows.analysis, table_id=one.id, rules=table.row.rules, way=WAY)
                judged = await asyncio.to_thread(_judgements, await house.store.look(stored))
        except StoreFailed:
            raise
        except ParlourError:  # deleted meanwhile, or of a game that is gone
            pass
        tables.append(Read(number, one, shown, judged))
    return Playtested(playtest, editions, total, tables, found)


def _judgements(stored: tuple[object, object] | None) -> dict[int, Judgement]:
    return by_step(msgspec.convert(stored[0] if stored else [], list[Judgement]))


def arms(game: Game, known: Playtested) -> list[Arm]:
    """Return what is known of each edition, A first."""
    return [_arm(game, known, one) for one in known.editions]


def _arm(game: Game, known: Playtested, edition: EditionRow) -> Arm:
    tables = [one for one in known.tables if one.table.arm == edition.arm]
    numbers = {one.table.id: one.number for one in tables}
    decided = [(one, each) for one in tables if one.digest for each in one.digest.decisions]
    timed = sorted((pair for pair in decided if pair[1].seconds), key=lambda pair: -pair[1].seconds)
    notes = [one for one in known.found.notes if one.table in numbers]
    answers = [one for one in known.found.answers if one.table in numbers]
    players = {each.number for _, each in decided}.union(
        (note.number for note in notes), (one.number for one in answers)
    )
    said = [
        Line(f"P{each.number}", one.number, each.text, _replay(one, step))
        for one in tables if one.digest for step, each in one.digest.said
    ]  # fmt: skip
    base = game.editions.get(edition.edition)
    return Arm(
        label=edition.arm if known.compared else "",
        edition=base.title if base else edition.edition,
        changes=fields.said(base, Edition.of(base.name, edition.parts)) if base else (),
        tables=len(tables),
        over=sum(one.table.status == "over" for one in tables),
        players=len(players),
        decisions=len(decided),
        median=seconds(median(each.seconds for _, each in timed)) if timed else "",
        slow=tuple(
            Slow(
                seconds(each.seconds), f"P{each.number}", one.number,
                each.text if one.digest and one.digest.over else "", _replay(one, each.step),
            ) for one, each in timed[:SLOWEST]
        ),
        back=sum(each.back for _, each in decided),
        refused=_counted(game, notes, "refused"),
        opened=_counted(game, notes, "opened"),
        answers=len(answers),
        answered=tuple(
            Answered(words, tuple(zip(labels, (given.count(i + 1) for i in range(len(labels))), strict=True)),
                     f"{mean(given):.1f}" if given and len(labels) == 5 else "")
            for field, words, labels in QUESTIONS
            for given in [[getattr(one, field) for one in answers]]
        ),
        words=tuple(Line(f"P{one.number}", numbers[one.table], one.words, "") for one in answers if one.words),
        said=tuple(said),
        opinions=opinions(
            (each, one.judged, Place(f"P{each.number}", one.number, _replay(one, each.step))) for one, each in decided
        ),
    )  # fmt: skip


def _counted(game: Game, notes: Sequence[Note], kind: Kind) -> tuple[ClauseCount, ...]:
    """Return the clauses of one kind of note, those that most players met first."""
    who: dict[str, set[int]] = defaultdict(set)
    times = Counter(one.clause for one in notes if one.kind == kind)
    for one in notes:
        if one.kind == kind:
            who[one.clause].add(one.number)
    known = clauses(game)
    return tuple(
        ClauseCount(clause, first_words(known.get(clause, "")), len(who[clause]), times[clause])
        for clause in sorted(who, key=lambda clause: (-len(who[clause]), -times[clause], clause))
    )


def first_words(clause: str) -> str:
    """Return the first sentence of a clause, without Markdown and its number."""
    text = re.sub(r"^\*\*[A-Z]+-\d+\*\*\s*", "", book.plain(clause))
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*_`#]", lambda found: found[1] or "", text)
    text = " ".join(text.split())
    end = re.search(r"[.!?](?=\s|$)", text)
    text = text[: end.end()] if end else text
    return text if len(text) <= SENTENCE else f"{text[: SENTENCE - 1].rstrip()}…"


def seconds(time: float) -> str:
    """Return a time for people: "4.2 s", "1 min 5 s"."""
    if time < 60:
        return f"{time:.1f} s"
    if time < 3600:
        return f"{int(time // 60)} min {int(time % 60)} s"
    return f"{int(time // 3600)} h {int(time % 3600 // 60)} min"


def _replay(one: Read, step: int) -> str:
    return f"/t/{one.table.id}/replay?step={step}" if one.digest and one.digest.over else ""


class Choice(NamedTuple):
    """A game, or a ruleset of it, for which a playtest can be made, and the page with its numbers."""

    game: str
    title: str
    address: str


def choices() -> list[Choice]:
    """Return what playtests can be made of."""
    found = []
    for game in all_games().values():
        for ruleset in game.rulesets:
            chosen = {f"{OPTION}{RULESET}": ruleset} if ruleset and ruleset != game.rulesets[0] else {}
            address = numbers_address(game, game.named(), {**chosen, PURPOSE: PLAYTEST})
            found.append(Choice(game.name, title_of(game.name, ruleset), address))
    return found


def what(playtest: Playtest) -> str:
    """Return what is played in a playtest, in words; the game's name if it is gone."""
    try:
        return title_of(playtest.game, playtest.options.get(RULESET, ""))
    except ParlourError:
        return playtest.game


def rules_at(playtest: Playtest) -> str:
    """Return the address of the rulebook, for the ruleset that is played."""
    ruleset = playtest.options.get(RULESET, "")
    return f"/rules/{playtest.game}" + (f"?{RULESET}={ruleset}" if ruleset else "")


class Listed(NamedTuple):
    """A playtest in its designer's list: what is played, and the numbers, each with its name."""

    playtest: Playtest
    what: str
    compared: bool
    figures: tuple[tuple[str, int], ...]


def listed(found: Sequence[rows.Tally]) -> list[Listed]:
    """Return playtests as their designer's list shows them."""
    return [
        Listed(one.playtest, what(one.playtest), one.editions > 1, (
            (f"table{'s' if one.tables != 1 else ''}", one.tables), ("finished", one.over),
            (f"player{'s' if one.players != 1 else ''} with notes", one.players),
        )) for one in found
    ]  # fmt: skip
