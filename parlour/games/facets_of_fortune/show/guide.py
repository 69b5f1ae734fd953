"""The first steps at a table of Facets of Fortune: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "ladders",
        "The goal: buy gems low, sell them high. When all four markets have crashed, the most money wins.",
        "FF-27",
    ),
    (
        "dice",
        "Each turn begins with two dice. One names a gem, the other moves its Sell Price: the marker at the right.",
        "FF-11",
    ),
    (
        "hand",
        "Then play cards, as many as you like. A number and a colour: buy up to so many gems, or sell them.",
        "FF-18",
    ),
    (
        "plates",
        "You buy the lowest gem first, at the price beside it. Each gem you sell brings the Sell Price.",
        "FF-10",
    ),
    (
        "price-crash",
        "Above 1,000,000 a market crashes and all its gems are lost. "
        "Your one STOP card, placed up here, holds it for a round.",
        "FF-23",
    ),
    (
        "acts",
        "Then end your turn; you draw until you have three cards. Or win on the spot: own all ten gems of one colour.",
        "FF-28",
    ),
)
