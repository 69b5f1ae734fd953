"""Fortune's words for cards, dice and points, and the parts of a turn's worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parlour.core.scene import listed, number
from parlour.games.fortune import rules as r

ONE = ("skull", "sword", "monkey", "parrot", "gold coin", "diamond")
MANY = ("skulls", "swords", "monkeys", "parrots", "gold coins", "diamonds")

TITLES = (
    "Gold", "Diamond", "Sorceress", "Captain", "Treasure Chest", "Monkey Business", "Storm", "Truce",
    "Skulls, 1 skull", "Skulls, 2 skulls", "Sea Battle, 2 swords", "Sea Battle, 3 swords", "Sea Battle, 4 swords",
)  # fmt: skip
PICTURES = (
    "gold", "diamond", "sorceress", "captain", "chest", "monkeys", "storm", "truce",
    "skulls-1", "skulls-2", "battle-2", "battle-3", "battle-4",
)  # fmt: skip
CLAUSES = (
    "FO-20", "FO-20", "FO-18", "FO-17", "FO-16", "FO-21", "FO-23", "FO-24", "FO-22", "FO-22", "FO-19", "FO-19", "FO-19",
)  # fmt: skip
EFFECTS = (
    "The turn starts with a gold coin: 100 points, and one more for a set.",
    "The turn starts with a diamond: 100 points, and one more for a set.",
    "Once this turn you may re-roll a skull, with other dice.",
    "The turn's score counts double. On the Island, so do the losses.",
    "Dice that you keep are safe on the chest: they score even if you are disqualified.",
    "Monkeys and parrots count as one kind for sets.",
    "Two rolls at most. Only gold coins and diamonds score: 200 each.",
    "End without swords: each one showing costs 1,000.",
    "The turn starts with one skull.",
    "The turn starts with two skulls.",
)
NOT_BELOW = ", not below zero"  # FO-12


def effect(state: r.State, kind: int) -> str:
    """Return what a card does, in a sentence, at this table."""
    if kind >= r.SEA_2:
        bonus = state.sea_bonus[kind - r.SEA_2]
        return (
            f"Stop with {kind - r.SEA_2 + 2} swords or more: +{number(bonus)}. Otherwise the turn is {number(-bonus)}."
        )
    if kind == r.SORCERESS and state.sorceress_alone:
        return "Once this turn you may re-roll a skull, alone or with other dice."
    if kind == r.STORM and state.storm_scoring != r.FLAT:
        twice = ", twice over" if state.storm_scoring > 1 else ""
        return f"Two rolls at most. Only gold coins and diamonds score: 200 each, and sets{twice}."
    return EFFECTS[kind]


def amount(n: int, face: int) -> str:
    """ "1 sword", "3 swords"."""
    return f"{n} {ONE[face] if n == 1 else MANY[face]}"


def dice(counts: Sequence[int]) -> str:
    """Return counts by face in words, objects before skulls: "3 swords, 1 gold coin and 1 skull"."""
    order = (r.GOLD, r.DIAMOND, r.SWORD, r.MONKEY, r.PARROT, r.SKULL)
    parts = [amount(counts[face], face) for face in order if counts[face]]
    return listed(parts) or "nothing"


class Share(NamedTuple):
    """One line in the worth of a turn."""

    text: str
    value: int
    clause: str


def shares(state: r.State) -> list[Share]:
    """Return what the dice as they are bring the player (`worth_now`) or, on the Island, cost each opponent.

    The result has a line for each part; the values add up to the whole.
    """
    if state.island:
        total, loss = r.skulls(state), r.island_loss(state)
        text = f"{amount(total, r.SKULL)} at {loss // total}"
        return [Share(text, -loss, "FO-17" if state.card == r.CAPTAIN else "FO-15")]
    lost = r.skulls(state) >= 3
    swords = state.count[r.SWORD]
    if lost and state.card == r.CHEST:
        return _objects(state, [r.on_chest(state, face) for face in range(r.N_FACES)])
    if r.battle_lost(state, swords, lost):
        return [Share(f"battle lost: {swords} of {r.swords_needed(state)} swords", r.worth_now(state), "FO-19")]
    if r.truce_broken(state, swords, lost):
        return [Share(f"{amount(swords, r.SWORD)} in a Truce", r.worth_now(state), "FO-24")]
    if lost:
        return []
    if state.card == r.STORM:
        return _storm(state)
    found = _objects(state, state.count)
    if chest := r.full_chest(state):
        found.append(Share("Full Chest", chest, "FO-11"))
    if r.swords_needed(state):
        found.append(Share("battle won", r.stake(state), "FO-19"))
    if state.card == r.CAPTAIN:
        found.append(Share("Captain: doubled", sum(share.value for share in found), "FO-17"))
    return found


def _objects(state: r.State, lying: Sequence[int]) -> list[Share]:
    """Return the lines for sets, then for single pieces (FO-9, FO-10, FO-20, FO-21)."""
    counts = list(lying)
    if state.card in (r.CARD_GOLD, r.CARD_DIAMOND):
        counts[r.GOLD if state.card == r.CARD_GOLD else r.DIAMOND] += 1
    sets = [(counts[face], amount(counts[face], face)) for face in (r.GOLD, r.DIAMOND, r.SWORD)]
    if state.card == r.MONKEY_BUSINESS:
        sets.append((counts[r.MONKEY] + counts[r.PARROT], f"{counts[r.MONKEY] + counts[r.PARROT]} monkeys and parrots"))
    else:
        sets += [(counts[face], amount(counts[face], face)) for face in (r.MONKEY, r.PARROT)]
    found = [Share(f"set of {text}", r.SET_WORTH[n], "FO-9") for n, text in sets if r.SET_WORTH[n]]
    for face in (r.GOLD, r.DIAMOND):
        if counts[face]:
            found.append(Share(f"{amount(counts[face], face)} at 100", r.PIECE_WORTH * counts[face], "FO-10"))
    return found


def _storm(state: r.State) -> list[Share]:
    """Return the lines of a Storm (FO-23)."""
    found = []
    for face in (r.GOLD, r.DIAMOND):
        n = state.count[face]
        if n:
            found.append(Share(f"{amount(n, face)} at {r.STORM_WORTH}", r.STORM_WORTH * n, "FO-23"))
        if worth := state.storm_scoring * r.SET_WORTH[n]:
            found.append(Share(f"set of {amount(n, face)}", worth, "FO-23"))
    return found
