"""The board of Fortune as pieces: dice, skulls, card, pile, what the turn is worth, the way to the finish line."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import once
from parlour.core.scene import Piece, Reason, number
from parlour.games.fortune import rules as r
from parlour.games.fortune.show import text, words

WIDE = 0.65  # of the chart: a token further on has its words to its left
ALL_AT_ONCE = Reason("On the Island all dice that are not skulls are re-rolled together.", "FO-14")


def board(state: r.State, names: Sequence[str], decides: bool, chosen: set[str]) -> tuple[Piece, ...]:
    """Make the children of the board. `decides`: the viewer has a decision; `chosen`: the faces of dice they may
    roll."""
    faces = state.dice
    kept = [_on_chest(state, place, face) for place, face in enumerate(faces)]
    dice = [_die(state, place, face, kept[place], decides, chosen) for place, face in enumerate(faces)]
    thrown = state.roller != r.NOBODY
    aside = [thrown and _lies(state, place) and face == r.SKULL for place, face in enumerate(faces)]
    slots = [
        _slot(place, dice[place] if thrown and not aside[place] else None, kept[place]) for place in range(r.N_DICE)
    ]
    return (
        _card(state, [face for place, face in enumerate(faces) if kept[place]]),
        Piece("tray", "panel", "Dice", limit=4, layout="grid", marks=("grid",), children=tuple(slots)),
        _skulls(state, [die for place, die in enumerate(dice) if aside[place]]),
        _pile(state),
        _worth(state),
        _rope(state, names),
    )


def _lies(state: r.State, place: int) -> bool:
    return not (state.phase == r.ROLL and state.rolled >> place & 1)


@once
def _slot(place: int, die: Piece | None, on_chest: bool) -> Piece:
    marks = ("chest",) if die is not None and on_chest else ()
    return Piece(f"slot-{place + 1}", "space", text=str(place + 1), marks=marks, children=() if die is None else (die,))


def _on_chest(state: r.State, place: int, face: int) -> bool:
    """FO-16: return whether a die was kept from an earlier roll, with a Treasure Chest card."""
    kept = state.phase in (r.DECIDE, r.DRAW_CARD, r.OVER) and not state.rolled >> place & 1
    return state.card == r.CHEST and state.rolls > 1 and kept and face != r.SKULL and not state.island


def _die(state: r.State, place: int, face: int, on_chest: bool, decides: bool, chosen: set[str]) -> Piece:
    if not _lies(state, place):
        return _flying(place, face)
    may_roll = r.FACES[face] in chosen
    why = _why_fixed(state, face) if decides and not may_roll else None
    return _lying(place, face, bool(state.rolls and state.rolled >> place & 1), on_chest, decides, may_roll, why)


@once
def _flying(place: int, face: int) -> Piece:
    name = f"Die {place + 1}, in the air"
    return Piece(f"die-{place + 1}", "die", name, "fortune-" + r.FACES[face], marks=("air",))


@once
def _lying(
    place: int, face: int, fresh: bool, on_chest: bool, decides: bool, may_roll: bool, why: Reason | None
) -> Piece:
    return Piece(
        f"die-{place + 1}",
        "die",
        words.ONE[face].capitalize() + (", on the chest" if on_chest else ""),
        "fortune-" + r.FACES[face],
        marks=("rolled",) if fresh else (),
        part=r.FACES[face] if may_roll else "",
        shortcut=str(place + 1) if decides else "",
        why=why,
        place=f"die {place + 1}",
    )


def _why_fixed(state: r.State, face: int) -> Reason:
    """Return why no die with this face can be rolled now by the player who decides."""
    if state.island and face != r.SKULL:
        return ALL_AT_ONCE
    wanted = [0] * r.N_FACES
    wanted[face] = 1
    skull, sword, monkey, parrot, gold, diamond = wanted
    return text.why_not(state, r.encode(sword, monkey, parrot, gold, diamond, skull))


def _skulls(state: r.State, aside: Sequence[Piece]) -> Piece:
    """Make the skulls of card and dice, with places up to the third, the fatal one (FO-6, FO-7)."""
    of_card = [
        Piece(f"card-skull-{i}", "token", "Skull of the card", "fortune-skull", marks=("stamp",), clause="FO-22")
        for i in range(r.card_skulls(state))
    ]
    total = len(of_card) + len(aside)
    free = [Piece(f"free-{i}", "space") for i in range(total, 0 if state.island else 3)]
    if state.island:
        name, marks = f"Island of Skulls: {total}", ("aside", "lost")
    else:
        name, marks = (
            f"Skulls: {total} of 3",
            ("aside", *(("danger",) if total == 2 else ("lost",) if total > 2 else ())),
        )
    return Piece(
        "skulls",
        "panel",
        name,
        marks=marks,
        clause="FO-13" if state.island else "FO-7",
        children=(*of_card, *aside, *free),
    )


def _card(state: r.State, on_chest: Sequence[int]) -> Piece:
    """Make the card of the turn, with what a chest keeps: the faces of dice."""
    if state.card == r.NOBODY:
        return Piece(
            "card",
            "card",
            "The first card",
            "fortune-back",
            "It is turned over when the first turn starts.",
            marks=("back",),
        )
    kept = [on_chest.count(face) for face in range(r.N_FACES)]
    return Piece(
        "card",
        "card",
        words.TITLES[state.card],
        f"fortune-card-{words.PICTURES[state.card]}",
        words.effect(state, state.card),
        marks=("turned",) if state.phase == r.ROLL and not state.rolls else (),
        clause=words.CLAUSES[state.card],
        children=tuple(
            Piece(f"kept-{face}", "token", words.amount(n, face) + " on the chest", f"fortune-{r.FACES[face]}", value=n)
            for face, n in enumerate(kept)
            if n
        ),
    )


def _pile(state: r.State) -> Piece:
    """Show how many cards have not been seen, and which they are, or their order if it is known (FO-4)."""
    left = state.deck_size - state.turned
    unseen = list(state.unseen)
    if left == 0 and state.reshuffle:
        left, unseen = state.deck_size, list(state.deck)
    kinds = [kind for kind in range(r.N_CARDS) if unseen[kind] > 0]
    if left > 0:
        name = "Reshuffled next turn" if left == state.deck_size and state.turned else f"{left} cards unseen"
        if len(kinds) == 1:
            name = f"Next card: {words.TITLES[kinds[0]]}"
        known = [(f"unseen-{kind}", words.TITLES[kind], unseen[kind]) for kind in kinds]
    else:
        ahead = [state.pile[(state.turned + i) % state.deck_size] for i in range(min(6, state.deck_size))]
        left, name = state.deck_size, f"Next card: {words.TITLES[ahead[0]]}"
        known = [(f"next-{i}", f"{i}. {words.TITLES[kind]}", 0) for i, kind in enumerate(ahead, 1)]
    return Piece(
        "pile",
        "stack",
        name,
        "fortune-back",
        value=left,
        clause="FO-4",
        children=tuple(Piece(key, "note", text=title, value=n or None) for key, title, n in known),
    )


def _worth(state: r.State) -> Piece:
    """Show what the turn would score now, or has scored, and why."""
    if not state.rolls:
        return Piece("worth", "counter", "This turn", value=0)
    done = state.phase in (r.DRAW_CARD, r.OVER)
    in_air = state.phase == r.ROLL
    clause = "FO-15" if state.island else "FO-7" if r.skulls(state) >= 3 else "FO-8"
    found = [] if in_air else words.shares(state)
    lines = [
        Piece(f"share-{i}", "note", text=share.text, value=share.value, clause=share.clause)
        for i, share in enumerate(found)
    ]
    value = (
        0
        if in_air
        else -(state.loss if done else r.island_loss(state))
        if state.island
        else state.worth
        if done
        else r.worth_now(state)
    )
    if state.island:
        name = "Each opponent lost" if done else "Each opponent loses"
    elif done:
        name = "This turn"
    else:
        name = "If the turn stops now"
    if done and state.fate == r.DISQUALIFIED:
        lines.insert(0, Piece("fate", "note", text="Disqualified", marks=("fate",), clause="FO-7"))
    return Piece(
        "worth",
        "counter",
        name,
        value=value,
        marks=(*(("air",) if in_air else ()), *(("done",) if done else ())),
        clause=clause,
        children=tuple(lines),
    )


def _rope(state: r.State, names: Sequence[str]) -> Piece:
    """FO-25: make the totals on the way to the finish line; `value` is where the rope begins."""
    then = _then(state)
    start = min(0, *then.values(), *state.scores[: state.players]) // 1000 * 1000
    tokens = [
        token
        for seat in range(state.players)
        for token in _runners(state, seat, names[seat], start, then.get(seat, state.scores[seat]))
    ]
    line = f"{number(state.target)} or more" if state.at_least else f"more than {number(state.target)}"
    return Piece(
        "rope",
        "track",
        f"Totals. Finish line: {line}",
        value=start,
        limit=state.target,
        text=_when(state, names),
        marks=("final",) if state.final_left else (),
        clause="FO-25",
        children=tuple(tokens),
    )


def _then(state: r.State) -> dict[int, int]:
    """Return the totals that would change if the player stopped now: their own or, on the Island, the others'."""
    if state.phase != r.DECIDE:
        return {}
    change = -r.island_loss(state) if state.island else r.worth_now(state)
    seats = [seat for seat in range(state.players) if (seat == state.player) != bool(state.island)]
    totals = {seat: int(state.scores[seat]) + change for seat in seats}
    return {seat: max(total, 0) if state.floor_at_zero else total for seat, total in totals.items()}


def _runners(state: r.State, seat: int, name: str, start: int, then: int) -> list[Piece]:
    """Make a player's token and, if stopping now would move it, where it would be. Beside one of the two is how far the
    finish line is from there."""
    score = int(state.scores[seat])
    span = max(state.target, then, *state.scores[: state.players]) - start
    hollow, after = _beside((score - start) / span, (then - start) / span)
    of = then if hollow or then > score else score
    said = f"{number(state.target - of)} to go" if not r.beyond(state, of) else "across the line"
    said = said if of == score else f"stop: {said}"
    ends = [(score, f"mark-{seat}", f"{name}: {number(score)}")]
    if then != score:
        ends.append((then, f"then-{seat}-{then}", f"{name}, if the turn stops now: {number(then)}"))
    where = then if hollow else score
    found = []
    for value, key, title in ends:
        marks = [mark for mark, shown in (("then", value != score), ("before", value == where and not after)) if shown]
        words_ = said if value == where else ""
        found.append(Piece(key, "token", title, text=words_, value=value, seat=seat, marks=tuple(marks)))
    return found


def _beside(now: float, then: float) -> tuple[bool, bool]:
    """Return whether the words are beside where the token would be, and whether they are on its right: where there is
    room. What a loss leaves is never said beside the token, from where it is not so far to the finish line."""
    left, right = sorted((now, then))
    after = right < WIDE
    if then >= now:
        return after or left < 1 - WIDE, after
    if left > 1 - WIDE:
        return True, False
    between = right - left > 1 - WIDE
    return between, True


def _when(state: r.State, names: Sequence[str]) -> str:
    """Return which round it is, or what is left of the final one."""
    if state.final_left:
        left = "one more turn" if state.final_left == 1 else f"{state.final_left} more turns"
        return f"Final round, begun by {names[state.finisher]}: {left}"
    turns = state.turns - 1 if state.phase == r.OVER else state.turns
    played, limit = turns // state.players, state.round_limit
    if limit and played >= limit:
        return f"Final round, past round {limit}"  # FO-28
    return f"Round {played + 1}" + (f" of {limit}" if limit else "")
