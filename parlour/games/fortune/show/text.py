"""Fortune in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason
from parlour.games.fortune import rules as r

TITLE = "Fortune"
TAGLINE = "Eight dice, one card, and the nerve to re-roll."
SECONDS = 20  # people take for a decision and all that follows it: our estimate
MINUTES = (20, 35)  # the medians of decisions (docs/games/fortune.md, greedy) times SECONDS

STOP_WORDS = {"stop", "bank", "stay", "s"}
ROLL_WORDS = {"re-roll", "reroll", "roll", "r"}  # "reroll" as in records from before 2026-11-24
ADVICE = 'say "stop", or "re-roll" and the numbers of the dice, for example "re-roll 1 2 5"'


def format_action(state: r.State, action: int) -> str:
    """ "stop", or "re-roll" with the places (1 to 8) of the dice; of equal dice the first ones."""
    if action == r.STOP:
        return "stop"
    wanted = [0] * r.N_FACES
    r.decode(action, wanted)
    return format_roll(state.dice, wanted)


def format_roll(dice: Sequence[int], wanted: Sequence[int]) -> str:
    """Return a re-roll of the `wanted` number of dice of each face, from the faces of the dice by place."""
    left, places = [*wanted], []
    for place, face in enumerate(dice, 1):
        if left[face]:
            left[face] -= 1
            places.append(str(place))
    return "re-roll " + " ".join(places)


def parse_action(state: r.State, text: str) -> int:
    """Read a move. Any of several equal dice may be named: "re-roll 3" and "re-roll 5" mean the
    same when both show swords. Raises InvalidMove if it cannot be read; does not check whether
    the move is legal."""
    words = re.split("[ ,]+", " ".join(text.lower().split()))
    if words[0] in STOP_WORDS and len(words) == 1:
        return r.STOP
    if words[0] not in ROLL_WORDS or len(words) == 1:
        raise InvalidMove(f"{text[:60]!r} is not a move of Fortune: {ADVICE}.")
    if words[1:] == ["all"]:
        places = [place for place, face in enumerate(state.dice, 1) if face != r.SKULL]
    else:
        if bad := [word for word in words[1:] if not re.fullmatch(r"[1-8]", word)]:
            raise InvalidMove(f"{bad[0][:60]!r} is not a die: they are numbered 1 to 8.", clause="FO-1")
        places = [int(word) for word in words[1:]]
        if len(set(places)) < len(places):
            raise InvalidMove("A die is named twice.")
    wanted = [0] * r.N_FACES
    for place in places:
        wanted[state.dice[place - 1]] += 1
    if wanted[r.SKULL] > 1:
        raise InvalidMove("Skulls cannot be re-rolled; the Sorceress frees one at most.", clause="FO-18")
    skull, sword, monkey, parrot, gold, diamond = wanted
    return r.encode(sword, monkey, parrot, gold, diamond, skull)


def format_outcome(state: r.State, outcome: int) -> str:
    """ "seat 2 starts", "card captain" or "dice skull sword sword ..."."""
    if state.phase == r.DRAW_SEAT:
        return f"seat {outcome + 1} starts"
    if state.phase == r.DRAW_CARD:
        return f"card {r.CARDS[outcome]}"
    faces = [name for face, name in enumerate(r.FACES) for _ in range(outcome >> 4 * face & 15)]
    return "dice " + " ".join(faces)


def parse_outcome(state: r.State, text: str) -> int:
    """Read an outcome that `format_outcome` wrote. Raises InvalidMove if it cannot be read."""
    words = text.split()
    if state.phase == r.DRAW_SEAT and re.fullmatch(r"seat [1-4] starts", " ".join(words)):
        return int(words[1]) - 1
    if state.phase == r.DRAW_CARD and len(words) == 2 and words[0] == "card" and words[1] in r.CARDS:
        return r.CARDS.index(words[1])
    if state.phase == r.ROLL and words[:1] == ["dice"] and set(words[1:]) <= set(r.FACES):
        if len(words) - 1 != r.dice_in_air(state):
            raise InvalidMove(f"{r.dice_in_air(state)} dice are in the air, not {len(words) - 1}.")
        return sum(1 << 4 * r.FACES.index(word) for word in words[1:])
    raise InvalidMove(f"{text[:60]!r} is not an outcome that is possible here.")


def why_not(state: r.State, action: int) -> Reason:
    """Return why `action` is not legal here."""
    wanted = [0] * r.N_FACES
    dice = r.decode(action, wanted)
    if state.island:
        return Reason("On the Island of Skulls all dice that are not skulls are re-rolled together.", "FO-14")
    if any(wanted[face] > state.count[face] for face in range(r.N_FACES)):
        return Reason("You do not have that many of these dice.", "FO-6")
    if wanted[r.SKULL]:
        if state.card != r.SORCERESS:
            return Reason("Skulls cannot be re-rolled.", "FO-6")
        if state.spell:
            return Reason("The Sorceress frees only one skull a turn, and has already done so.", "FO-18")
        if dice < 2:
            return Reason("The skull needs at least one other die with it.", "FO-18")
    elif r.must_use_spell(state):
        return Reason("With three skulls the Sorceress must free one, or you are disqualified.", "FO-18")
    if dice < 2:
        return Reason("Re-roll at least two dice.", "FO-6")
    return Reason("One die must stay on the table.", "FO-6")
