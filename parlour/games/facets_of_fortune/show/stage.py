"""What one hears of Facets of Fortune, and what everyone watches: stones, coins, and a market that falls."""

from __future__ import annotations

SOUNDS = {
    "FF-13 event": "bell-5",  # a STOP holds
    "FF-15": "till+5",  # cards are bought
    "FF-17 chance": "card-5",  # the deck is shuffled
    "FF-18": "till",  # gems are bought or sold
    "FF-19": "gem+5",  # a gem for nothing
    "FF-21 event": "brass+2",  # a switch
    "FF-22 chance": "dice",  # a heist is rolled for
    "FF-22 event": "brass-3",  # how it went
    "FF-23": "chip",  # a STOP is bought or placed
    "FF-24": "gem",
    "FF-25 event": "till-4",  # the bank pays for three of a colour
    "FF-26 event": "crash",  # a market crashes
}
GREAT = ("FF-21 event", "FF-22 event", "FF-26 event")
