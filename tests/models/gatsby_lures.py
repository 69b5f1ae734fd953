"""What a walk through Gatsby must reach (RARE), and how it is lured there.

Each game has a plan; of the moves and outcomes that are possible one that serves it is taken, so
nothing happens that could not.
"""

from __future__ import annotations

from random import Random

RARE = (
    "GA-7 change places", "GA-7 equal", "GA-8 bonus lost", "GA-8 peek", "GA-8 finance",
    "GA-8 force", "GA-9 tile of no use",
    "GA-9 beside a token moved meanwhile", "GA-9 D on a row of a bonus", "GA-11 two levels",
    "GA-12 a gap is filled", "GA-13", "GA-14 skipped", "GA-14 peek", "GA-14 finance", "GA-14 force",
    "GA-14 place", "GA-14 swap",
    "GA-14 special", "GA-14 under floor 3", "GA-14 under floor 6", "GA-14 under floor 9", "GA-14 forced",
    "GA-14 forced special", "GA-14 force after one skipped", "GA-14 peek at 0 face up", "GA-14 peek at 1 face up",
    "GA-14 peek at 2 face up", "GA-14 peek at what has been seen", "GA-14 swap between two places",
    "GA-14 swap on a full row", "GA-14 the old tile stays", "GA-14 the new tile stays",
    "GA-15 nothing set aside for a tile in use", *(f"GA-16 S{number}" for number in range(1, 12)),
    "GA-16 S11 leaves a gap",
    "GA-16 S8 not beside its first", "GA-17 active player", "GA-17 other player", "GA-17 both",
    "GA-18 active player", "GA-18 other player", "GA-19 active player", "GA-20 active player", "GA-20 other player",
    "GA-21", "GA-22 a suit, active player", "GA-22 a suit, other player", "GA-22 five suits, active player",
    "GA-22 five suits, other player", "GA-23 Cabaret", "GA-23 Finance", "GA-23 Racetrack",
    "GA-23 more characters", "GA-23 draw", "GA-23 another game", "GA-24 two tiles hidden",
    "GA-25 two bonuses of one step",
    "GA-25 left out: cabaret", "GA-25 left out: next", "GA-25 left out: race", "GA-25 left out: other row",
    "GA-25 left out: same row", "GA-25 left out: finance", "GA-25 not offered: finance", "GA-25 not offered: force",
    "GA-25 not offered: place", "GA-25 not offered: special",
)  # fmt: skip


class Lures:
    """The part of the model that seeks the corners (`contract.Luring`); it is mixed into it."""

    plan = ""  # what this game is after

    def lure(self, choices: list[str], rng: Random) -> str | None:
        """Toward tiles set aside, gaps, paths that a swap joins, and forces: no simple walk gets there often."""
        toward = {
            "tiles": self._toward_tiles, "gaps": self._toward_gaps,
            "paths": self._toward_paths, "forces": self._toward_forces, "anything": lambda _: [],
        }  # fmt: skip
        self.plan = self.plan or rng.choice(list(toward))
        wanted = toward[self.plan](choices)
        found = [text for text in wanted if text in choices]
        return rng.choice(found) if found and rng.random() < 0.9 else None

    def _toward_tiles(self, choices: list[str]) -> list[str]:
        """GA-24: lead a player to keep their first tile, and to set those of two bonuses aside."""
        last = len(self._empty(1)) == 1  # row 2: the special bonus is on its last space
        if not self._own_tile(self.ask.seat):
            return [
                "skip special",
                *([text for text in choices if text.startswith("row") and text != "row 2"] if last else ["row 2"]),
            ]
        return ["take special", "row 2", "B", "C", "D", f"keep {self._own_tile(self.ask.seat)}"]

    def _toward_gaps(self, choices: list[str]) -> list[str]:
        """GA-16: S11 leaves a gap that no one fills until S8 is used; S6 waits for the top (GA-25)."""
        if self.ask.phase in ("draw", "keep", "stay", "bonus"):
            return ["take special", *(f"{verb} {tile}" for verb in ("tile", "keep") for tile in ("S8", "S11", "S6"))]
        if self.ask.phase == "action":
            soon = self._own_tile(self.me) != "S6" or self.level[self.me] == self.top - 1
            return ["special"] if soon else [text for text in choices if text != "special"]
        empty = {f"row {r + 1}": self._empty(r)[:2] for r in range(len(self.rows))}
        if self.ask.phase == "gap":
            return [two[1] for two in empty.values() if two[1:]]
        gaps = {row for row, two in empty.items() if two[1:] and self._beside_in_row(two[0], 1) != two[1]}
        return [text for text in choices if (text in gaps) == (self.ask.phase == "row")] if gaps else []

    def _toward_paths(self, choices: list[str]) -> list[str]:
        """GA-17: each holds the end of the other's path, until a swap gives both theirs at once."""
        last = self.size
        ends = {f"a{last}", f"b{last}"}
        if self.ask.phase in ("own", "other"):
            return [text for text in choices if text.split()[-1] in ends]
        own, other = ("ab", "ba")[self.ask.seat]
        return ["take swap", "A", *(f"{own}{row}" for row in range(1, last)), f"{other}{last}"]

    def _toward_forces(self, choices: list[str]) -> list[str]:
        """GA-14: two forces in one turn, the one under a floor and one on the board, the first of them skipped."""
        if "skip force" in choices:
            return ["take force" if self.force_skipped else "skip force"]
        floor = next((level for level, bonus in self.under.items() if bonus == "force"), self.top)
        ready = f"level{floor}" in self.owner and self.level[self.me] < floor <= self.level[self.me] + 2
        spaces = {space for space, bonus in self.bonuses.items() if bonus == "force"}
        there = [text for text in choices if {text, *self._empty_of(text)} & spaces]
        return ["B", "C", *there] if ready else [text for text in choices if text not in there]

    def _empty_of(self, text: str) -> list[str]:
        """Return the space that "row 2" means."""
        return self._empty(int(text[4]) - 1)[:1] if text.startswith("row") else []
