"""Gatsby once more, from the clauses GA-1 to GA-26 alone: slow, obvious, and without the product's code.

A game is a script (`_game`) that asks: each `yield` hands out what may come next and gets what
came, so that a bonus in the middle of an action is a call in the middle of a function. Spaces have
the names of the record: "b3" is column b, row 3 of the Cabaret, "row 2 space 1" on the Racetrack.
Characters are in slots: "ne", "nw", "stars", "level3" to "level12", "track1" to "track5".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.models.contract import CHANCE, OVER
from tests.models.gatsby_lures import RARE, Lures

EVERYBODY = -1
SUITS = ("stage", "press", "bank", "turf", "jazz")  # GA-2: V to Z
TILES = tuple(f"S{i}" for i in range(1, 12))  # GA-1
MAIN = {"A": ("cabaret", "next"), "B": ("cabaret", "finance"), "C": ("finance", "race"), "D": ("other row",) * 2}
SPECIAL = {
    "S1": ("cabaret", "cabaret"), "S2": ("cabaret", "next", "next"), "S3": ("cabaret", "swap"), "S4": ("anywhere",),
    "S5": ("cabaret", "finance", "race"), "S6": ("finance", "finance"), "S7": ("blind exchange", "finance", "swap"),
    "S8": ("row", "same row"), "S9": ("other row",) * 3, "S10": ("swap", "race"), "S11": ("gap",),
}  # fmt: skip

PHASE = {
    "race": "racetrack", "other row": "racetrack", "row": "row", "anywhere": "anywhere", "gap": "gap",
    "cabaret": "cabaret", "next": "next", "place": "place",
}  # fmt: skip


@dataclass
class Ask:
    """What the game waits for: `seat` (or chance) is to choose one of `choices`.

    Texts are the keys; a decision's values are what they mean, those of chance how likely they are.
    """

    phase: str
    seat: int
    choices: dict[str, Any]


@dataclass(frozen=True)
class Sight:
    """What `who` saw: a character in a slot, or (`character` is "") whether two slots were exchanged."""

    who: int
    slots: tuple[str, ...]
    character: str
    really: bool = True


Script = Generator[Ask, Any, Any]


class Model(Lures):
    """One game; seats are 0 and 1."""

    RARE = RARE
    POSITIONS = 40_000  # a game has about a hundred

    def __init__(self, players: int, parts: Mapping[str, Any], options: Mapping[str, str]) -> None:
        assert players == 2
        self.setup_bonus = options["setup_bonus"] == "taken"  # GA-8
        self.play_off = options["play_off"] == "true"  # GA-23
        self.games = 0  # without a winner
        self.seen: Counter[str] = Counter()
        self.prestige = {
            f"{suit}-{i + 1}": worth
            for suit, three in zip(SUITS, parts["prestige"], strict=True)
            for i, worth in enumerate(three)
        }
        # GA-3: the Cabaret is laid later
        self.cabaret_tiles = parts["cabaret"]
        self.size = 2 * len(self.cabaret_tiles[0])
        self.cabaret = {self._space(r, c): (r, c) for r in range(self.size) for c in range(self.size)}
        # GA-4
        self.rows = [
            [f"row {r + 1} space {i + 1}" for i in range(len(row))] for r, row in enumerate(parts["racetrack"])
        ]
        self.row_bonuses = {
            space: bonus
            for row, printed in zip(self.rows, parts["racetrack"], strict=True)
            for space, bonus in zip(row, printed, strict=True)
            if bonus != "-"
        }
        # GA-5
        self.level_bonus: dict[int, str] = {}
        self.under: dict[int, str] = {}
        self.floors: list[int] = []
        for level, printed in enumerate(parts["finance"], start=1):
            if printed.startswith("character"):
                self.floors.append(level)
                self.under[level] = printed.removeprefix("character").removeprefix(": ")
            elif printed != "-":
                self.level_bonus[level] = printed
        self.top = len(parts["finance"])
        self.all_tokens = parts["tokens"]
        # Characters: a face that no player has seen is drawn when one sees it, which makes no difference (GA-6)
        self.places = {
            "Cabaret": ["ne", "nw", "stars"],
            "Finance": [f"level{level}" for level in self.floors],
            "Racetrack": [f"track{r + 1}" for r in range(len(self.rows))],
        }
        self.slots = [slot for place in self.places.values() for slot in place]
        self.winner: int | None = None
        self._begin()
        self.script = self._game()
        self.ask = next(self.script)

    def _begin(self) -> None:
        """Set everything as it is before a game's first tile is drawn."""
        self.stars: set[str] = set()
        self.quarters: list[int] = []
        self.bonuses = dict(self.row_bonuses)
        self.level = [0, 0]
        self.tokens: dict[str, int] = {}  # space -> the owner of its token
        self.supply = [self.all_tokens] * 2
        self.face: dict[str, str] = {}  # slot -> character, once any player has seen it
        self.up: set[str] = set()
        self.owner: dict[str, int] = {}  # slot -> the seat that has taken the character
        self.unseen = list(self.prestige)
        self.sights: list[Sight] = []  # for gatsby_worlds.py
        # Tiles: "pile", "hand", "kept", "in use", "gone", and with a seat "space", "aside", "hidden aside", "discarded"
        self.tile: dict[str, tuple[str, int]] = dict.fromkeys(TILES, ("pile", -1))
        self.me = -1
        self.turns = 0
        self.action_token = ""
        self.force = -1  # GA-14: who chooses the opponent's next action
        self.force_used = self.force_skipped = False  # in this turn
        self.rows_used: set[int] = set()
        self.rows_of_bonuses: set[int] = set()
        self.placed = ""  # the space of the action's last token, for what is to lie next to it

    @staticmethod
    def _space(r: int, c: int) -> str:
        return f"{'abcdef'[c]}{r + 1}"

    # --- what the contract asks -------------------------------------------------------------------------------------

    def turn(self) -> int:
        return self.ask.seat

    def moves(self) -> set[str]:
        return set(self.ask.choices)

    def chances(self) -> dict[str, Fraction]:
        return self.ask.choices

    def apply(self, text: str) -> None:
        self.ask = self.script.send(text if self.ask.seat == CHANCE else self.ask.choices[text])

    def _draw(self, phase: str, outcomes: Iterable[str]) -> Script:
        """Chance: each of these is as likely."""
        found = list(outcomes)
        return (yield Ask(phase, CHANCE, dict.fromkeys(found, Fraction(1, len(found)))))

    # --- setting up -------------------------------------------------------------------------------------------------

    def _game(self) -> Script:
        first_tile = yield from self._draw("quarter", [f"cabaret tile {i + 1}" for i in range(4)])
        while True:
            yield from self._one_game(first_tile)
            if self.winner is not None or not self.play_off or self.games == 8:
                break
            first_tile = yield from self._draw("quarter", [f"cabaret tile {i + 1}" for i in range(4)])
            self.games += 1
            self.seen["GA-23 another game"] += 1
            self._begin()
        yield Ask("over", OVER, {})

    def _one_game(self, first_tile: str) -> Script:
        yield from self._lay_the_cabaret(first_tile)
        yield from self._turn_up_characters()
        flip = yield from self._draw("flip", ("seat 1 starts", "seat 2 starts"))  # GA-8
        first = int(flip.split()[1]) - 1
        yield from self._second_player_prepares(1 - first)
        self.me = first
        while True:
            yield from self._turn()
            if (yield from self._end_of_turn()):
                break
            self.me = 1 - self.me
        yield from self._show_what_was_taken()

    def _lay_the_cabaret(self, first_tile: str) -> Script:
        """GA-3, GA-6: quarter by quarter, not turned."""
        half = self.size // 2
        for top, left in ((0, 0), (0, half), (half, 0), (half, half)):
            names = [f"cabaret tile {i + 1}" for i in range(4) if i not in self.quarters]
            tile = (yield from self._draw("quarter", names)) if self.quarters else first_tile
            number = int(tile.split()[2]) - 1
            self.quarters.append(number)
            for r, row in enumerate(self.cabaret_tiles[number]):
                for c, printed in enumerate(row):
                    if printed == "star":
                        self.stars.add(self._space(top + r, left + c))
                    elif printed != "-":
                        self.bonuses[self._space(top + r, left + c)] = printed

    def _turn_up_characters(self) -> Script:
        """GA-7: turn up the outer characters; the one with more prestige belongs at the top, or in the first row."""
        floors, tracks = self.places["Finance"], self.places["Racetrack"]
        for slot in ("ne", "nw", floors[0], floors[-1], tracks[0], tracks[-1]):
            yield from self._see("character", slot)
            self.up.add(slot)
        for low, high in ((floors[0], floors[-1]), (tracks[-1], tracks[0])):
            self.seen["GA-7 equal"] += self._worth(low) == self._worth(high)
            if self._worth(low) > self._worth(high):
                self.seen["GA-7 change places"] += 1
                self._exchange(low, high)

    def _worth(self, slot: str) -> int:
        return self.prestige[self.face[slot]]

    def _see(self, phase: str, slot: str) -> Script:
        """Let a player see the face of a character; the first time it is drawn."""
        if slot in self.face:
            yield from self._draw(phase, (self.face[slot],))
        else:
            self.face[slot] = yield from self._draw(phase, self.unseen)
            self.unseen.remove(self.face[slot])
        who = {"look": self.me, "claim": self.owner.get(slot, EVERYBODY)}.get(phase, EVERYBODY)
        self.sights.append(Sight(who, (slot,), self.face[slot]))

    def _second_player_prepares(self, seat: int) -> Script:
        """GA-8."""
        self.me = seat
        yield from self._draw_tiles(seat, 2)
        space = yield Ask("start", seat, {space: space for space in self.cabaret})
        self._put(seat, space)
        if space in self.bonuses and self.setup_bonus:
            self.seen[f"GA-8 {self.bonuses[space]}"] += self._offered(self.bonuses[space])
            yield from self._bonus(self.bonuses[space])
        else:
            self.seen["GA-8 bonus lost"] += space in self.bonuses

    def _draw_tiles(self, seat: int, n: int) -> Script:
        """GA-8, GA-14: draw n tiles, keep one and discard the others unseen; if there are two then, choose one."""
        drawn = []
        for _ in range(n):
            tile = (yield from self._draw("draw", (f"tile {tile}" for tile in self._tiles("pile")))).split()[1]
            self.tile[tile] = ("hand", -1)
            drawn.append(tile)
        new = yield Ask("keep", seat, {f"keep {tile}": tile for tile in drawn})
        for tile in drawn:
            self.tile[tile] = ("discarded", seat)
        old = self._own_tile(seat)
        self.seen["GA-15 nothing set aside for a tile in use"] += bool(self._tiles("in use")) and not old
        if old:
            self.tile[new] = ("kept", -1)
            stays = yield Ask("stay", seat, {f"keep {tile}": tile for tile in (old, new)})
            self.seen["GA-14 the old tile stays" if stays == old else "GA-14 the new tile stays"] += 1
            if stays == old:
                self.tile[new] = ("hidden aside", seat)  # GA-24: straight from a draw
            else:
                self.tile[old] = ("aside", seat)
                self.tile[new] = ("space", seat)
        else:
            self.tile[new] = ("space", seat)

    def _tiles(self, where: str, seat: int = -1) -> list[str]:
        return [tile for tile, at in self.tile.items() if at == (where, seat)]

    def _own_tile(self, seat: int) -> str:
        return next(iter(self._tiles("space", seat)), "")

    # --- a turn -----------------------------------------------------------------------------------------------------

    def _turn(self) -> Script:
        me = self.me
        actions = {action: action for action, parts in MAIN.items() if action != self.action_token and self._any(parts)}
        tile = self._own_tile(me)
        if tile and self._any(SPECIAL[tile]):
            actions["special"] = "special"
        self.seen["GA-9 tile of no use"] += bool(tile) and "special" not in actions
        if self.force == 1 - me:  # GA-14: the other player chooses
            self.seen["GA-14 forced"] += 1
            action = yield Ask("forced", 1 - me, actions)
            self.seen["GA-14 forced special"] += action == "special"
        else:
            action = yield Ask("action", me, actions)
        self.action_token = action
        self.force = -1
        self.force_used = self.force_skipped = False
        self.rows_used = set()
        self.rows_of_bonuses = set()
        self.placed = ""
        if action == "special":  # GA-15
            self.tile[tile] = ("in use", -1)
            self.seen[f"GA-16 {tile}"] += 1
        for part in SPECIAL[tile] if action == "special" else MAIN[action]:
            if self._possible(part):  # GA-25
                self.seen["GA-9 beside a token moved meanwhile"] += part == "next" and self.tokens[self.placed] != me
                yield from self._part(part)
            else:
                self.seen[f"GA-25 left out: {part}"] += 1
                self.seen["GA-13"] += part not in ("finance", "swap", "blind exchange") and not self.supply[me]

    def _any(self, parts: Iterable[str]) -> bool:
        """GA-9: an action no part of which is possible at that moment cannot be chosen."""
        before, self.placed, self.rows_used = (self.placed, self.rows_used), "", set()
        found = any(self._possible(part) for part in parts)
        self.placed, self.rows_used = before
        return found

    def _possible(self, part: str) -> bool:
        if part == "finance":
            return self.level[self.me] < self.top
        if part == "swap":
            return {0, 1} <= set(self.tokens.values())
        if part == "blind exchange":
            return len(self._on_board()) > 1
        return self.supply[self.me] > 0 and bool(self._room(part))  # GA-13

    def _room(self, part: str) -> dict[str, str]:
        """Return where a token can be placed: text -> space."""
        if part == "cabaret":  # GA-10
            return {
                s: s for s in self.cabaret if s not in self.tokens and any(n in self.tokens for n in self._beside(s))
            }
        if part == "anywhere":
            return {space: space for space in self.cabaret if space not in self.tokens}
        if part == "next":  # GA-9: next to the space of the one before
            return {space: space for space in self._beside(self.placed) if space not in self.tokens}
        if part == "place":
            return self._room("cabaret") | self._room("race")
        rows = [r for r in range(len(self.rows)) if f"track{r + 1}" not in self.owner]  # GA-12: open
        if part == "gap":
            return {space: space for r in rows for space in self._empty(r)}
        if part == "other row":
            rows = [r for r in rows if r not in self.rows_used]
        if part == "same row":
            rows = [r for r in rows if r in self.rows_used]
        return {f"row {r + 1}": self._empty(r)[0] for r in rows if self._empty(r)}

    def _beside(self, space: str) -> list[str]:
        """Orthogonally next to it."""
        if not space:
            return []
        r, c = self.cabaret[space]
        near = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
        return [self._space(y, x) for y, x in near if 0 <= y < self.size and 0 <= x < self.size]

    def _empty(self, row: int) -> list[str]:
        """GA-12: from the left."""
        return [space for space in self.rows[row] if space not in self.tokens]

    def _part(self, part: str) -> Script:
        if part == "finance":
            yield from self._climb()
        elif part == "swap":
            yield from self._swap()
        elif part == "blind exchange":
            one, other = yield from self._choose_two("swap")
            self._exchange(one, other)
        else:
            yield from self._place(part)

    def _place(self, part: str) -> Script:
        """A token is placed, and the bonus there is taken at once (GA-25)."""
        room = self._room(part)
        if part == "same row":  # S8: there is nothing to decide
            (space,) = room.values()
            self.seen["GA-16 S8 not beside its first"] += self._beside_in_row(space, -1) != self.placed
        else:
            space = yield Ask(PHASE[part], self.me, room)
        self._put(self.me, space)
        left, right = self._beside_in_row(space, -1), self._beside_in_row(space, 1)
        self.seen["GA-16 S11 leaves a gap"] += part == "gap" and bool(left) and left not in self.tokens
        self.seen["GA-12 a gap is filled"] += part != "gap" and right in self.tokens
        rows = {r for r, row in enumerate(self.rows) if space in row}
        if part == "place":  # GA-9: a bonus's token is not one of the action's
            self.rows_of_bonuses |= rows
        else:
            self.placed = space
            self.rows_used |= rows
            self.seen["GA-9 D on a row of a bonus"] += part == "other row" and bool(rows & self.rows_of_bonuses)
        if space in self.bonuses:
            yield from self._bonus(self.bonuses[space])

    def _beside_in_row(self, space: str, step: int) -> str:
        """Return the space of the Racetrack to the left (-1) or right (1), "" at the end of a row."""
        for row in self.rows:
            if space in row and 0 <= row.index(space) + step < len(row):
                return row[row.index(space) + step]
        return ""

    def _put(self, seat: int, space: str) -> None:
        self.tokens[space] = seat
        self.supply[seat] -= 1

    def _climb(self) -> Script:
        """GA-11: make the whole step, then its bonuses, from the lowest up (GA-25)."""
        me = self.me
        before = self.level[me]
        self.level[me] = min(before + (1 if before >= self.level[1 - me] else 2), self.top)
        self.seen["GA-11 two levels"] += self.level[me] == before + 2
        gained = []
        for level in range(before + 1, self.level[me] + 1):
            if level in self.level_bonus:
                gained.append(self.level_bonus[level])
            elif self.under.get(level) and f"level{level}" in self.owner:  # GA-14: once it has been taken
                gained.append(self.under[level])
                self.seen[f"GA-14 under floor {level}"] += 1
        self.seen["GA-25 two bonuses of one step"] += len(gained) > 1
        for bonus in gained:
            yield from self._bonus(bonus)

    # --- bonuses ----------------------------------------------------------------------------------------------------

    def _bonus(self, bonus: str) -> Script:
        """GA-14: optional. GA-25: one that can bring nothing is not offered."""
        if not self._offered(bonus):
            self.seen[f"GA-25 not offered: {bonus}"] += 1
            return
        me = self.me
        if not (yield Ask("bonus", me, {f"take {bonus}": True, f"skip {bonus}": False})):
            self.seen["GA-14 skipped"] += 1
            self.force_skipped |= bonus == "force"
            return
        self.seen[f"GA-14 {bonus}"] += 1
        self.seen["GA-14 force after one skipped"] += bonus == "force" and self.force_skipped
        if bonus == "peek":
            yield from self._peek()
        elif bonus == "finance":
            yield from self._climb()
        elif bonus == "force":
            self.force = me
            self.force_used = True
        elif bonus == "place":
            yield from self._place("place")
        elif bonus == "swap":
            yield from self._swap()
        else:
            assert bonus == "special"
            yield from self._draw_tiles(me, min(3, len(self._tiles("pile"))))

    def _offered(self, bonus: str) -> bool:
        if bonus == "peek":
            return len(self._on_board()) > 1
        if bonus == "force":
            return not self.force_used
        if bonus == "special":
            return bool(self._tiles("pile"))
        return self._possible(bonus)

    def _on_board(self) -> list[str]:
        return [slot for slot in self.slots if slot not in self.owner]

    def _choose_two(self, verb: str) -> Script:
        pairs = combinations(self._on_board(), 2)
        return (yield Ask("pair", self.me, {f"{verb} {one} {other}": (one, other) for one, other in pairs}))

    def _peek(self) -> Script:
        one, other = yield from self._choose_two("peek")
        self.seen[f"GA-14 peek at {len({one, other} & self.up)} face up"] += 1
        for slot in (one, other):
            if slot not in self.up:
                self.seen["GA-14 peek at what has been seen"] += slot in self.face
                yield from self._see("look", slot)
        really = yield Ask("exchange", self.me, {"swap": True, "no swap": False})
        who = EVERYBODY if {one, other} & self.up else self.me  # GA-14: if both are face down, only the one who peeks
        self._exchange(one, other, who, really)

    def _exchange(self, one: str, other: str, who: int = EVERYBODY, really: bool = True) -> None:
        """GA-14: exchange two characters; each stays face up or face down."""
        self.sights.append(Sight(who, (one, other), "", really))
        if not really:
            return
        if len({one, other} & self.up) == 1:
            self.up ^= {one, other}
        faces = {slot: self.face.pop(slot) for slot in (one, other) if slot in self.face}
        self.face |= {other if slot == one else one: face for slot, face in faces.items()}

    def _swap(self) -> Script:
        """GA-14: choose the player's own token, then the opponent's; no bonuses."""
        me = self.me
        mine = yield Ask("own", me, {f"swap {space}": space for space, seat in self.tokens.items() if seat == me})
        other = yield Ask("other", me, {f"with {space}": space for space, seat in self.tokens.items() if seat != me})
        self.tokens[mine], self.tokens[other] = 1 - me, me
        self.seen["GA-14 swap between two places"] += (mine in self.cabaret) != (other in self.cabaret)
        self.seen["GA-14 swap on a full row"] += any(
            mine in row and not self._empty(r) for r, row in enumerate(self.rows)
        )

    # --- the end of a turn ------------------------------------------------------------------------------------------

    def _end_of_turn(self) -> Script:
        """GA-15, GA-17 to GA-23; whether the game is over."""
        for tile in self._tiles("in use"):
            self.tile[tile] = ("gone", -1)
        winners = {slot: self._rallied(slot) for slot in self._on_board()}
        for slot, winner in winners.items():
            if winner is not None:
                self.owner[slot] = winner
                self.seen[f"{self._clause(slot)} {'active' if winner == self.me else 'other'} player"] += 1
                if slot.startswith("track"):  # GA-20: the tokens go back
                    for space in self.rows[int(slot[5:]) - 1]:
                        self.supply[self.tokens.pop(space)] += 1
        for slot, winner in winners.items():
            if winner is not None and slot not in self.up:  # GA-21
                self.seen["GA-21"] += 1
                yield from self._see("claim", slot)
        self.turns += 1
        return self._judge()

    @staticmethod
    def _clause(slot: str) -> str:
        return {"ne": "GA-17", "nw": "GA-17", "stars": "GA-18"}.get(slot, "GA-19" if slot[0] == "l" else "GA-20")

    def _rallied(self, slot: str) -> int | None:
        me = self.me
        if slot == "ne" or slot == "nw":  # GA-17
            joined = [self._has_path(seat, slot == "ne") for seat in (0, 1)]
            self.seen["GA-17 both"] += all(joined)
            return me if joined[me] else 1 - me if joined[1 - me] else None
        if slot == "stars":  # GA-18
            return next((seat for seat in (0, 1) if all(self.tokens.get(star) == seat for star in self.stars)), None)
        if slot.startswith("level"):  # GA-19
            level = int(slot[5:])
            return next((seat for seat in (me, 1 - me) if self.level[seat] >= level), None)
        row = self.rows[int(slot[5:]) - 1]  # GA-20
        if any(space not in self.tokens for space in row):
            return None
        return int(sum(self.tokens[space] for space in row) > len(row) // 2)

    def _has_path(self, seat: int, downwards: bool) -> bool:
        """GA-17: a chain from row 0 to the last row, or from column 0 to the last column."""
        axis = 0 if downwards else 1
        own = {space for space, whose in self.tokens.items() if whose == seat and space in self.cabaret}
        reached = {space for space in own if self.cabaret[space][axis] == 0}
        growing = list(reached)
        while growing:
            for space in self._beside(growing.pop()):
                if space in own and space not in reached:
                    reached.add(space)
                    growing.append(space)
        return any(self.cabaret[space][axis] == self.size - 1 for space in reached)

    def _judge(self) -> bool:
        have = [self._has_season(seat) for seat in (0, 1)]
        if any(have):  # GA-22: the active player first
            self.winner = self.me if have[self.me] else 1 - self.me
            self.seen[f"GA-22 {have[self.winner]}, {'active' if self.winner == self.me else 'other'} player"] += 1
            self.seen["GA-22 both"] += all(have)
            return True
        empty = [place for place, slots in self.places.items() if all(slot in self.owner for slot in slots)]
        if not empty:
            return False
        self.seen.update(f"GA-23 {place}" for place in empty)
        scores, numbers = self.scores(), [len(self._taken(seat)) for seat in (0, 1)]  # GA-23
        if scores[0] != scores[1]:
            self.winner = int(scores[1] > scores[0])
        elif numbers[0] != numbers[1]:
            self.winner = int(numbers[1] > numbers[0])
            self.seen["GA-23 more characters"] += 1
        else:
            self.seen["GA-23 draw"] += 1
        return True

    def _has_season(self, seat: int) -> str:
        """GA-22: "" when the player has neither."""
        suits = Counter(self.face[slot].split("-")[0] for slot in self._taken(seat))
        return "a suit" if 3 in suits.values() else "five suits" if len(suits) == len(SUITS) else ""

    def _taken(self, seat: int) -> list[str]:
        return [slot for slot in self.slots if self.owner.get(slot) == seat]

    def _show_what_was_taken(self) -> Script:
        """GA-24: everything taken or set aside is shown when the game is over."""
        for slot in self.slots:
            if slot in self.owner and slot not in self.up:
                yield from self._see("reveal", slot)
                self.up.add(slot)
        for seat in (1, 0):
            while hidden := self._tiles("hidden aside", seat):  # in any order
                self.seen["GA-24 two tiles hidden"] += len(hidden) > 1
                tile = (yield from self._draw("reveal", (f"tile {tile}" for tile in hidden))).split()[1]
                self.tile[tile] = ("aside", seat)

    # --- facts and the end ------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, object]:
        return {
            "phase": self.ask.phase,
            "quarters": self.quarters,
            "tokens": self.tokens,
            "supply": self.supply,
            "levels": self.level,
            "faces": self.face,
            "face up": self.up,
            "taken": self.owner,
            "tiles": self.tile,
            "action": self.action_token,
            "turns": self.turns,
            "games": self.games,
            "tiles known": {tile: self._who_knows(*at) for tile, at in self.tile.items()},
            "force to come": self.force >= 0,
        }

    def _who_knows(self, where: str, seat: int) -> set[int]:
        """GA-24: return which seats (and a spectator, -1) know where a tile is."""
        if where in ("hand", "kept"):
            return {self.me}
        if where in ("hidden aside", "discarded"):
            return {seat}
        return set() if where == "pile" else {-1, 0, 1}

    def scores(self) -> list[int]:
        """GA-23: characters, the tile on the space, tiles set aside."""
        found = []
        for seat in (0, 1):
            tiles = sum(len(self._tiles(where, seat)) for where in ("space", "aside", "hidden aside"))
            found.append(sum(self._worth(slot) for slot in self._taken(seat)) + tiles)
        return found

    def returns(self) -> list[Fraction]:
        """GA-23: half a win each in a draw."""
        if self.winner is None:
            return [Fraction(1, 2)] * 2
        return [Fraction(seat == self.winner) for seat in (0, 1)]
