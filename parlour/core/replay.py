"""Replay records: recover the match, and prove that its chance was fair."""

from __future__ import annotations

from collections.abc import Callable

from parlour.core import fair
from parlour.core.contract import CHANCE
from parlour.core.edition import CHANGED, Edition
from parlour.core.errors import BadParts, BrokenRecord, OtherRules, ParlourError, UnfairRecord
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record


def replay(record: Record, find: Callable[[str], Game]) -> Match:
    """Play the record again and return its match.

    The match has the record's commitment and seed; without a seed, only `force` can give chance
    outcomes. Raises OtherRules, BrokenRecord (with the step), or whatever `find` raises.
    """
    match = _start(record, find)
    for number, (actor, text) in enumerate(record.steps, 1):
        try:
            match.advance(match.parse_outcome(text) if actor == CHANCE else match.parse(text, actor))
        except ParlourError as error:
            raise BrokenRecord(f"Step {number} ({text[:60]}) is not possible: {error}") from error
        if number == record.given and match.over:
            raise BrokenRecord(
                f"The game is over after the {number} steps that were given, so it cannot continue from them."
            )
    return match


def verify(record: Record, find: Callable[[str], Game]) -> Match:
    """Replay, and draw every outcome again from the seed, but for the steps that were given.

    Raises UnfairRecord at the first difference, and what `replay` raises.
    """
    if record.seed is None:
        raise UnfairRecord("The seed of this match is still secret; it is revealed when the match is over.")
    if not record.form:
        raise UnfairRecord(
            "The commitment published before the game does not fit this record: its seed, game, rules version, "
            "edition, parts, options or number of seats is different."
        )
    match = replay(record, find)
    fresh = _start(record, find)
    draws = fair.Draws(record.seed, record.words)
    for number, (actor, action, text) in enumerate(match.steps, 1):
        if actor == CHANCE and number > record.given:
            outcomes, weights = fresh.chance_outcomes()
            if outcomes[draws.pick(weights, number - 1)] != action:
                raise UnfairRecord(f"Step {number} ({text}) is not what the seed gives.")
        fresh.advance(action)
    return match


def changed_parts(record: Record, game: Game) -> list[str] | None:
    """Return the parts of the record's edition that are different in this Parlour's, by name.

    An edition of your own is compared with the one that it is named after ("shafir-35, changed"). None if this Parlour
    has no edition of that name.
    """
    name = record.edition.removesuffix(f", {CHANGED}")
    if name not in game.editions:
        return None
    here = game.named(name).parts
    missing = object()
    names = {**here, **record.parts}
    return [name for name in names if here.get(name, missing) != record.parts.get(name, missing)]


def _start(record: Record, find: Callable[[str], Game]) -> Match:
    """Return the match before its first step."""
    game = find(record.game)
    if record.rules_version != game.rules.VERSION:
        raise OtherRules(
            f"This record was played with version {record.rules_version} of the rules of {game.text.TITLE}; "
            f"this Parlour has version {game.rules.VERSION}."
        )
    edition = Edition.of(record.edition, record.parts)
    if record.edition in game.editions and game.named(record.edition).parts == edition.parts:
        edition = game.named(record.edition)
    try:
        match = Match(
            game,
            edition=edition,
            options=game.recorded(record.options),
            names=record.names,
            seed=record.seed,
            words=record.words,
            auto=False,
        )
    except (KeyError, TypeError, ValueError, IndexError, BadParts) as error:
        raise BrokenRecord(f"The edition in the header does not fit the game: {f'{error}'.rstrip('.')}.") from error
    match.seed, match.commitment, match.given = record.seed, record.commitment, record.given
    match.written = dict(record.options)
    return match
