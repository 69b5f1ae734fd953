"""The first steps at a table of Fortune: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    ("card", "A card is turned over for each turn. It changes this turn, and only this one.", "FO-4"),
    ("tray", "All eight dice are rolled. Then roll any two or more of them again, as often as you dare.", "FO-6"),
    ("skulls", "A skull stays where it is. With the third the turn is over, and scores nothing.", "FO-7"),
    ("worth", "What the turn would score if it stopped now: sets of three or more, each coin, each diamond.", "FO-9"),
    ("acts", "So, each time: stop and keep it, or roll once more.", "FO-8"),
    ("rope", "Cross the finish line, and everybody else has one last turn. Then the highest total wins.", "FO-25"),
)
