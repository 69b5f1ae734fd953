"""The first steps at a table of Facets of Fortune: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    ("dice", "Your turn begins with two dice: one names a market, the other moves its Sell price.", "FF-11"),
    ("ladders", "A gem costs what stands beside it. Every gem sold brings the Sell price, at the marker.", "FF-10"),
    ("hand", "Play your cards, as many as you like: a number and a colour buys or sells up to so many gems.", "FF-18"),
    ("price-crash", "A market pushed above 1,000,000 crashes, and all its gems are lost. Sell in time.", "FF-26"),
    ("stakes", "What everybody owns lies open. All ten gems of one colour win on the spot.", "FF-28"),
    (
        "acts",
        "Done? End the turn; you draw up to three cards. When all markets are closed, the most money wins.",
        "FF-27",
    ),
)
