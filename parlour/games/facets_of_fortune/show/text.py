"""Facets of Fortune in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re

from parlour.core.contract import LET_BE
from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import reasons
from parlour.games.facets_of_fortune.show.words import MANY

TITLE = "Facets of Fortune"
TAGLINE = "Four gems, four prices, and one question: sell now, or wait for the crash?"
SECONDS = 15  # people take for a decision and all that follows it: our estimate
MINUTES = (45, 55)  # the medians of decisions (docs/games/facets-of-fortune.md, greedy) times SECONDS

VERBS = {
    r.NAME: "name", r.CHOOSE: "free", r.GIVE: "give", r.TAKE: "take", r.SWITCH_1: "switch", r.SWITCH_2: "with",
    r.PICK: "take",
}  # fmt: skip
GEM_DIE = (*r.COLOURS, "wild", "all")
NUMBERS = {"one": 1, "two": 2, "three": 3, "a": 1, "an": 1}
END_WORDS = {"end", "done", "keep", *LET_BE}
ADVICE = {
    r.PLAY: 'say "play" and a card, "stop ruby", "buy 2 new cards", "discard" or "end"',
    r.TRADE: 'say "buy" or "sell", how many, and a colour, for example "buy 2 ruby"',
    r.RIVAL: 'say "heist" and the number of the seat',
    r.TOSS: 'say "discard" and the cards, for example "discard ruby-1 heist"',
}


def format_action(state: r.State, action: int) -> str:
    """ "end", "discard", "buy 2 new cards", "buy stop", "stop ruby", "play ruby-3", "name ruby", "buy 2 ruby", ..."""
    if action >= r.PLACES:
        kinds = [kind for i, kind in enumerate(state.hand[state.player]) if action - r.PLACES >> i & 1 and kind >= 0]
        return " ".join(["discard", *(r.KINDS[kind] for kind in kinds)])
    if action >= r.ROB:
        return f"heist {action - r.ROB + 1}"
    if action >= r.BUY:
        colour, gems = r.traded(action)
        return f"{'buy' if gems > 0 else 'sell'} {abs(gems)} {r.COLOURS[colour]}"
    if action >= r.MARKET:
        return f"{VERBS.get(state.phase, 'market')} {r.COLOURS[action - r.MARKET]}"
    if action >= r.CARD:
        return f"play {r.KINDS[action - r.CARD]}"
    if action >= r.STOP_AT:
        return f"stop {r.COLOURS[action - r.STOP_AT]}"
    if action == r.BUY_STOP:
        return "buy stop"
    if action <= r.DISCARD:
        return ("end", "discard")[action]
    cards = action - r.EXTRA
    return f"buy {cards} new card{'s' * (cards > 1)}"


def parse_action(state: r.State, text: str) -> int:
    """Read a move. Raises InvalidMove if it cannot be read; does not check whether it is legal."""
    words = re.split("[ ,]+", " ".join(text.lower()[:200].split()))
    action = _short(words, state) if len(words) < 3 else None
    if action is None:
        action = _long(words, state)
    if action is None:
        advice = ADVICE.get(state.phase, "name a colour: " + ", ".join(r.COLOURS))
        raise InvalidMove(f"{text[:60]!r} is not a move here: {advice}.")
    return action


def _short(words: list[str], state: r.State) -> int | None:
    """Read a move of one or two words; None if it is not one."""
    verb, what = words[0], words[-1]
    if len(words) == 1:
        if verb in END_WORDS:
            return r.END
        if verb == "discard" and state.phase != r.TOSS:
            return r.DISCARD
    elif verb == "extra" and what in ("1", "2", "3"):  # as in records from before 2026-11-24
        return r.EXTRA + int(what)
    elif verb == "buy" and what == "stop":
        return r.BUY_STOP
    elif verb == "stop" and _colour(what) is not None:
        return r.STOP_AT + (_colour(what) or 0)
    elif verb in ("heist", "seat") and re.fullmatch("[1-4]", what):
        return r.ROB + int(what) - 1
    if (len(words) == 1 or verb == "play") and what in r.KINDS:
        return r.CARD + r.KINDS.index(what)
    if _colour(what) is not None and (len(words) == 1 or verb == VERBS.get(state.phase)):
        return r.MARKET + (_colour(what) or 0)
    return None


def _long(words: list[str], state: r.State) -> int | None:
    """Read a trade, new cards, or cards to discard; return None for anything else."""
    if words[0] == "buy" and words[2:] in (["new"], ["new", "card"], ["new", "cards"]):
        return r.EXTRA + number if (number := _number(words[1])) else None
    if words[0] in ("buy", "sell") and len(words) <= 3:
        gems, colour = _number(words[1] if len(words) == 3 else "1"), _colour(words[-1])
        if gems and colour is not None:
            return (r.buying if words[0] == "buy" else r.selling)(colour, gems)
    if words[0] == "discard" and len(words) > 1:
        return _cards(words[1:], state)
    return None


def _number(word: str) -> int:
    """Return 1 to 3, or 0 for any other word."""
    return NUMBERS.get(word, int(word) if word in ("1", "2", "3") else 0)


def _cards(wanted: list[str], state: r.State) -> int:
    """Return PLACES plus the first places of the hand that hold these cards."""
    hand = state.hand[state.player][: state.held[state.player]]
    if wanted == ["all"]:
        wanted = [r.KINDS[kind] for kind in hand]
    cards = 0
    for word in wanted:
        if word not in r.KINDS:
            raise InvalidMove(f"{word[:60]!r} is not a card: for example ruby-1, wild-2, free-ruby, heist.")
        places = [i for i, kind in enumerate(hand) if r.KINDS[kind] == word and not cards >> i & 1]
        if not places:
            raise InvalidMove(f"You do not hold {'that many' if wanted.count(word) > 1 else 'the card'} {word}.")
        cards |= 1 << places[0]
    return r.PLACES + cards


def _colour(word: str) -> int | None:
    """ "ruby", "rubies", "emeralds"."""
    known = [*r.COLOURS, *MANY]
    return known.index(word) % r.N_COLOURS if word in known else None


def format_outcome(state: r.State, outcome: int) -> str:
    """ "seat 2 starts", "card ruby-3", "roll ruby +2" or "heist 5"."""
    if state.phase == r.START:
        return f"seat {outcome + 1} starts"
    if state.phase == r.DRAW:
        return f"card {r.KINDS[outcome]}"
    if state.phase == r.ROLL:
        gem, step = r.rolled(outcome)
        return f"roll {GEM_DIE[gem]} {step:+d}"
    return f"heist {outcome}"


def parse_outcome(state: r.State, text: str) -> int:
    """Read an outcome that `format_outcome` wrote. Raises InvalidMove if it cannot be read."""
    words = text.split()
    said = " ".join(words)
    if state.phase == r.START and re.fullmatch(r"seat [1-4] starts", said):
        return int(words[1]) - 1
    if state.phase == r.DRAW and len(words) == 2 and words[0] == "card" and words[1] in r.KINDS:
        return r.KINDS.index(words[1])
    if state.phase == r.ROLL and (found := re.fullmatch(r"roll (\w+) ([+-][1-7])", said)) and found[1] in GEM_DIE:
        return r.roll_outcome(GEM_DIE.index(found[1]), int(found[2]))
    if state.phase in (r.ATTACK, r.DEFEND) and re.fullmatch(r"heist [1-9][0-9]?", said):
        return int(words[1])
    raise InvalidMove(f"{text[:60]!r} is not an outcome that is possible here.")


def why_not(state: r.State, action: int) -> Reason:
    """Return why `action` is not legal here."""
    return reasons.why_not(state, action)
