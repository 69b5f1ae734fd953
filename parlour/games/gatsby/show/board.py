"""The three locations of Gatsby, the actions and the characters, as pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from parlour.core.pieces import column, label, once, row
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

    state: s.State
    viewer: int
    names: Sequence[str]
    moves: frozenset[int]
    seen: list[int]

    def pieces(self) -> tuple[Piece, ...]:
        """Make actions (or the Special Action tiles to choose from), Cabaret, Finance Center, Racetrack."""
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
        """GA-24: return the characters that may be there ("one of these two")."""
        if self.known[slot] >= 0:
            return []
        return [c for c in range(p.N_CHARACTERS) if self.seen[c] >> slot & 1]

    # Spaces ----------------------------------------------------------------------------------------
    def _space(self, space: int) -> Piece:
        """Make a space, with what is printed on it or the token that covers it."""
        state = self.state
        star = bool(state.stars[0] >> space & 1)
        owner = next((seat for seat in (0, 1) if state.tokens[seat] >> space & 1), -1)
        token = (owner, self.names[owner], bool(state.placed[0] >> space & 1)) if owner >= 0 else None
        action, why = "", None
        if space in self.moves:
            action = text.format_action(state, space)
        elif self.moves and words.kind(state) in PLACING:
            why = reasons.why_not_space(state, space)
        return _space(space, p.STAR if star else state.bonus[space], token, action, why)

    def _cabaret(self) -> Piece:
        """Make the grid on its corner, row 0 along the north-east; characters in the corners it leaves free (GA-3)."""
        size = self.state.size
        cells = tuple(self._space(i * p.GRID + j) for i in range(size) for j in range(size))
        grid = Piece("grid", "panel", "The Cabaret", limit=size, layout="grid", marks=("diamond",), children=cells)
        people = tuple(
            column(f"corner-{code}", label(f"label-{code}", text), *self.character(slot), marks=("corner", code))
            for slot, code, text in ((p.NORTH_WEST, "nw", "north-west"), (p.NORTH_EAST, "ne", "north-east"),
                                      (p.STARS, "stars", "four stars"))
        )  # fmt: skip
        signs = column("corner-signs", _signs(), marks=("corner", "signs"))
        return Piece("cabaret", "group", "Cabaret", marks=("place",), children=(grid, *people, signs))

    def _finance(self) -> Piece:
        """Make the tower from the top down; levels are lit up to the higher player (GA-5)."""
        state = self.state
        floors = []
        for level in range(places.top(state), -1, -1):
            here = tuple((seat, self.names[seat]) for seat in (0, 1) if state.level[seat] == level)
            slot = p.FINANCE + list(state.char_level).index(level) if level in state.char_level else -1
            printed = state.level_bonus[level] if slot < 0 else state.under_bonus[slot - p.FINANCE]
            asleep = slot >= 0 and state.owner[slot] < 0
            character = self.character(slot) if slot >= 0 else None
            floors.append(_floor(level, here, level <= max(state.level), character, printed, asleep))
        return Piece(
            "finance", "panel", "Finance", marks=("tower",), clause="GA-11", layout="rows", children=tuple(floors)
        )

    def _track(self) -> Piece:
        """GA-4: make five rows, with the character of each at its end."""
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
        """Make the four main actions; the personal spaces are with the players' tiles (GA-9)."""
        cards = tuple(self._action(action) for action in range(4))
        return Piece("actions", "panel", "Actions", marks=("actions",), clause="GA-9", children=cards)

    def _action(self, action: int) -> Piece:
        state = self.state
        here = state.last == action
        move, why = self.choice(action)
        return _deed(action, action_token(state) if here else None, move, why)

    def _offer(self) -> Piece:
        """Make the tiles of which the player who drew them keeps one, in place of the actions (GA-8, GA-14)."""
        stays = words.kind(self.state) == s.STAY
        room = len(self.moves) == 2
        cards = []
        for move in sorted(self.moves):
            tile = move - s.TILE
            cards.append(
                Piece(
                    f"offer-{tile + 1}", "card", words.TILES[tile], "gatsby-tile",
                    words.TILE_DEEDS[tile] if room else f"{tile_text(tile)}.", marks=("tile",),
                    action=text.format_action(self.state, move),
                    children=(tile_icons(f"offer-{tile + 1}", tile),),
                )
            )  # fmt: skip
        title = "One stays on your space" if stays else "One is yours to keep"
        clause = "GA-8" if self.state.last < 0 else "GA-14"
        return Piece("actions", "panel", title, marks=("offers",), clause=clause, children=tuple(cards))

    def choice(self, action: int) -> tuple[str, Reason | None]:
        """Return the move that chooses an action, or why the player who is to choose cannot choose it."""
        if s.MAIN + action in self.moves:
            return text.format_action(self.state, s.MAIN + action), None
        if self.moves and words.kind(self.state) in (s.ACTION, s.FORCED):
            return "", reasons.why_not_action(self.state, action)
        return "", None

    # Characters ------------------------------------------------------------------------------------
    def character(self, slot: int) -> tuple[Piece, ...]:
        """Make the character on the board at `slot`, or nothing when it has been rallied."""
        return () if self.state.owner[slot] >= 0 else (self.portrait(slot),)

    def portrait(self, slot: int) -> Piece:
        """Make a character as the viewer knows it: face up, known to them, one of a few, or unknown."""
        state = self.state
        char, up = self.known[slot], bool(state.up >> slot & 1)
        where, fresh = words.slot_name(state, slot), bool(state.fresh >> slot & 1)
        part, why = "", None
        if words.kind(state) == s.PAIR and self.moves:
            if state.owner[slot] < 0:
                part = words.slot_code(state, slot)
            else:
                why = Reason("Only characters still on the board can be chosen.", "GA-14")
        if char >= 0:
            return _face(slot, char, state.prestige[char], up, where, fresh, part, why)
        perhaps = tuple((c, words.worth(state, c)) for c in self.perhaps(slot))
        return _back(slot, perhaps, where, fresh, part, why)


# Parts of the table, each made once for all positions in which it looks the same ----------------------
@once
def _space(space: int, printed: int, token: tuple[int, str, bool] | None, action: str, why: Reason | None) -> Piece:
    """Make a space; `token`: the seat and the name of its owner, and whether it was placed just now."""
    name, star = words.space_name(space), printed == p.STAR
    inside = []
    if token is not None:
        owner, whose, last = token
        marks = ("disc", f"s{owner}", *(("last",) if last else ()))
        inside.append(
            Piece(f"token-{name}", "token", f"{whose}'s token", f"gatsby-token-{owner}", seat=owner, marks=marks)
        )
    if printed:
        inside.append(
            Piece(f"print-{name}", "token", _bonus_name(printed), f"gatsby-b-{ICONS[printed]}", marks=("print",),
                  short=_bonus_sign(printed))
        )  # fmt: skip
    said = [name, *([_bonus_name(printed)] if printed else []), f"{token[1]}'s token" if token is not None else "empty"]
    return Piece(
        f"space-{name}", "space", ", ".join(said), marks=("star",) if star else (), action=action, why=why,
        short=words.space_code(space), children=tuple(inside),
    )  # fmt: skip


@once
def _floor(
    level: int, here: tuple[tuple[int, str], ...], lit: bool, character: tuple[Piece, ...] | None, printed: int,
    asleep: bool,
) -> Piece:  # fmt: skip
    """Make a level; `here`: seats and names of the players on it; `character`: its character, empty once that has been
    rallied, or None for a level without one."""
    inside = [
        Piece(
            f"climber-{seat}",
            "token",
            f"{name}'s Ascension token on level {level}",
            f"gatsby-climber-{seat}",
            seat=seat,
            marks=("disc", f"s{seat}"),
        )
        for seat, name in here
    ]
    inside += character or ()
    if printed:
        said = _bonus_name(printed) + (", once the character is rallied" if asleep else "")
        inside.append(
            Piece(
                f"floor-{level}-bonus", "token", said, f"gatsby-b-{ICONS[printed]}", text=_bonus_sign(printed),
                marks=("print", *(("asleep",) if asleep else ())),
                short=f"({_bonus_sign(printed)})" if asleep else _bonus_sign(printed),
            )
        )  # fmt: skip
    marks = ("floor", *(("lit",) if lit else ()), *(("tall",) if character is not None else ()))
    return Piece(f"floor-{level}", "space", f"Level {level}", text=str(level), marks=marks, children=tuple(inside))


@once
def _deed(action: int, token: Piece | None, move: str, why: Reason | None) -> Piece:
    """Make a main action, with the Action token where it was taken last."""
    letter = words.ACTIONS[action]
    icons = tuple(
        Piece(f"action-{action}-{i}", "token", ICON_NAMES[icon], f"gatsby-a-{icon}", marks=("print",))
        for i, icon in enumerate(ACTION_ICONS[action])
    )
    said = f"{letter}: {words.ACTION_TEXTS[action]}" + (", taken last: the Action token is here" if token else "")
    return Piece(
        f"action-{letter.lower()}", "group", said, text=letter, marks=("deed", *(("last",) if token else ())),
        action=move, why=why, shortcut=letter.lower() if move else "",
        children=(*icons, label(f"said-{action}", words.ACTION_NAMES[action]), *((token,) if token else ())),
    )  # fmt: skip


@once
def _face(
    slot: int, char: int, prestige: int, up: bool, where: str, fresh: bool, part: str, why: Reason | None
) -> Piece:
    """Make a character that the viewer knows."""
    marks = ("portrait", *(("fresh",) if fresh else ()), *(() if up else ("secret",)))
    name = f"{words.worthy(char, prestige)}, {where}{'' if up else ', face down, known to you'}"
    return Piece(f"char-{slot}", "card", name, f"gatsby-c-{words.code(char)}", stars(prestige), marks=marks, part=part,
                 why=why)  # fmt: skip


@once
def _back(
    slot: int, perhaps: tuple[tuple[int, str], ...], where: str, fresh: bool, part: str, why: Reason | None
) -> Piece:
    """Make a character that the viewer does not know; `perhaps`: those that it may be, in words, if these are few."""
    marks = ("portrait", *(("fresh",) if fresh else ()), "back", *(("perhaps",) if perhaps else ()))
    chips = tuple(
        Piece(f"perhaps-{slot}-{c}", "token", f"perhaps {words.character(c)}",
              f"gatsby-s-{words.SUITS[c // p.OF_SUIT]}", marks=("chip",))
        for c, _ in perhaps
    )  # fmt: skip
    name = f"A face-down character, {where}" + (": perhaps " + " or ".join(c for _, c in perhaps) if perhaps else "")
    return Piece(f"char-{slot}", "card", name, "gatsby-back", marks=marks, part=part, why=why, children=chips)


ICON_NAMES = {"cabaret": "Cabaret", "finance": "Finance Center", "track": "Racetrack"}
TILE_ICONS = (  # what a Special Action tile does, in order
    ("cabaret", "cabaret"), ("cabaret", "cabaret", "cabaret"), ("cabaret", "swap"), ("cabaret",),
    ("cabaret", "finance", "track"), ("finance", "finance"), ("peek", "finance", "swap"),
    ("track", "track"), ("track", "track", "track"), ("swap", "track"), ("track",),
)  # fmt: skip
ACTION_ICONS = (("cabaret", "cabaret"), ("cabaret", "finance"), ("finance", "track"), ("track", "track"))


def last_actor(state: s.State) -> int:
    """Return the seat that took the action with the action token."""
    return int(1 - state.player if words.kind(state) in (s.ACTION, s.FORCED) else state.player)


def action_token(state: s.State) -> Piece:
    """GA-9: make the token, which is on the action taken last, or on the space whose tile was used."""
    seat = last_actor(state)
    return Piece("action-token", "token", "The Action token", f"gatsby-baton-{seat}", seat=seat,
                 marks=("baton", f"s{seat}"))  # fmt: skip


def stars(prestige: int) -> str:
    """Return prestige as shown on a portrait."""
    return "★" * prestige if prestige else "–"


def _bonus_name(printed: int) -> str:
    return "star" if printed == p.STAR else f"bonus {words.BONUS_TITLES[printed]}: {words.BONUS_TEXTS[printed]}"


@once
def _signs() -> Piece:
    """Show what the signs on spaces and levels mean, on request (GA-14)."""
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
    """Return what a Special Action tile does, with a capital."""
    said = words.TILE_TEXTS[tile]
    return said[0].upper() + said[1:]


def tile_icons(key: str, tile: int) -> Piece:
    """Make a Special Action tile in pictures."""
    return icons_row(key, TILE_ICONS[tile])


def icons_row(key: str, icons: Sequence[str]) -> Piece:
    """Show what is done, in order, in pictures."""
    pieces = (
        Piece(f"{key}-{i}", "token", face="gatsby-" + ("a-" if icon in ICON_NAMES else "b-") + icon, marks=("print",))
        for i, icon in enumerate(icons)
    )
    return row(f"{key}-icons", *pieces, marks=("icons",))


def special(table: Table, seat: int) -> Piece:
    """Make a personal space: the Special Action tile on it, which a click uses, and how many are set aside (GA-15)."""
    state = table.state
    tile = holdings.tile_of(state, seat)
    used = state.tile.index(s.IN_USE) if s.IN_USE in state.tile and state.player == seat else -1
    aside = holdings.tiles_at(state, s.ASIDE + seat) + holdings.tiles_at(state, s.ASIDE_HIDDEN + seat)
    more = f" {aside} set aside." if aside else ""
    here = state.last == 4 and used < 0 and last_actor(state) == seat
    lies = (action_token(state),) if here else ()
    if tile < 0:
        said = f"In use: {tile_text(used)}." if used >= 0 else "No tile."
        name = words.TILES[used] if used >= 0 else "–"
        return Piece(f"special{seat}", "card", name, "gatsby-tile", said + more, seat=seat, clause="GA-15",
                     marks=("tile", f"of-{seat}", "empty" if used < 0 else "last"), children=lies)  # fmt: skip
    move, why = table.choice(4) if seat == state.player else ("", None)
    return Piece(
        f"special{seat}", "card", words.TILES[tile], "gatsby-tile", f"{tile_text(tile)}.{more}", seat=seat,
        clause="GA-16", action=move, why=why, shortcut="s" if move else "", marks=("tile", f"of-{seat}"),
        children=(tile_icons(f"special{seat}", tile), *lies),
    )  # fmt: skip
