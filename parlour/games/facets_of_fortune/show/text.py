"""Facets of Fortune in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re
from typing import Any

from parlour.core.contract import LET_BE
from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.rules import board as b
from parlour.games.facets_of_fortune.show import reasons
from parlour.games.facets_of_fortune.show.words import MANY

TITLE = "Facets of Fortune"
TAGLINE = "Four gems, four prices, and one question: sell now, or wait for the crash?"
MINUTES = (45, 75)

VERBS = {
    b.NAME: "name", b.CHOOSE: "free", b.GIVE: "give", b.TAKE: "take", b.SWITCH_1: "switch", b.SWITCH_2: "with",
    b.PICK: "take",
}  # fmt: skip
GEM_DIE = (*b.COLOURS, "wild", "all")
NUMBERS = {"one": 1, "two": 2, "three": 3, "a": 1, "an": 1}
END_WORDS = {"end", "done", "keep", *LET_BE}
ADVICE = {
    b.PLAY: 'say "play" and a card, "stop ruby", "extra 2", "discard" or "end"',
    b.TRADE: 'say "buy" or "sell", how many, and a colour, for example "buy 2 ruby"',
    b.RIVAL: 'say "heist" and the number of the seat',
    b.TOSS: 'say "discard" and the cards, for example "discard ruby-1 heist"',
}


def format_action(state: Any, action: int) -> str:
    """ "end", "discard", "extra 2", "buy stop", "stop ruby", "play ruby-3", "name ruby", "buy 2 ruby", ..."""
    if action >= r.TOSS:
        hand = b.MOST_CARDS * state.player
        places = [i for i in range(b.MOST_CARDS) if action - r.TOSS >> i & 1 and state.hand[hand + i] >= 0]
        return " ".join(["discard", *(b.KINDS[state.hand[hand + i]] for i in places)])
    if action >= r.RIVAL:
        return f"heist {action - r.RIVAL + 1}"
    if action >= r.BUY:
        verb, what = ("buy", action - r.BUY) if action < r.SELL else ("sell", action - r.SELL)
        return f"{verb} {what % 3 + 1} {b.COLOURS[what // 3]}"
    if action >= r.MARKET:
        return f"{VERBS.get(state.phase, 'market')} {b.COLOURS[action - r.MARKET]}"
    if action >= r.PLAY:
        return f"play {b.KINDS[action - r.PLAY]}"
    if action >= r.STOP_AT:
        return f"stop {b.COLOURS[action - r.STOP_AT]}"
    if action == r.BUY_STOP:
        return "buy stop"
    return ("end", "discard")[action] if action <= r.DISCARD else f"extra {action - r.EXTRA}"


def parse_action(state: Any, text: str) -> int:
    """Read a move; InvalidMove when it cannot be read. Whether it is legal is not asked here."""
    words = re.split("[ ,]+", " ".join(text.lower()[:200].split()))
    action = _short(words, state) if len(words) < 3 else None
    if action is None:
        action = _long(words, state)
    if action is None:
        advice = ADVICE.get(state.phase, "name a colour: " + ", ".join(b.COLOURS))
        raise InvalidMove(f"{text[:60]!r} is not a move that can be read here: {advice}.")
    return action


def _short(words: list[str], state: Any) -> int | None:
    """Moves of one or two words."""
    verb, what = words[0], words[-1]
    if len(words) == 1:
        if verb in END_WORDS:
            return r.END
        if verb == "discard" and state.phase != b.TOSS:
            return r.DISCARD
    elif verb == "extra" and what in ("1", "2", "3"):
        return r.EXTRA + int(what)
    elif verb == "buy" and what == "stop":
        return r.BUY_STOP
    elif verb == "stop" and _colour(what) is not None:
        return r.STOP_AT + (_colour(what) or 0)
    elif verb in ("heist", "seat") and re.fullmatch("[1-4]", what):
        return r.RIVAL + int(what) - 1
    if (len(words) == 1 or verb == "play") and what in b.KINDS:
        return r.PLAY + b.KINDS.index(what)
    if _colour(what) is not None and (len(words) == 1 or verb == VERBS.get(state.phase)):
        return r.MARKET + (_colour(what) or 0)
    return None


def _long(words: list[str], state: Any) -> int | None:
    """A trade, or cards to discard."""
    if words[0] in ("buy", "sell") and len(words) <= 3:
        number = words[1] if len(words) == 3 else "1"
        gems, colour = NUMBERS.get(number, int(number) if number in ("1", "2", "3") else 0), _colour(words[-1])
        if gems and colour is not None:
            return (r.BUY if words[0] == "buy" else r.SELL) + 3 * colour + gems - 1
    if words[0] == "discard" and len(words) > 1:
        return _cards(words[1:], state)
    return None


def _cards(wanted: list[str], state: Any) -> int:
    """TOSS and the first places of the hand in which these cards lie."""
    hand = list(state.hand[b.MOST_CARDS * state.player :][: state.held[state.player]])
    if wanted == ["all"]:
        wanted = [b.KINDS[kind] for kind in hand]
    cards = 0
    for word in wanted:
        if word not in b.KINDS:
            raise InvalidMove(f"{word[:60]!r} is not a card: for example ruby-1, wild-2, free-ruby, heist.")
        places = [i for i, kind in enumerate(hand) if b.KINDS[kind] == word and not cards >> i & 1]
        if not places:
            raise InvalidMove(f"You do not hold {'that many' if wanted.count(word) > 1 else 'the card'} {word}.")
        cards |= 1 << places[0]
    return r.TOSS + cards


def _colour(word: str) -> int | None:
    """ "ruby", "rubies", "emeralds"."""
    known = [*b.COLOURS, *MANY]
    return known.index(word) % b.N_COLOURS if word in known else None


def format_outcome(state: Any, outcome: int) -> str:
    """ "seat 2 starts", "card ruby-3", "roll ruby +2" or "heist 5"."""
    if state.phase == b.START:
        return f"seat {outcome + 1} starts"
    if state.phase == b.DRAW:
        return f"card {b.KINDS[outcome]}"
    if state.phase == b.ROLL:
        return f"roll {GEM_DIE[outcome >> 4]} {(outcome & 15) - r.STEP_ZERO:+d}"
    return f"heist {outcome}"


def parse_outcome(state: Any, text: str) -> int:
    """Undo `format_outcome`; InvalidMove when it cannot be read."""
    words = text.split()
    said = " ".join(words)
    if state.phase == b.START and re.fullmatch(r"seat [1-4] starts", said):
        return int(words[1]) - 1
    if state.phase == b.DRAW and len(words) == 2 and words[0] == "card" and words[1] in b.KINDS:
        return b.KINDS.index(words[1])
    if state.phase == b.ROLL and (found := re.fullmatch(r"roll (\w+) ([+-][1-7])", said)) and found[1] in GEM_DIE:
        return r.roll_outcome(GEM_DIE.index(found[1]), int(found[2]))
    if state.phase in (b.ATTACK, b.DEFEND) and re.fullmatch(r"heist [1-9][0-9]?", said):
        return int(words[1])
    raise InvalidMove(f"{text[:60]!r} is not an outcome that can come here.")


def why_not(state: Any, action: int) -> Reason:
    """Why `action`, which is not legal here, is not."""
    return reasons.why_not(state, action)
