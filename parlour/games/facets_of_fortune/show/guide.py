"""The first steps at a table of Facets of Fortune: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "ladders",
        "Buy gems low and sell them high: when all four markets have crashed, the most money wins.",
        "FF-27",
    ),
    (
        "dice",
        "Each turn begins with two dice: one names a gem, the other moves its Sell Price, the marker at the right.",
        "FF-11",
    ),
    (
        "hand",
        "Then play as many cards as you like: one with a colour buys up to its number of those gems, or sells them.",
        "FF-18",
    ),
    (
        "plates",
        "You buy the lowest gem first, at the price beside it; each gem that you sell brings the Sell Price.",
        "FF-10",
    ),
    (
        "market-emerald",
        "A Sell Price above 1,000,000 crashes its market, and its gems are lost; your STOP card, "
        "placed there, prevents that for a round.",
        "FF-23",
    ),
    (
        "acts",
        "At a turn's end you draw until you have three cards; if you own all ten gems of one colour, you win at once.",
        "FF-28",
    ),
)
