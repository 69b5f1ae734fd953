"""What dice are worth: a second reading of the clauses, slow and plain, object by object."""

from __future__ import annotations

from collections import Counter

SET = {3: 100, 4: 200, 5: 500, 6: 1000, 7: 2000, 8: 4000, 9: 4000}


def plain_objects(dice: list[str], card: str) -> int:
    things = [*dice, card] if card in ("gold", "diamond") else list(dice)
    points = 100 * (things.count("gold") + things.count("diamond"))
    if card == "monkey-business":
        things = ["animal" if thing in ("monkey", "parrot") else thing for thing in things]
    return points + sum(SET.get(n, 0) for thing, n in Counter(things).items() if thing != "skull")


def plain_stop(dice: list[str], card: str, chosen: dict[str, str]) -> int:
    swords = dice.count("sword")
    if card == "storm":
        precious = Counter(die for die in dice if die in ("gold", "diamond"))
        times = {"flat": 0, "sets": 1, "sets_doubled": 2}[chosen["storm_scoring"]]
        return 200 * precious.total() + times * sum(SET.get(n, 0) for n in precious.values())
    if card == "truce" and swords:
        return -1000 * swords
    points = plain_objects(dice, card)
    if card.startswith("sea-battle-"):
        needed = int(card[-1])
        bonus = {2: 300, 3: 500, 4: 1000}[needed]
        if swords < needed:
            return -bonus
        points += bonus

    def earns(die: str) -> bool:
        if die == "skull":
            return False
        if die in ("gold", "diamond") or (die == "sword" and card.startswith("sea-battle-")):
            return True
        if card == "monkey-business" and die in ("monkey", "parrot"):
            return dice.count("monkey") + dice.count("parrot") >= 3
        return dice.count(die) >= 3

    spoiled = card.startswith("skulls-") and chosen["card_skull_spoils_chest"] == "true"
    if all(earns(die) for die in dice) and not spoiled:
        points += 500
    return 2 * points if card == "captain" else points


def plain_bust(dice: list[str], kept: list[str], card: str, chosen: dict[str, str]) -> int:
    if card == "treasure-chest":
        return plain_objects(kept, card)
    if card.startswith("sea-battle-"):
        return -{2: 300, 3: 500, 4: 1000}[int(card[-1])]
    if card == "truce" and chosen["truce_on_bust"] == "penalty":
        return -1000 * dice.count("sword")
    return 0
