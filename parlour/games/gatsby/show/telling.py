"""What the log of Gatsby says of each step, as far as the viewer may know it (GA-24)."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import CHANCE, HIDDEN, Step
from parlour.core.scene import Line
from parlour.games.gatsby import rules
from parlour.games.gatsby.rules import hidden, holdings, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.scoring import over
from parlour.games.gatsby.show import words

TILE_CLAUSE = "GA-16"
LAST_QUARTER = 3


def tell(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of the log for one step: what was done, then what followed without a decision."""
    lines = _chance(step, viewer, names) if step.actor == CHANCE else _move(step, viewer, names)
    return (*lines, *_followed(step, viewer, names))


def _chance(step: Step, viewer: int, names: Sequence[str]) -> list[Line]:
    before, outcome = step.before, step.action
    kind, arg = words.kind(before), words.argument(before)
    sees = rules.observed_action(before, outcome, viewer) != HIDDEN
    if kind == s.QUARTER:
        return [Line("The Cabaret's tiles are laid.", "GA-6", None, "chance")] if arg == LAST_QUARTER else []
    if kind == s.CHARACTER:
        return _opened(step, arg)
    if kind == s.FLIP:
        return [Line(f"The Action token shows {names[outcome]}, who begins.", "GA-8", outcome, "chance")]
    seat = before.owner[arg] if kind == s.CLAIM or (kind == s.REVEAL and arg < p.N_SLOTS) else before.player
    who = names[seat]
    if kind == s.DRAW:
        what = f"{words.TILES[outcome]}, {words.TILE_TEXTS[outcome]}" if sees else "a Special Action tile"
        return [Line(f"{who} draws {what}.", "GA-8" if before.due_kind[0] == s.START else "GA-14", seat, "chance")]
    if kind == s.REVEAL:
        if arg >= p.N_SLOTS:
            owner = arg - p.N_SLOTS
            return [Line(f"{names[owner]} had set {words.TILES[outcome]} aside.", "GA-24", owner, "chance")]
        return [Line(f"{who} had rallied {words.worth(before, outcome)}.", "GA-24", seat, "chance")]
    where = words.slot_name(before, arg)
    what = f"{words.worth(before, outcome)} at {where}" if sees else f"the character of {where}"
    clause = "GA-21" if kind == s.CLAIM else "GA-14"
    return [Line(f"{who} {'sees' if sees else 'looks at'} {what}.", clause, seat, "chance")]


def _opened(step: Step, slot: int) -> list[Line]:
    """GA-7: describe characters turned up, the two of a location together; after the last, those that move."""
    before, after = step.before, step.after
    place = p.OPEN_SLOTS.index(slot)
    if place % 2 == 0:
        return []
    other = p.OPEN_SLOTS[place - 1]
    first = f"{words.worth(before, before.char[other])} is turned up at {words.slot_name(before, other)}"
    said = f"{first}, {words.worth(before, step.action)} at {words.slot_name(before, slot)}."
    lines = [Line(said, "GA-7", None, "chance")]
    if slot == p.OPEN_SLOTS[5]:
        for low, high in ((p.FINANCE, p.FINANCE + 3), (p.TRACK + 4, p.TRACK)):
            old = step.action if low == slot else before.char[low]
            if after.char[low] != old:
                good = words.character(after.char[high])
                said = f"{good} has more prestige and moves to {words.slot_name(after, high)}."
                lines.append(Line(said, "GA-7", None, "event"))
    return lines


def _move(step: Step, viewer: int, names: Sequence[str]) -> list[Line]:
    before, action, seat = step.before, step.action, step.actor
    kind, arg = words.kind(before), words.argument(before)
    who = names[seat]
    if kind >= s.START:
        return _space(before, action, seat, names)
    if kind in (s.ACTION, s.FORCED):
        return [_action(before, action - s.MAIN, seat, names)]
    if kind == s.BONUS:
        title = words.BONUS_TITLES[arg]
        if action == s.NO:
            return [Line(f"{who} lets the bonus {title} go.", "GA-14", seat)]
        return [Line(f"{who} uses the bonus {title}.", "GA-14", seat)]
    if kind == s.KEEP:
        sees = rules.observed_action(before, action, viewer) != HIDDEN
        what = f"{words.TILES[action - s.TILE]}: {words.TILE_TEXTS[action - s.TILE]}" if sees else "one of them"
        return [Line(f"{who} keeps {what}.", "GA-8" if before.due_kind[0] == s.START else "GA-14", seat)]
    if kind == s.STAY:
        return [_stay(step, viewer, names)]
    if kind == s.PAIR:
        pair = action - s.TWO
        both = f"{words.slot_name(before, p.first_of(pair))} and {words.slot_name(before, p.second_of(pair))}"
        if arg:
            return [Line(f"{who} swaps the characters of {both}, unseen.", TILE_CLAUSE, seat)]
        return [Line(f"{who} chooses the characters of {both}.", "GA-14", seat)]
    if rules.observed_action(before, action, viewer) == HIDDEN:
        return [Line(f"{who} swaps the two, or does not.", "GA-24", seat)]
    both = f"{words.slot_name(before, p.first_of(arg))} and {words.slot_name(before, p.second_of(arg))}"
    done = "swaps" if action == s.YES else "does not swap"
    return [Line(f"{who} {done} the characters of {both}.", "GA-14", seat)]


def _action(before: s.State, action: int, seat: int, names: Sequence[str]) -> Line:
    if action < 4:
        what, clause = f"{words.ACTIONS[action]}: {words.ACTION_TEXTS[action]}", "GA-9"
    else:
        tile = holdings.tile_of(before, before.player)
        what, clause = f"{words.TILES[tile]}: {words.TILE_TEXTS[tile]}", TILE_CLAUSE
    if words.kind(before) == s.FORCED:
        return Line(f"{names[seat]} makes {names[before.player]} take {what}.", "GA-14", seat)
    return Line(f"{names[seat]} takes {what}.", clause, seat)


def _stay(step: Step, viewer: int, names: Sequence[str]) -> Line:
    """Describe the tile that stays; one set aside straight from a draw is hidden (GA-24)."""
    before, after, seat = step.before, step.after, step.actor
    kept = step.action - s.TILE
    other = next(tile for tile in range(p.N_TILES) if tile != kept and before.tile[tile] in (s.KEPT, s.ON_SPACE + seat))
    open_aside = after.tile[other] == s.ASIDE + seat or viewer == seat
    what = words.TILES[other] if open_aside else "the new one, unseen,"
    return Line(f"{names[seat]} keeps {words.TILES[kept]} on the space and sets {what} aside.", "GA-14", seat)


def _space(before: s.State, space: int, seat: int, names: Sequence[str]) -> list[Line]:
    kind, arg = words.kind(before), words.argument(before)
    who, where = names[seat], words.space_name(space)
    if kind == s.OWN:
        return [Line(f"{who} gives up {where}.", "GA-14", seat)]
    if kind == s.OTHER:
        return [Line(f"{who} swaps {words.space_name(arg)} for {where}.", "GA-14", seat)]
    if kind == s.START:
        return [Line(f"{who} starts with a token on {where}.", "GA-8", seat)]
    place = "Cabaret" if space < p.RACE else "Racetrack"
    clause = "GA-10" if space < p.RACE else "GA-12"
    if kind in (s.ANYWHERE, s.GAP):
        clause = TILE_CLAUSE
    return [Line(f"{who} places on {where} ({place}).", clause, seat)]


def _followed(step: Step, viewer: int, names: Sequence[str]) -> list[Line]:
    """Describe what followed: a second token on the row, steps up, characters rallied, the end."""
    before, after = step.before, step.after
    lines = []
    kind = words.kind(before)
    if step.actor != CHANCE and kind not in (s.ACTION, s.FORCED):
        new = (after.placed[0] & ~before.placed[0]) >> p.RACE << p.RACE
        if step.action < p.N_SPACES:
            new &= ~(1 << step.action)
        if kind == s.OTHER:
            new &= ~(1 << words.argument(before))
        if new:  # S8: the second token goes to the same row without a decision
            where = words.space_name(places.count((new & -new) - 1))
            lines.append(Line(f"{names[step.actor]} places on {where} too.", TILE_CLAUSE, step.actor, "event"))
    for seat in (0, 1):
        if after.level[seat] > before.level[seat]:
            said = f"{names[seat]} climbs to level {after.level[seat]}."
            lines.append(Line(said, "GA-11", seat, "event"))
    for slot in range(p.N_SLOTS):
        if after.owner[slot] >= 0 > before.owner[slot]:
            lines.append(_taken(after, slot, viewer, names))
    if after.ending and not before.ending:
        lines.append(_ends(after, names))
    if words.kind(after) == s.QUARTER and words.argument(after) == s.AGAIN:
        lines.append(Line(tie_text(after), "GA-23", None, "event"))
    if over(after):
        lines.append(Line(end_text(after, names), "GA-22" if after.winner >= 0 else "GA-23", None, "end"))
    return lines


def _taken(after: s.State, slot: int, viewer: int, names: Sequence[str]) -> Line:
    """Describe the character that is rallied, and from where (GA-17 to GA-20)."""
    seat = after.owner[slot]
    char = hidden.sure(words.seen_by(after, viewer), slot)
    whom = words.worth(after, char) if char >= 0 else "a face-down character"
    how, clause = "from " + words.slot_name(after, slot), ("GA-17", "GA-17", "GA-18")[slot] if slot < 3 else "GA-19"
    if slot >= p.TRACK:
        clause = "GA-20"
    return Line(f"{names[seat]} rallies {whom} {how}.", clause, seat, "event")


def _ends(after: s.State, names: Sequence[str]) -> Line:
    if after.ending == s.TRIO:
        return Line(f"{names[after.winner]} has all three of a suit.", "GA-22", after.winner, "event")
    if after.ending == s.ALL_SUITS:
        return Line(f"{names[after.winner]} has one of each suit.", "GA-22", after.winner, "event")
    return Line("A location has no character left: prestige decides.", "GA-23", None, "event")


def tie_text(state: s.State) -> str:
    """Return a sentence about a tie, and what follows with the option `play_off`."""
    found = [0, 0]
    rules.scores(state, found)
    return f"A tie: both have {found[0]} prestige and equally many characters. Another game decides."


def end_text(state: s.State, names: Sequence[str]) -> str:
    """Return a sentence that names the winner, and how they won."""
    if state.winner >= 0:
        how = "all three of a suit" if state.ending == s.TRIO else "one of each suit"
        return f"{names[state.winner]} wins with {how}."
    found = [0, 0]
    rules.scores(state, found)
    shares = [0.0, 0.0]
    rules.returns(state, shares)
    if shares[0] == shares[1]:
        return f"A draw: both have {found[0]} prestige and equally many characters."
    best = 0 if shares[0] else 1
    more = " and more characters" if found[0] == found[1] else f" to {found[1 - best]}"
    return f"{names[best]} wins with {found[best]} prestige{more}."
