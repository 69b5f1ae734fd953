"""The checks of a game's puzzles: each is a position of the game in which one decision is legal and the best."""

from __future__ import annotations

from parlour.analysis import mining, themes
from parlour.conformance.faults import require
from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.puzzle import NAMELESS, Collection, Puzzle, key_of, puzzles_of
from parlour.core.replay import replay

LARGEST = 150_000  # bytes of a file


def check_puzzles(game: Game, every: int = 1) -> None:
    """Check the puzzles of each ruleset: the files, and of each file one puzzle in `every`, the first included."""
    for ruleset in game.rulesets:
        name = f"puzzles/{ruleset or NAMELESS}.xz"
        found = puzzles_of(game, ruleset)
        if found is not None:
            check_collection(game, ruleset, found, name)
            for one in found.puzzles[::every]:
                check_puzzle(game, found, one, f"{name}, puzzle {one.key}")


def check_collection(game: Game, ruleset: str, found: Collection, name: str) -> None:
    """Check that a file is of this game, its present rules and this ruleset, and that its puzzles differ."""
    require(found.game == game.name, f"{name}: the puzzles are of the game {found.game}.")
    require(found.rules == game.rules.VERSION, f"{name}: the puzzles are of version {found.rules} of the rules.")
    require(found.options.get(RULESET, "") == ruleset, f"{name}: the puzzles are of a different ruleset.")
    require(found.parts == game.named(found.edition).parts, f"{name}: the edition has changed since.")
    keys = [one.key for one in found.puzzles]
    require(len(keys) == len({*keys}), f"{name}: two puzzles have the same key.")
    rated = [one.rating for one in found.puzzles]
    require(rated == sorted(rated), f"{name}: the easiest puzzle does not come first.")


def check_puzzle(game: Game, found: Collection, one: Puzzle, name: str) -> None:
    """Check that a puzzle's record leads to a decision of its seat, that its values are of legal decisions, the best
    first and by more than their errors allow, and that its themes have words."""
    require(one.key == key_of(game.name, found.options, one.steps), f"{name}: its key is of another position.")
    try:
        match = replay(found.record(one), lambda _: game)
        actions = [match.parse(value.move, one.seat) for value in one.values]
    except ParlourError as error:
        raise AssertionError(f"{name}: {error}") from error
    legal = match.legal_action_ids()
    require(len(legal) == one.choices >= mining.FEWEST, f"{name}: it says {one.choices} choices, not {len(legal)}.")
    require(len(actions) == len({*actions}) > 1, f"{name}: values of two decisions or more are needed, each once.")
    chances = [value.chance for value in one.values]
    require(chances == sorted(chances, reverse=True), f"{name}: its values are not in order.")
    require(all(0 <= chance <= 1 for chance in chances), f"{name}: a chance is not from 0 to 1.")
    require(one.margin > found.least - 1e-9, f"{name}: the best decision leads by {one.margin:.3f} only.")
    require(one.margin > mining.SURE * one.doubt, f"{name}: the lead of the best decision is in doubt.")
    known = themes.words(game)
    require(all(theme in known for theme in one.themes), f"{name}: one of {one.themes} has no words.")
