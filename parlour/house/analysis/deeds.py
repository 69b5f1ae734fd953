"""Hints, at tables that allow them: the best decisions for the player whose turn it is, from what they may know.

A hint is computed from the player's own view and shown only to them. Nothing is stored, no page is updated, and
the version stays the same.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec

from parlour.bots import Advice, Choice
from parlour.core.errors import NotYourTurn
from parlour.core.match import Match
from parlour.core.scene import Piece, Scene
from parlour.house.errors import Busy, HintsOff, NotPlaying, NotSeated, StaleMove
from parlour.house.house import House
from parlour.house.table.live.deciding import as_asked, deciding
from parlour.house.table.live.eyes import Eyes, eyes_of
from parlour.house.table.live.showing import scene_at
from parlour.house.table.live.signs import named
from parlour.house.table.live.table import Table
from parlour.house.workers.turns import Payer

BEST = 3  # decisions in a hint


class HintBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The version for which a hint is wanted."""

    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class HintChoice(msgspec.Struct, frozen=True):
    """A decision: the move, its name on the page, and its chance to win (0 to 1). `parts` are the pieces to choose for
    it (`core.scene.Pick`). With `equal` it is as good as the first, as far as we can tell. `because` gives its reason,
    a clause, or "" if the game has none."""

    move: str
    words: str
    parts: tuple[str, ...]
    chance: float | None
    equal: bool
    because: str


class Hint(msgspec.Struct, frozen=True):
    """The best decisions at a version, the best first. They rest on this many `simulations`, or 0 if they are exact."""

    version: int
    choices: tuple[HintChoice, ...]
    simulations: int


async def hint(house: House, table_id: str, guest: str, body: HintBody) -> Hint:
    """Return the best decisions for the guest, whose turn it must be.

    Errors: UnknownTable, HintsOff, NotSeated, NotPlaying, NotYourTurn, StaleMove (also if the game has moved on
    meanwhile), Busy (they already wait for a hint).
    """
    async with house.hold(table_id, guest) as table:
        seat, match = _asker(table, eyes_of(table, guest), body.version)
        if seat in table.work.hints:
            raise Busy("A hint is already on its way. Please wait for it.")
        table.work.hints.add(seat)
        version = table.version
    try:
        async with house.workers.turn(Payer(house.origins.of(guest), guest)):
            advice = await house.workers.advise(match, seat, BEST, house.settings.engine)
    finally:
        table.work.hints.discard(seat)
    async with house.hold(table_id, guest) as table:
        viewer = eyes_of(table, guest).viewer
        if table.version != version or viewer != seat or seat not in deciding(table):
            now = table.known.version(viewer)
            raise StaleMove("The game has moved on since you asked. You can ask for a new hint.", version=now)
        return _hint(table, match, seat, body.version, advice)


def _asker(table: Table, eyes: Eyes, version: int) -> tuple[int, Match]:
    """Return the seat that asks for a hint, and a copy of the match. A refusal does not reveal whose turn it is."""
    seat = eyes.seat
    if seat is None:
        raise NotSeated("You aren't playing at this table.")
    if not table.row.hints:
        raise HintsOff("Hints are turned off at this table.")
    table.must_be_open()
    if table.match is None or table.over:
        raise NotPlaying("No game is in progress, so there is nothing to decide.")
    now = table.known.version(seat)
    if version != now:
        raise StaleMove(f"You asked at position {version}, but the game is now at {now}.", version=now)
    if eyes.behind is not None:
        raise NotYourTurn("The device was passed on. Lift the curtain first.")
    if seat not in deciding(table):
        raise NotYourTurn("It isn't your turn. You can ask for a hint when it is.")
    return seat, as_asked(table, seat)


def _hint(table: Table, match: Match, seat: int, version: int, advice: Advice) -> Hint:
    """Return the best choices in words. All are legal for the player, so the text reveals nothing that they don't
    know."""
    state, say = match.state, table.game.text.format_action
    words = words_of(scene_at(table, seat, version))
    best = advice.choices[:BEST]

    def described(move: str, choice: Choice) -> HintChoice:
        text, parts = words.get(move, (move, ()))
        because = table.game.because(choice.ground, match.names) if choice.ground else ""
        equal = advice.alike(best[0], choice)
        return HintChoice(move, named(text, match.names), parts, choice.chance, equal, because)

    choices = tuple(described(say(state, choice.action), choice) for choice in best)
    return Hint(version, choices, advice.simulations)


def words_of(scene: Scene) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the page's name for a move and its parts: a button's label, a piece's name, or the pieces to choose."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    parts: dict[str, str] = {}

    def look(piece: Piece) -> None:
        if piece.action and piece.name:
            found.setdefault(piece.action, (piece.name, ()))
        if piece.part:
            parts.setdefault(piece.part, piece.name)
        for child in piece.children:
            look(child)

    look(scene.board)
    for tokens, move in (scene.pick.moves if scene.pick else {}).items():
        chosen = tuple(filter(None, tokens.split(",")))
        assert scene.pick is not None
        label = scene.pick.label.replace("{n}", str(len(chosen) or ""))
        names = Counter(parts.get(part, part) for part in chosen)
        pieces = ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in names.items())
        found[move] = f"{label}: {pieces}", chosen
    return found | {button.action: (button.label, ()) for button in scene.buttons if button.action}
