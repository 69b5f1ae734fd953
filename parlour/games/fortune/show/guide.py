"""The first steps at a table of Fortune: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    ("rope", "The goal: the highest total, once somebody has crossed the finish line, where this rope ends.", "FO-25"),
    ("card", "Each turn has a card, turned over first. It changes this turn, and only this one.", "FO-4"),
    ("tray", "Roll all eight dice. Then stop, or re-roll any two or more of them, as often as you dare.", "FO-6"),
    (
        "skulls",
        "A skull stays where it is. With three you are disqualified, and the turn scores "
        "nothing. Four at the first roll: the Island of Skulls.",
        "FO-7",
    ),
    ("worth", "What stopping now would score: sets of three or more, and 100 for each gold coin and diamond.", "FO-9"),
    ("others", "Cross the finish line, and each other player has one more turn. Then the highest total wins.", "FO-26"),
)
