"""The three locations of Gatsby, the actions and the characters, as pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from parlour.core.pieces import column, label, row
from parlour.core.scene import Piece, Reason
from parlour.games.gatsby.rules import hidden, holdings, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import reasons, text, words

ICONS = ("", "peek", "finance", "force", "place", "swap", "special", "star")
PLACING = range(s.START, s.OTHER + 1)


@dataclass(frozen=True)
class Table:
    """A position as one viewer sees it; `moves` are what they may do now, `seen` what they know of the characters."""

    state: Any
    viewer: int
    names: Sequence[str]
    moves: frozenset[int]
    seen: list[int]

    def pieces(self) -> tuple[Piece, ...]:
        """Actions (or the Special Action tiles to choose from), Cabaret, Finance Center, Racetrack."""
        offered = bool(self.moves) and words.kind(self.state) in (s.KEEP, s.STAY)
        return (self._offer() if offered else self._actions(), self._cabaret(), self._finance(), self._track())

    @cached_property
    def known(self) -> tuple[int, ...]:
        """GA-24: the character at each place if the viewer knows it, else -1."""
        return tuple(hidden.sure(self.seen, slot) for slot in range(p.N_SLOTS))

    @cached_property
    def where(self) -> tuple[int, ...]:
        """GA-24: where the viewer knows each character to be: a place, or -1."""
        places = {1 << slot: slot for slot in range(p.N_SLOTS)}
        return tuple(places.get(seen, -1) for seen in self.seen[: p.N_CHARACTERS])

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """The seat that has each character for certain, -1 on the board or unknown."""
        return tuple(map(self._holder, range(p.N_CHARACTERS)))

    def _holder(self, char: int) -> int:
        if self.where[char] >= 0:
            return int(self.state.owner[self.where[char]])
        owners = {self.state.owner[slot] for slot in range(p.N_SLOTS) if self.seen[char] >> slot & 1}
        return int(owners.pop()) if len(owners) == 1 else -1

    @cached_property
    def unknown(self) -> tuple[int, int]:
        """For each player, the places on the board, or won by them, whose face the viewer does not know."""
        owner, dark = self.state.owner, [slot for slot in range(p.N_SLOTS) if self.known[slot] < 0]
        first, second = (sum(owner[slot] in (-1, seat) for slot in dark) for seat in (0, 1))
        return first, second

    def perhaps(self, slot: int) -> list[int]:
        """GA-24: characters that may lie there, "one of these two"."""
        if self.known[slot] >= 0:
            return []
        return [c for c in range(p.N_CHARACTERS) if self.seen[c] >> slot & 1]

    # Spaces ----------------------------------------------------------------------------------------
    def _space(self, space: int) -> Piece:
        """A space, with what is printed on it or the token that covers it."""
        state = self.state
        name = words.space_name(space)
        star = bool(state.stars[0] >> space & 1)
        owner = next((seat for seat in (0, 1) if state.tokens[seat] >> space & 1), -1)
        printed = p.STAR if star else state.bonus[space]
        inside = []
        if owner >= 0:
            last = ("last",) if state.placed[0] >> space & 1 else ()
            inside.append(Piece(f"token-{name}", "token", f"{self.names[owner]}'s token", seat=owner, marks=last))
        if printed:
            inside.append(
                Piece(
                    f"print-{name}",
                    "token",
                    _bonus_name(printed),
                    f"gatsby-b-{ICONS[printed]}",
                    marks=("print",),
                    short=_bonus_sign(printed),
                )
            )
        said = [name, *(["star"] if star else []), *([_bonus_name(printed)] if printed and not star else [])]
        said.append(f"{self.names[owner]}'s token" if owner >= 0 else "empty")
        action, why = "", None
        if space in self.moves:
            action = text.format_action(state, space)
        elif self.moves and words.kind(state) in PLACING and owner < 0:
            why = reasons.why_not_space(state, space)
        return Piece(
            f"space-{name}", "space", ", ".join(said), marks=("star",) if star else (),
            action=action, why=why, short=words.space_code(space), children=tuple(inside),
        )  # fmt: skip

    def _cabaret(self) -> Piece:
        """GA-3: the grid on its corner, row 0 along the north-east; characters in the corners it leaves free."""
        size = self.state.size
        cells = []
        for i in range(size):
            for j in range(size):
                cells.append(self._space(i * p.GRID + j))
        grid = Piece(
            "grid", "panel", "The Cabaret", limit=size, layout="grid", marks=("diamond",), children=tuple(cells)
        )
        people = tuple(
            column(f"corner-{code}", label(f"label-{code}", text), *self.character(slot), marks=("corner", code))
            for slot, code, text in ((p.NORTH_WEST, "nw", "north-west"), (p.NORTH_EAST, "ne", "north-east"),
                                      (p.STARS, "stars", "four stars"))
        )  # fmt: skip
        signs = column("corner-signs", _signs(), marks=("corner", "signs"))
        return Piece("cabaret", "group", "Cabaret", marks=("place",), children=(grid, *people, signs))

    def _finance(self) -> Piece:
        """GA-5: the tower from the top down; levels are lit up to the higher player."""
        state = self.state
        floors = []
        for level in range(places.top(state), -1, -1):
            here = [seat for seat in (0, 1) if state.level[seat] == level]
            inside: list[Piece] = [
                Piece(f"climber-{seat}", "token", f"{self.names[seat]}'s Ascension token on level {level}", seat=seat)
                for seat in here
            ]
            marks = ["floor", *(["lit"] if level <= max(state.level) else [])]
            slot = -1
            if level in state.char_level:
                slot = p.FINANCE + list(state.char_level).index(level)
                marks.append("tall")
                inside += self.character(slot)
            printed = state.level_bonus[level] if slot < 0 else state.under_bonus[slot - p.FINANCE]
            if printed:
                asleep = slot >= 0 and state.owner[slot] < 0
                said = _bonus_name(printed) + (", once the character is rallied" if asleep else "")
                inside.append(
                    Piece(
                        f"floor-{level}-bonus", "token", said, f"gatsby-b-{ICONS[printed]}",
                        marks=("print", *(("asleep",) if asleep else ())),
                        short=f"({_bonus_sign(printed)})" if asleep else _bonus_sign(printed),
                    )
                )  # fmt: skip
            floors.append(Piece(f"floor-{level}", "space", f"Level {level}", text=str(level), marks=tuple(marks),
                                children=tuple(inside)))  # fmt: skip
        return Piece(
            "finance", "panel", "Finance", marks=("tower",), clause="GA-11", layout="rows", children=tuple(floors)
        )

    def _track(self) -> Piece:
        """GA-4: five rows, the character of each at its end."""
        state = self.state
        lanes = []
        for i in range(p.ROWS):
            shut = not places.is_open(state, i)
            spaces = tuple(self._space(p.RACE + i * p.LANE + place) for place in range(state.lengths[i]))
            name, marks = f"Row {i + 1}{': Race Finished' if shut else ''}", ("run", *(("shut",) if shut else ()))
            run = row(f"lane-{i + 1}", *spaces, name=name, marks=marks)
            number = label(f"row-label-{i + 1}", str(i + 1))
            lanes.append(row(f"row-{i + 1}", number, run, *self.character(p.TRACK + i), marks=("course",)))
        return Piece("track", "panel", "Racetrack", marks=("lanes",), clause="GA-12", layout="rows",
                     children=tuple(lanes))  # fmt: skip

    # Actions ---------------------------------------------------------------------------------------
    def _actions(self) -> Piece:
        """GA-9: the four main actions; the personal spaces are with the players' tiles."""
        cards = tuple(self._action(action) for action in range(4))
        return Piece("actions", "panel", "Actions", marks=("actions",), clause="GA-9", children=cards)

    def _action(self, action: int) -> Piece:
        state = self.state
        here = state.last == action
        move, why = self.choice(action)
        holder = f"{words.ACTIONS[action]}: {words.ACTION_TEXTS[action]}"
        icons = tuple(
            Piece(f"action-{action}-{i}", "token", ICON_NAMES[icon], f"gatsby-a-{icon}", marks=("print",))
            for i, icon in enumerate(ACTION_ICONS[action])
        )
        token: tuple[Piece, ...] = ()
        if here:
            token = (action_token(state),)
            holder += ", taken last: the Action token lies here"
        return Piece(
            f"action-{words.ACTIONS[action].lower()}", "group", holder, text=words.ACTIONS[action],
            marks=("deed", *(("last",) if here else ())), action=move, why=why,
            shortcut=words.ACTIONS[action].lower() if move else "",
            children=(*icons, label(f"said-{action}", words.ACTION_NAMES[action]), *token),
        )  # fmt: skip

    def _offer(self) -> Piece:
        """GA-8, GA-14: the tiles of which one is kept, for whoever drew them, where the actions lie else."""
        stays = words.kind(self.state) == s.STAY
        room = len(self.moves) == 2
        cards = []
        for move in sorted(self.moves):
            tile = move - s.TILE
            cards.append(
                Piece(
                    f"offer-{tile + 1}", "card", f"S{tile + 1}", "gatsby-tile",
                    words.TILE_DEEDS[tile] if room else f"{tile_text(tile)}.", marks=("tile",),
                    action=text.format_action(self.state, move),
                    children=(tile_icons(f"offer-{tile + 1}", tile),),
                )
            )  # fmt: skip
        title = "One stays on your space" if stays else "One is yours to keep"
        clause = "GA-8" if self.state.last < 0 else "GA-14"
        return Piece("actions", "panel", title, marks=("offers",), clause=clause, children=tuple(cards))

    def choice(self, action: int) -> tuple[str, Reason | None]:
        """The move that chooses an action, or why whoever is to choose cannot choose it."""
        if s.MAIN + action in self.moves:
            return text.format_action(self.state, s.MAIN + action), None
        if self.moves and words.kind(self.state) in (s.ACTION, s.FORCED):
            return "", reasons.why_not_action(self.state, action)
        return "", None

    # Characters ------------------------------------------------------------------------------------
    def character(self, slot: int) -> tuple[Piece, ...]:
        """The character on the board at `slot`, or nothing when it has been rallied."""
        return () if self.state.owner[slot] >= 0 else (self.portrait(slot),)

    def portrait(self, slot: int) -> Piece:
        """A character as the viewer knows it: face up, known to them, perhaps one of some, or unknown."""
        state = self.state
        char, up = self.known[slot], bool(state.up >> slot & 1)
        where = words.slot_name(state, slot)
        marks = ["portrait", *(["fresh"] if state.fresh >> slot & 1 else [])]
        chips: tuple[Piece, ...] = ()
        worth = ""
        if char >= 0:
            marks += [] if up else ["secret"]
            name = f"{words.worth(state, char)}, {where}{'' if up else ', face down, known to you'}"
            face, worth = f"gatsby-c-{words.code(char)}", stars(state.prestige[char])
        else:
            marks.append("back")
            face, name = "gatsby-back", f"A face-down character, {where}"
            perhaps = self.perhaps(slot)
            if perhaps:
                marks.append("perhaps")
                name += ": perhaps " + " or ".join(words.worth(state, c) for c in perhaps)
                chips = tuple(
                    Piece(f"perhaps-{slot}-{c}", "token", f"perhaps {words.character(c)}",
                          f"gatsby-s-{words.SUITS[c // p.OF_SUIT]}", marks=("chip",))
                    for c in perhaps
                )  # fmt: skip
        part, why = "", None
        if words.kind(state) == s.PAIR and self.moves:
            if state.owner[slot] < 0:
                part = words.slot_code(state, slot)
            else:
                why = Reason("Only characters still on the board can be chosen.", "GA-14")
        return Piece(f"char-{slot}", "card", name, face, worth, marks=tuple(marks), part=part, why=why, children=chips)


ICON_NAMES = {"cabaret": "Cabaret", "finance": "Finance Center", "track": "Racetrack"}
TILE_ICONS = (  # what a Special Action tile does, in order
    ("cabaret", "cabaret"), ("cabaret", "cabaret", "cabaret"), ("cabaret", "swap"), ("cabaret",),
    ("cabaret", "finance", "track"), ("finance", "finance"), ("peek", "finance", "swap"),
    ("track", "track"), ("track", "track", "track"), ("swap", "track"), ("track",),
)  # fmt: skip
ACTION_ICONS = (("cabaret", "cabaret"), ("cabaret", "finance"), ("finance", "track"), ("track", "track"))


def last_actor(state: Any) -> int:
    """Whose action it was that the action token lies on."""
    return int(1 - state.player if words.kind(state) in (s.ACTION, s.FORCED) else state.player)


def action_token(state: Any) -> Piece:
    """GA-9: it lies on the action taken last, or on the space whose tile was used."""
    return Piece("action-token", "token", "The Action token", seat=last_actor(state), marks=("baton",))


def stars(prestige: int) -> str:
    """Prestige as shown on a portrait."""
    return "★" * prestige if prestige else "–"


def _bonus_name(printed: int) -> str:
    return "star" if printed == p.STAR else f"bonus {words.BONUS_TITLES[printed]}: {words.BONUS_TEXTS[printed]}"


def _signs() -> Piece:
    """GA-14: what the signs on spaces and levels mean, for whoever asks."""
    lines = tuple(
        Piece(
            f"sign-{icon}", "note", face=f"gatsby-b-{icon}",
            text=f"{words.BONUS_TITLES[bonus]}: {words.BONUS_TEXTS[bonus]}",
        )
        for bonus, icon in enumerate(ICONS)
        if icon and bonus != p.STAR
    )  # fmt: skip
    return Piece("signs", "stack", "Bonuses", clause="GA-14", children=lines)


def _bonus_sign(printed: int) -> str:
    return "★" if printed == p.STAR else words.BONUS_TITLES[printed]


def tile_text(tile: int) -> str:
    """What a Special Action tile does, with a capital."""
    said = words.TILE_TEXTS[tile]
    return said[0].upper() + said[1:]


def tile_icons(key: str, tile: int) -> Piece:
    """A Special Action tile in pictures."""
    return icons_row(key, TILE_ICONS[tile])


def icons_row(key: str, icons: Sequence[str]) -> Piece:
    """What is done, in order, in pictures."""
    pieces = (
        Piece(f"{key}-{i}", "token", face="gatsby-" + ("a-" if icon in ICON_NAMES else "b-") + icon, marks=("print",))
        for i, icon in enumerate(icons)
    )
    return row(f"{key}-icons", *pieces, marks=("icons",))


def special(table: Table, seat: int) -> Piece:
    """GA-15: a personal space: the Special Action tile on it, clicked to use it, and how many are set aside."""
    state = table.state
    tile = holdings.tile_of(state, seat)
    used = state.tile.index(s.IN_USE) if s.IN_USE in state.tile and state.player == seat else -1
    aside = holdings.tiles_at(state, s.ASIDE + seat) + holdings.tiles_at(state, s.ASIDE_HIDDEN + seat)
    more = f" {aside} set aside." if aside else ""
    here = state.last == 4 and used < 0 and last_actor(state) == seat
    lies = (action_token(state),) if here else ()
    if tile < 0:
        said = f"In use: {tile_text(used)}." if used >= 0 else "No tile."
        name = f"S{used + 1}" if used >= 0 else "–"
        return Piece(f"special{seat}", "card", name, "gatsby-tile", said + more, seat=seat, clause="GA-15",
                     marks=("tile", f"of-{seat}", "empty" if used < 0 else "last"), children=lies)  # fmt: skip
    move, why = table.choice(4) if seat == state.player else ("", None)
    return Piece(
        f"special{seat}", "card", f"S{tile + 1}", "gatsby-tile", f"{tile_text(tile)}.{more}", seat=seat,
        clause="GA-16", action=move, why=why, shortcut="s" if move else "", marks=("tile", f"of-{seat}"),
        children=(tile_icons(f"special{seat}", tile), *lies),
    )  # fmt: skip
