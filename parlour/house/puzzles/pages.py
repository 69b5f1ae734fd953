"""Puzzles as pages show them: all rulesets, one puzzle, what an answer was worth, and the lobby's daily one."""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from parlour.analysis import themes
from parlour.core import html
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.puzzle import Puzzle
from parlour.core.scene import past
from parlour.house.accounts.guests import Guest
from parlour.house.analysis.deeds import words_of
from parlour.house.analysis.pages import pieces_of
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.puzzles import deeds, mistakes, positions, rows
from parlour.house.puzzles.deeds import Answered, Days
from parlour.house.puzzles.positions import Of, Position
from parlour.house.puzzles.rows import Solver
from parlour.house.ratings.strength import in_points, moved_to
from parlour.house.site import drawing
from parlour.house.site.addresses import mistake_address, puzzle_address
from parlour.house.site.titles import title_of
from parlour.house.today.rows import day_of

LINES = 12  # of the log that the page of a puzzle has
SOLVED, MISSED = "solved", "missed"
UNKNOWN = "less"  # what a decision wins that was not among the compared ones


class Kind(NamedTuple):
    """A ruleset that has puzzles: its page, how many, of which ratings; the guest's rating there ("" for a newcomer),
    how many they solved of how many, and how many in a row."""

    game: str
    title: str
    address: str
    puzzles: int
    least: int
    most: int
    rating: str
    solved: int
    tried: int
    streak: int


class DailyCard(NamedTuple):
    """The puzzle of the day: `state` is "new", SOLVED or MISSED; `streak` counts days in a row."""

    game: str
    title: str
    address: str
    rating: int
    state: str
    streak: int


class Row(NamedTuple):
    """A decision in the verdict: its words, its chance as per cent, and whether it is the best, or the one made."""

    words: str
    chance: str
    best: bool
    mine: bool
    width: float


class Verdict(NamedTuple):
    """What an answer was worth: in words, the decisions, why the best one is, between which players the chances hold,
    the ratings and how they changed, and the keys of the pieces to ring on the board."""

    right: bool
    gave_up: bool
    rows: tuple[Row, ...]
    margin: str
    doubt: str
    why: str
    themes: tuple[str, ...]
    holds: str
    mine: tuple[str, str] | None
    puzzle: tuple[str, str] | None
    streak: int


class Shown(NamedTuple):
    """What a page shows after an answer: the position, to look at only; the verdict; and the keys of the pieces of the
    move made and of the best one."""

    html: str
    verdict: str
    made: tuple[str, ...]
    instead: tuple[str, ...]


def kind_of(of: Of, mine: Solver | None) -> Kind:
    """Return a ruleset's puzzles, for a list."""
    rated = [one.rating for one in of.every.puzzles]
    one = mine or Solver()
    return Kind(
        of.game.name, title_of(of.game.name, of.which.ruleset), puzzle_address(*of.which), len(rated),
        round(min(rated)), round(max(rated)), in_points(one.mu) if mine else "", one.solved, one.tried, one.streak,
    )  # fmt: skip


async def index(house: House, guest: Guest) -> tuple[Part, ...]:
    """`GET /puzzles`: all rulesets that have puzzles. Raises StoreFailed."""
    found = await asyncio.to_thread(positions.kinds)
    mine = await house.store.look(partial(rows.solvers, guest=guest.id))
    kinds = [kind_of(of, mine.get(of.which)) for of in found]
    games = list({of.game.name: of.game for of in found}.values())
    return drawing.page(
        "puzzles", "Puzzles", guest, games, script="", sheet="people.css puzzles.css", kinds=kinds,
        daily=await daily_card(house, guest.id), mistakes=len(await mistakes.of(house, guest.id)),
        own=mistake_address(),
    )  # fmt: skip


async def daily_card(house: House, guest: str) -> DailyCard | None:
    """Return the puzzle of the day, None in a house without puzzles. Raises StoreFailed."""
    today = day_of(time.time())
    due = await asyncio.to_thread(deeds.daily, today)
    if due is None:
        return None
    mine = await deeds.days(house, guest, today)
    address = puzzle_address(*due.of.which, key=due.puzzle.key)
    title = title_of(due.of.game.name, due.of.which.ruleset)
    return DailyCard(due.of.game.name, title, address, round(due.puzzle.rating), _state(mine), mine.streak)


def _state(mine: Days) -> str:
    return "new" if mine.today is None else SOLVED if mine.today else MISSED


async def puzzle(house: House, guest: Guest, game: Game, ruleset: str, key: str) -> tuple[Part, ...]:
    """`GET /puzzles/GAME`: a puzzle, the next one for the guest without a key. Errors: UnknownName, NotFound,
    StoreFailed."""
    if key:
        place = await asyncio.to_thread(positions.position, game, ruleset or game.rulesets[0], key)
    else:
        place = await deeds.next_for(house, guest.id, game, ruleset)

    def look(connection: sa.Connection) -> tuple[Solver, dict[str, bool], dict[str, float]]:
        which = place.which
        return (
            rows.solver(connection, which, guest.id), rows.tried(connection, which, guest.id),
            rows.ratings(connection, which),
        )  # fmt: skip

    mine, tried, rated = await house.store.look(look)
    due = await asyncio.to_thread(deeds.daily, day_of(time.time()))
    rules = drawing.rules_address(game, {RULESET: place.which.ruleset} if place.which.ruleset else {})
    scene, log = await asyncio.to_thread(_drawn, place, rules)
    body = json.dumps({"game": game.name, "ruleset": place.which.ruleset, "key": place.puzzle.key})
    return drawing.page(
        "puzzle", f"Puzzle: {title_of(game.name, place.which.ruleset)}", guest, [game], place=place, scene=scene,
        log=log, rules=rules, sheet="table.css puzzles.css", title_of=title_of(game.name, place.which.ruleset),
        rating=_rating(place.puzzle, rated), mine=mine, my_rating=in_points(mine.mu), body=body,
        address=puzzle_address(*place.which, key=place.puzzle.key), following=puzzle_address(*place.which),
        daily=due is not None and due.of.which == place.which and due.puzzle.key == place.puzzle.key,
        before=tried.get(place.puzzle.key),
    )  # fmt: skip


async def mistake(house: House, guest: Guest, table: str, step: int) -> tuple[Part, ...]:
    """`GET /mistakes`: a mistake of the guest's own games, any without a table; how to find one if none is known.
    Errors: those of `mistakes.position`."""
    if not table and not await mistakes.of(house, guest.id):
        return await _no_mistake(house, guest)
    place = await mistakes.position(house, guest, table, step)
    game = place.game
    rules = drawing.rules_address(game, {RULESET: place.which.ruleset} if place.which.ruleset else {})
    scene, log = await asyncio.to_thread(_drawn, place, rules)
    table_id, _, steps = place.puzzle.key.rpartition("-")
    body = json.dumps({"table": table_id, "step": int(steps)})
    return drawing.page(
        "puzzle", f"Your mistake: {title_of(game.name, place.which.ruleset)}", guest, [game], place=place, scene=scene,
        log=log, rules=rules, sheet="table.css puzzles.css", title_of=title_of(game.name, place.which.ruleset),
        rating="", mine=Solver(), my_rating="", body=body, address=mistake_address(table_id, int(steps)),
        following=mistake_address(), daily=False, before=None,
    )  # fmt: skip


async def _no_mistake(house: House, guest: Guest) -> tuple[Part, ...]:
    def look(connection: sa.Connection) -> tuple[bool, rows.Played | None]:
        return bool(rows.analysed(connection, guest.id)), rows.unanalysed(connection, guest.id)

    looked, last = await house.store.look(look)
    played = last and {"id": last.table_id, "title": title_of(last.game, last.options.get(RULESET, ""))}
    return drawing.page(
        "mistakes_none", "Your own mistakes", guest, script="", sheet="people.css puzzles.css", looked=looked,
        played=played,
    )  # fmt: skip


def _rating(one: Puzzle, rated: dict[str, float]) -> str:
    return in_points(rated.get(one.key, deeds.skill_of(one).mu))


def _drawn(place: Position, rules: str) -> tuple[str, str]:
    """Return the position and what happened before it, as the deciding seat sees them. It has no answer."""
    lines = place.log
    shown = lines[-LINES:]
    return html.render(place.scene, rules), html.lines(shown, len(lines) - len(shown), rules)


def verdict(found: Answered) -> Verdict:
    """Return what an answer was worth."""
    counted = found.counted
    said = of_values(found.position, found.move)
    if not counted.first:
        return said
    return said._replace(
        mine=moved_to(counted.before.mu, counted.after.mu), streak=counted.after.streak,
        puzzle=moved_to(counted.puzzle[0].mu, counted.puzzle[1].mu),
    )  # fmt: skip


def of_values(place: Position, move: str) -> Verdict:
    """Return what a move was worth ("" to give up), without ratings."""
    one, words, say = place.puzzle, words_of(place.scene), themes.words(place.game)
    values = [(value.move, value.chance) for value in one.values]
    most = values[0][1] or 1.0
    listed = [
        Row(_words(words, name), f"{100 * chance:.1f} %", name == one.best, name == move, 100 * chance / most)
        for name, chance in values
    ]
    if move and move not in dict(values):
        listed.append(Row(_words(words, move), UNKNOWN, False, True, 0.0))
    margin = f"{100 * one.margin:.0f} points"
    doubt = f"± {200 * one.doubt:.1f}" if one.doubt else ""
    known = tuple(say[name] for name in one.themes if name in say)
    return Verdict(
        move == one.best, not move, tuple(listed), margin, doubt, place.why, known, place.holds, None, None, 0
    )


def _words(words: dict[str, tuple[str, tuple[str, ...]]], move: str) -> str:
    return words.get(move, (move, ()))[0]


def shown(place: Position, move: str, said: Verdict, rules: str, following: str) -> Shown:
    """Return what the page shows after an answer."""
    best = pieces_of(place.scene, place.puzzle.best)
    made = pieces_of(place.scene, move) if move else ()
    words = drawing.macro("puzzle_verdict.html", "verdict", said, following)
    return Shown(html.render(past(place.scene, ()), rules), words, made, best)
