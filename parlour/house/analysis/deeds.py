"""Hints, at tables that allow them: the best decisions for the player whose turn it is, from what they may know. And
how hints and analyses put decisions into words.

A hint is computed from the player's own view and shown only to them. Nothing is stored, no page is updated, and
the version stays the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec

from parlour.analysis.evaluation import texts
from parlour.bots import Advice, Choice, View, chances
from parlour.core.contract import Step
from parlour.core.errors import NotYourTurn, ParlourError
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.scene import Piece, Scene
from parlour.core.struct import GameState, copy
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
    it (`core.scene.Pick`). With `equal` it is as good as the first, as far as we can tell. `within`: how far the chance
    may be off, half its 95 % interval; 0 if it is exact. `because` gives its reason, a clause, or "" if the game has
    none. `then` says what most likely follows, until chance comes, in sentences."""

    move: str
    words: str
    parts: tuple[str, ...]
    chance: float | None
    equal: bool
    within: float
    because: str
    then: tuple[str, ...]


class Hint(msgspec.Struct, frozen=True):
    """The best decisions at a version, the best first. They rest on this many `simulations`, or 0 if they are exact.
    `holds` says between which players the chances hold, in a sentence."""

    version: int
    choices: tuple[HintChoice, ...]
    simulations: int
    holds: str


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
            view, advice = await house.workers.advise(match, seat, BEST, house.settings.engine)
    finally:
        table.work.hints.discard(seat)
    async with house.hold(table_id, guest) as table:
        viewer = eyes_of(table, guest).viewer
        if table.version != version or viewer != seat or seat not in deciding(table):
            now = table.known.version(viewer)
            raise StaleMove("The game has moved on since you asked. You can ask for a new hint.", version=now)
        return _hint(table, match, view, body.version, advice)


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


def _hint(table: Table, match: Match, view: View, version: int, advice: Advice) -> Hint:
    """Return the best choices in words. All are legal for the player, and what may follow is played from their view, so
    the text reveals nothing that they don't know."""
    state, say = match.state, table.game.text.format_action
    words = words_of(scene_at(table, view.seat, version))
    best = advice.choices[:BEST]

    def described(move: str, choice: Choice) -> HintChoice:
        text, parts = words.get(move, (move, ()))
        because = table.game.because(choice.ground, match.names) if choice.ground else ""
        equal, seen = advice.alike(best[0], choice), view.state(table.game)
        line = texts(table.game, seen, (choice.action, *choice.line))
        then = following(table.game, seen, line, match.names, view.seat)
        return HintChoice(
            move, named(text, match.names), parts, choice.chance, equal, advice.within(choice), because, then
        )

    choices = tuple(described(say(state, choice.action), choice) for choice in best)
    holds = chances.holds(chances.of_view(table.game, view), exact=advice.exact)
    return Hint(version, choices, advice.simulations, holds)


def following(
    game: Game, state: GameState, moves: Sequence[str], names: Sequence[str], viewer: int | None = None
) -> tuple[str, ...]:
    """Return what follows the first of `moves` in sentences, as far as they are legal from `state` on; as this `viewer`
    sees each, or (None) the player who makes it."""
    at, found = copy(state), []
    for move in moves:
        player = game.rules.current_player(at)
        if player < 0:
            break
        try:
            action = game.read_action(at, move)
        except ParlourError:
            break
        legal = [0] * game.rules.MAX_LEGAL
        if action not in legal[: game.rules.legal_actions(at, legal)]:
            break
        before = copy(at)
        game.rules.apply(at, action)
        found.append(in_words(game, Step(before, player, action, at), names, viewer))
    return tuple(found[1:])


def in_words(game: Game, step: Step, names: Sequence[str], viewer: int | None = None) -> str:
    """Return a decision as a sentence: the log's line for the player who made it (or for a `viewer`) or, where the log
    has none yet, the button that is pressed for it."""
    lines = game.scenes.tell(step, step.actor if viewer is None else viewer, tuple(names))
    if lines:
        return str(lines[0].text)
    move = game.text.format_action(step.before, step.action)
    words, parts = words_of(game.scenes.scene(step.before, step.actor, tuple(names))).get(move, (move, ()))
    return f"{names[step.actor]} chooses {words if parts else words.partition(':')[0].rstrip(' …')}."


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
