"""Family Trade in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re

from parlour.core.contract import LET_BE
from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show.words import RULES

TITLE = "Family Trade"
TAGLINE = "Three sets, a market that never stands still, and one card to go."
SECONDS = 8  # people take for a decision and all that follows it: our estimate
MINUTES = {  # the medians of decisions (docs/games/family-trade.md, greedy) times SECONDS
    "market-making": (20, 40),
    "god-of-the-market": (20, 30),
    "battle-royale": (15, 25),
}
RULESETS = dict(zip(("market-making", "god-of-the-market", "battle-royale"), RULES, strict=True))

KINDS = (*r.GOODS, "market make")
WORDS = {r.PASS: "let it lie", r.KEEP: "keep", r.ROLL_ALL: "roll", r.NO_STEP: "leave prices", r.STAND: "no reroll"}
LET = {r.ASK: r.PASS, r.MAKE: r.NO_STEP, r.REROLL: r.STAND, r.CHOOSE_MARKET: r.KEEP}  # what LET_BE means, by phase
READ = {
    "done": r.OUT, "out": r.OUT, "go out": r.OUT, "d": r.OUT,
    "let it lie": r.PASS, "decline": r.PASS, "p": r.PASS,
    "keep": r.KEEP, "keep the market": r.KEEP, "k": r.KEEP,
    "roll": r.ROLL_ALL, "roll the market": r.ROLL_ALL, "r": r.ROLL_ALL,
    "leave prices": r.NO_STEP, "no reroll": r.STAND, "s": r.STAND,
    "no step": r.NO_STEP, "stand": r.STAND,  # as in records from before 2026-11-24, like "pass" (LET_BE)
}  # fmt: skip
DISCARDS, REROLLS = ("discard", "dump", "d"), ("reroll", "re-roll", "again", "roll")  # other words are read, too
MONEY = {"make": "market make", "mm": "market make", "estate": "real estate", "realestate": "real estate"}
ADVICE = 'say for example "discard gold", "done", "oil up" or "reroll shrimp"'


def format_action(state: r.State, action: int) -> str:
    """ "discard oil", "done", "take", "let it lie", "keep", "roll", "oil up", "leave prices", "reroll oil" or
    "no reroll"."""
    if action < r.N_KINDS:
        return f"discard {KINDS[action]}"
    if action == r.OUT:
        return "take" if state.phase == r.ASK else "done"
    if action in WORDS:
        return WORDS[action]
    if action >= r.AGAIN:
        return f"reroll {r.GOODS[action - r.AGAIN]}"
    if action >= r.DOWN:
        return f"{r.GOODS[action - r.DOWN]} down"
    return f"{r.GOODS[action - r.UP]} up"


def parse_action(state: r.State, text: str) -> int:
    """Read a move; a good may be shortened ("discard dia"). Raises InvalidMove if it cannot be read."""
    words = " ".join(text.lower().split())
    if words in LET_BE:
        return LET.get(state.phase, r.PASS)
    if words in READ:
        return READ[words]
    if words == "take" and state.phase != r.TURN:
        return r.OUT
    verb, _, what = words.partition(" ")
    if verb in DISCARDS and what:
        return _kind(what)
    if verb in REROLLS and what:
        return r.AGAIN + _good(what)
    if found := re.fullmatch(r"(.+) (up|down|\+|-)", words):
        return (r.UP if found[2] in ("up", "+") else r.DOWN) + _good(found[1])
    if found := re.fullmatch(r"(up|down) (.+)", words):
        return (r.UP if found[1] == "up" else r.DOWN) + _good(found[2])
    raise InvalidMove(f"{text[:60]!r} is not a move of Family Trade: {ADVICE}.")


def _kind(word: str) -> int:
    word = MONEY.get(word, word).replace("_", " ").replace("-", " ")
    found = [i for i, name in enumerate(KINDS) if name == word] or [
        i for i, name in enumerate(KINDS) if name.startswith(word)
    ]
    if len(found) != 1:
        what = f"could be {' or '.join(KINDS[i] for i in found)}" if found else "is not a card"
        raise InvalidMove(f"{word[:40]!r} {what}: there are {', '.join(KINDS)}.", clause="FT-1")
    return found[0]


def _good(word: str) -> int:
    kind = _kind(word)
    if kind == r.MARKET_MAKE:
        raise InvalidMove("A Market Make card is not a good.", clause="FT-9")
    return kind


def price(state: r.State, step: int) -> str:
    """Return a step of the market table as money: "70,000" or "-30,000"."""
    return f"{state.ladder[step] * 1000:,}"


def format_outcome(state: r.State, outcome: int) -> str:
    """ "seat 2 deals", "oil -30,000", "card gold" or "no card"."""
    if state.phase == r.FIRST_DEALER:
        return f"seat {outcome + 1} deals"
    if state.phase == r.ROLL:
        return f"{r.GOODS[r.die_due(state)]} {price(state, outcome)}"
    return "no card" if outcome == r.NO_CARD else f"card {KINDS[outcome]}"


def parse_outcome(state: r.State, text: str) -> int:
    """Read an outcome that `format_outcome` wrote. Raises InvalidMove if it cannot be read."""
    words = " ".join(text.lower().split())
    if state.phase == r.FIRST_DEALER and re.fullmatch(r"seat [1-4] deals", words):
        return int(words[5]) - 1
    if state.phase in (r.DEAL, r.DRAW):
        if words == "no card":
            return r.NO_CARD
        if words.startswith("card ") and words[5:] in KINDS:
            return KINDS.index(words[5:])
    if state.phase == r.ROLL:
        good = r.GOODS[r.die_due(state)]
        for step in range(r.N_STEPS):
            if words == f"{good} {price(state, step)}":
                return step
    raise InvalidMove(f"{text[:60]!r} is not an outcome that is possible here.")


def why_not(state: r.State, action: int) -> Reason:
    """Return why `action` is not legal here."""
    phase = state.phase
    if phase == r.TURN:
        if action < r.N_KINDS:
            if not state.hand[state.player][action]:
                return Reason("You do not hold that card.", "FT-8")
            return Reason("Your eight cards are face down: you can discard only the card just drawn.", "FT-10")
        if action == r.OUT:
            if state.called:
                return Reason("You can say 'done!' only once a turn.", "FT-19")
            if state.ruleset == r.BATTLE_ROYALE:
                return Reason("These three cards are not a set.", "FT-22")
            return Reason("These nine cards are not three sets.", "FT-8")
        return Reason("You have drawn: discard one card, or go out.", "FT-8")
    if phase == r.ASK:
        return Reason("Take the card and go out, or let it lie.", "FT-12")
    if phase == r.MAKE:
        if r.UP <= action < r.STAND:
            return Reason("This price is at the end of the market table already.", "FT-9")
        return Reason("You may now move one price one step up or down, or leave the prices.", "FT-9")
    if phase == r.REROLL:
        if action >= r.AGAIN:
            return Reason("Only a die that was rolled for your sets can be rerolled.", "FT-20")
        return Reason("You may now reroll one die, or leave them all.", "FT-13")
    return Reason("The dealer keeps the market, or rerolls all of it.", "FT-6")
