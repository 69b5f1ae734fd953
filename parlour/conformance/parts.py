"""The parts of conformance. Each part checks one case (a game with its setup) or the whole game.

All raise `Fault`. They keep a `Spot` up to date, so that an author can find a fault again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

from parlour.conformance import knowledge, positions, scenes
from parlour.conformance.cases import Case, random_steps, shapes
from parlour.conformance.faults import Fault, require
from parlour.conformance.grounds import check_grounds
from parlour.core import html, plain
from parlour.core.clauses import clauses, coverage
from parlour.core.contract import CHANCE
from parlour.core.edition import MARKS
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay, verify
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import GameState, flatten

MOST = 150  # steps to inspect closely
ENDLESS = 2000  # steps of a game whose options set no end


@dataclass
class Spot:
    """Where a part is: the match that it is checking, and the seed of its random play."""

    match: Match | None = None
    seed: int = 0

    def __str__(self) -> str:
        if self.match is None:
            return ""
        last = f', after "{self.match.steps[-1][2]}"' if self.match.steps else ", at the start"
        return f"seed {self.seed}, step {self.match.version}{last}"


def _start(case: Case, seed: int, spot: Spot | None, auto: bool = False) -> Match:
    match = case.match(seed, auto=auto)
    if spot is not None:
        spot.match, spot.seed = match, seed
    return match


def play(
    case: Case, seed: int = 1, spot: Spot | None = None, conserved: Callable[[GameState], object] | None = None
) -> None:
    """Check that random play ends within the bound, that every position is sound, and that the
    value of `conserved` does not change."""
    match = _start(case, seed, spot)
    bound = case.game.rules.bound(match.state)
    longest = case.game.facts.longest
    known = not longest or 0 < bound <= longest
    require(known, f"rules.py: bound returns {bound}, but __init__.py says the longest game has {longest} steps.")
    positions.check_position(match)
    kept: object = None
    for number, _ in enumerate(random_steps(match, seed, bound or ENDLESS), 1):
        if number < MOST:
            positions.check_position(match)
            positions.check_random_action(match, number)
        if number % 41 == 0 or number < 25:
            if match.current_player >= 0:
                positions.check_moves(match, number)
            elif match.current_player == CHANCE and number < 25:
                positions.check_chance(match)
        if conserved is not None:
            now = conserved(match.state)
            require(kept in (None, now), f"Pieces were lost or added: {kept} is now {now}.")
            kept = now
    if bound:
        require(match.over and match.version < bound, f"rules.py: the game is not over within its bound, {bound}.")
        positions.check_over(match)
        positions.check_position(match)


def chance(case: Case, seed: int = 2, spot: Spot | None = None) -> None:
    """Check that chance draws outcomes as often as their weights say, for up to ten kinds of draw."""
    match = _start(case, seed, spot)
    kinds: set[int] = set()
    for _ in chain([None], random_steps(match, seed, 300)):
        outcomes = len(match.chance_outcomes()[0])
        if outcomes and outcomes not in kinds and len(kinds) < 10:
            kinds.add(outcomes)
            positions.check_sampling(match)


def views(case: Case, seed: int = 0, spot: Spot | None = None) -> None:
    """Check that what a viewer knows survives a new deal, that the viewer receives nothing else,
    hints included, and that the page and the terminal can draw it."""
    match = _start(case, seed, spot)
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 7)
    known = set(clauses(case.game))
    for step in random_steps(match, seed, 80):
        check_grounds(match, rng)
        for viewer in (SPECTATOR, *range(case.players)):
            knowledge.check_resample(match, viewer, rng)
            knowledge.check_no_leak(case.game, step, viewer, match.names, rng)
            scenes.check_scene(match, viewer, known)
            knowledge.check_log(case.game, step, viewer, match.names, known)
        if match.version % 16 == 1:
            scene = match.scene(match.current_player)
            require(html.render(scene) and plain.render(scene), "scene.py: scene: nothing is drawn.")
    knowledge.check_information(match)


def declared(case: Case, seeds: range = range(20), spot: Spot | None = None) -> None:
    """Check that a game declares correctly whether it has chance and whether it hides anything."""
    hidden = chanced = False
    chance = case.game.facts.chance
    for seed in seeds:
        match = _start(case, seed, spot)
        chanced = chanced or match.current_player == CHANCE
        for step in random_steps(match, seed, 400):
            hidden = knowledge.check_declared(match, step) or hidden
            chanced = chanced or step.actor == CHANCE
        require(chance or not chanced, "__init__.py: chance is False, but rules.py lets chance decide.")
        if (hidden or not case.game.rules.hidden_information(match.state)) and chanced == chance:
            return
    require(chanced == chance, "__init__.py: chance is True, but chance never decides anything.")
    raise Fault("rules.py: hidden_information says that something is hidden, but nothing ever is.")


def undo(case: Case, seed: int = 0, spot: Spot | None = None) -> None:
    """Check that decisions that can be taken back have revealed nothing."""
    match = _start(case, seed, spot)
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 11)
    for step in random_steps(match, seed, 250):
        knowledge.check_undo(match, step, rng)


def record(case: Case, seed: int = 5, spot: Spot | None = None) -> None:
    """Check that a record replays to the same position, and verifies."""
    match = _start(case, seed, spot, auto=True)
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 0)
    while not match.over and match.version < 300:
        legal = match.legal_action_ids()
        match.play(legal[rng[0] % len(legal)])
        seed_rng(rng, match.version, 0)
    text = match.record().to_text()
    kept = Record.parse(text)
    require(kept.to_text() == text, "The record changes when it is read and written again.")

    def find(name: str) -> Game:
        require(name == case.game.name, f"The record names the game {name!r}.")
        return case.game

    for again in (replay(kept, find), verify(kept, find)):
        require(flatten(again.state) == flatten(match.state), "The record replays to a different position.")
        require(again.steps == match.steps, "The record replays with different steps.")
        require(again.record().to_text() == text, "The replay gives a different record.")
        require(again.log() == match.log(), "scene.py: tell: the replay of a record gives a different log.")


def about(game: Game) -> None:
    """Check that a game describes itself."""
    text, rules = game.text, game.rules
    require(text.TITLE, "text.py: TITLE is empty.")
    require(text.TAGLINE, "text.py: TAGLINE is empty.")
    pairs = map(game.minutes, game.rulesets)
    require(all(0 < least <= most for least, most in pairs), f"text.py: MINUTES is {text.MINUTES}.")
    require(rules.VERSION >= 1, f"rules.py: VERSION is {rules.VERSION}; the first is 1.")
    positions.check_facts(game)
    secretive = not game.facts.hidden_information or any(
        rules.hidden_information(case.match().state) for case in shapes(game)
    )
    require(secretive, "__init__.py: hidden_information is True, but rules.py says that no game hides anything.")


def rulebook(game: Game) -> None:
    """Check that the code cites every clause, and no clause that does not exist."""
    numbers = clauses(game)
    require(numbers, "rulebook.md has no clause: a paragraph that begins with its number, **PI-1** for example.")
    rows = coverage(game, None)
    unknown = [f"{row.clause} ({row.code[0]})" for row in rows if row.clause not in numbers]
    require(not unknown, f"rulebook.md does not have these clauses, which the code cites: {', '.join(unknown)}.")
    silent = [row.clause for row in rows if not row.code]
    require(not silent, f"rulebook.md has clauses that no code cites: {', '.join(silent)}.")
    for edition in game.editions.values():
        for name, part in edition.components.items():
            place = f"editions/{edition.name}.toml: [{name}]"
            require(part.mark in MARKS, f"{place} has the mark {part.mark!r}.")
            require(part.clause in numbers, f"{place} cites {part.clause!r}, which the rulebook does not have.")
    for option in game.facts.options:
        place = f"__init__.py: option {option.name}"
        require(option.clause in numbers, f"{place} cites {option.clause!r}, which the rulebook does not have.")
        require(option.help, f"{place} has no help.")
        require(len(set(option.values)) == len(option.values) >= 2, f"{place} has fewer than two different values.")
