"""The first steps at a table of Fortune: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "rope",
        "The goal is the highest total, once a player has crossed the finish line, where this rope ends.",
        "FO-25",
    ),
    (
        "card",
        "Each turn begins with a card, which changes this turn and no other.",
        "FO-4",
    ),
    (
        "tray",
        "Roll all eight dice, then stop, or re-roll any two or more of them, as often as you dare.",
        "FO-6",
    ),
    (
        "skulls",
        "Skulls stay where they are, and three end your turn without points; but four in your first "
        "roll cost all other players points.",
        "FO-7",
    ),
    (
        "worth",
        "Stopping now would score this: sets of three or more, and 100 for each gold coin and diamond.",
        "FO-9",
    ),
    (
        "rope",
        "When a player ends a turn across the finish line, each other player has one more turn; then the "
        "highest total wins.",
        "FO-26",
    ),
)
