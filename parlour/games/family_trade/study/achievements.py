"""What is worth achieving in Family Trade: the ways to go out, and what makes a hand worth more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parlour.core.contract import Achievement, Step
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.study import events as e

ACHIEVEMENTS = (
    Achievement("drawn", "Out by yourself", "Go out with the card that you drew.", "FT-13"),
    Achievement("claimed", "From the dump", "Go out with a card that another player discarded.", "FT-12"),
    Achievement("make", "Market maker", "With a Market Make, raise a good of which you hold three.", "FT-9"),
    Achievement("raise", "A better price", "Roll a die again after going out, and earn more for it.", "FT-14"),
    Achievement("again", "Dealer again", "Go out as dealer once more, and have your total multiplied.", "FT-16"),
    Achievement("jackpot", "Jackpot", "Take the Jackpot.", "FT-14"),
    Achievement("nine", "Nine alike", "Go out with nine identical cards.", "FT-15"),
)


def achieved(steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
    """Yield what each step achieved."""
    worth = 0  # of the hand, before a die is rolled again
    for at, step in enumerate(steps):
        before, after = step.before, step.after
        if step.action == r.OUT and before.phase in (r.TURN, r.ASK) and after.winner != r.NOBODY:
            seat = before.player if before.phase == r.TURN else before.asked
            yield "drawn" if before.phase == r.TURN else "claimed", seat, at
            found = e.events(before, step.action)
            for bit, key in ((e.MULTIPLIED, "again"), (e.NINE, "nine")):
                if found & bit:
                    yield key, seat, at
        elif before.phase == r.MAKE and r.UP <= step.action < r.DOWN:
            if before.hand[before.player][step.action - r.UP] >= 3:
                yield "make", before.player, at
        elif before.phase == r.REROLL and step.action >= r.AGAIN:
            worth = r.total(before)
        elif before.phase == r.ROLL and before.winner != r.NOBODY and before.rerolled != r.NONE and after.worth > worth:
            yield "raise", before.winner, at
        if before.jackpot and not after.jackpot:
            yield "jackpot", after.last, at
