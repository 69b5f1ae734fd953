"""Family Trade: what is in the box. Cards of one kind are interchangeable, so a hand is counts
by kind."""

from __future__ import annotations

SEATS = 4
N_GOODS = 8  # FT-1
GOODS = ("diamond", "gold", "real estate", "shares", "oil", "shrimp", "crypto", "currency")
MARKET_MAKE = 8  # FT-9: the ninth kind of card
N_KINDS = 9
N_STEPS = 10  # FT-2: of the ladder
N_FACES = 6
ALL_DICE = (1 << N_GOODS) - 1
MAX_CARDS = 127
LARGEST = 15  # cards of one good
DEALT_CARDS = (8, 8, 2)  # FT-7, FT-21: to each player, by ruleset
