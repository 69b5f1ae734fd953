"""The first steps at a table of Gatsby: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    ("people", "Win over people: three of one suit, or one of each of the five suits, and you have won.", "GA-22"),
    (
        "actions",
        "Each turn move the token to one of four actions, only not where it lies now, and carry that out.",
        "GA-9",
    ),
    ("cabaret", "In the Cabaret a chain of your tokens from edge to edge wins the person at its end.", "GA-17"),
    ("finance", "In Finance your climber goes up, faster when it is behind, and wins whom it reaches.", "GA-11"),
    ("track", "On the Racetrack a full row goes to whoever has more tokens on it.", "GA-20"),
    ("special0", "A Special tile is an extra, once. It is worth a little if you keep it to the end.", "GA-15"),
)
