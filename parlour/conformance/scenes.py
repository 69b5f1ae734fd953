"""The check of a scene: what it shows, and what it lets the viewer do.

Like those of `positions` it is a plain function that raises `Fault`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from parlour.conformance.faults import require
from parlour.conformance.knowledge import secret, who
from parlour.core.match import Match
from parlour.core.placing import MOST
from parlour.core.scene import STILL, Button, Piece, Reason, Scene


def pieces(piece: Piece) -> Iterator[Piece]:
    """Yield a piece and all pieces on it."""
    yield piece
    for child in piece.children:
        yield from pieces(child)


def counts(piece: Piece) -> dict[str, int]:
    """Return the numbers for where a piece is and how many pieces are beside each other on it."""
    found = {} if piece.at is None else {"row": piece.at[0], "column": piece.at[1]}
    if piece.layout == "grid" and piece.limit:
        found["columns"] = piece.limit
    if piece.layout in ("rows", "columns"):
        found["cells"] = max(1, *(len(child.children) for child in piece.children), 1)
    return found | ({"lanes": len(piece.children) or 1} if piece.kind == "track" else {})


def check_scene(match: Match, viewer: int, known: set[str]) -> None:
    """Check a scene: keys are unique; the scene offers all legal moves to the deciding player and no
    moves to others; its clauses are `known`; the prompt names the deciding player; what cannot be
    pressed says why; rows and columns are among those that a page has."""
    scene: Scene = match.scene(viewer)
    here = f"scene.py: scene: for {who(viewer)}"
    found = [*pieces(scene.board), *(piece for seat in scene.seats for piece in pieces(seat))]
    twice = [key for key, n in Counter(piece.key for piece in found).items() if n > 1]
    require(not twice, f"{here} two pieces have the same key: {twice[:3]}.")
    require(scene.game == match.game.name, f"{here} game is {scene.game!r}, but the game is {match.game.name!r}.")
    require(scene.prompt, f"{here} there is no prompt.")
    require(scene.viewer == viewer, f"{here} viewer is {scene.viewer}.")
    if scene.to_move is not None and scene.to_move != viewer:
        named = match.names[scene.to_move] in scene.prompt
        require(named, f"{here} the prompt does not say who decides: {scene.prompt!r}.")
    for piece in found:
        lists = [name for name in ("marks", "path", "children") if not isinstance(getattr(piece, name), tuple)]
        require(not lists, f"{here} {' and '.join(lists)} of {piece.key!r} must be tuples, which cannot change later.")
        pressed = bool(piece.action or piece.part or piece.why)
        require(not pressed or piece.kind not in STILL, f"{here} a {piece.kind} cannot be pressed: {piece.key!r}.")
        buried = [one.key for one in pieces(piece) if one is not piece and (one.action or one.part)]
        if pressed:
            require(not buried, f"{here} {piece.key!r} can be pressed, so pieces on it must not: {buried[:3]}.")
        for what, number in counts(piece).items():
            require(1 <= number <= MOST, f"{here} {piece.key!r} has {what} {number}; there can be 1 to {MOST}.")
    mute = [button.key for button in scene.buttons if not button.action and not button.why]
    require(not mute, f"{here} buttons have neither an action nor a reason: {mute[:3]}.")
    require(scene.over == match.over, f"{here} over is {scene.over}, but the rules say {match.over}.")
    require(
        set(scene.winners) == set(match.winners),
        f"{here} the winners are {tuple(scene.winners)}, but by returns they are {match.winners}.",
    )
    offered = {piece.action for piece in found} | {button.action for button in scene.buttons}
    if scene.pick:
        offered |= set(scene.pick.moves.values())
    if scene.keep:
        offered.add(scene.keep.action)
    offered -= {""}
    player = match.current_player
    if player >= 0 and not secret(match.game, match.state, viewer):
        require(scene.to_move == player, f"{here} to_move is {scene.to_move}, but seat {player} decides.")
    if viewer == player:
        legal = set(match.legal_actions())
        wrong, lacking = sorted(offered - legal), sorted(legal - offered)
        require(not wrong, f"{here} it offers moves that are not legal: {wrong[:3]}.")
        require(not lacking, f"{here} it does not offer the legal moves {lacking[:3]}.")
    else:
        require(not offered, f"{here} it offers moves to a viewer who does not decide: {sorted(offered)[:3]}.")
    cited = {scene.clause} | {item.clause for item in found} | {why.clause for why in _whys(scene, found)}
    unknown = sorted(cited - {""} - known)
    require(not unknown, f"{here} it cites clauses that the rulebook does not have: {unknown[:3]}.")


def _whys(scene: Scene, found: list[Piece]) -> Iterator[Reason]:
    items: list[Piece | Button] = [*found, *scene.buttons]
    for item in items:
        if item.why:
            yield item.why
    if scene.pick:
        yield from scene.pick.whys.values()
