"""The bots that the keeper of a house brought: they think in processes of their own, so that no known bot waits for a
slow one, or ends with one that takes its process down."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from parlour.bots import View
from parlour.bots.offered import LONGEST, Offered, offer
from parlour.bots.own import BotFault
from parlour.bots.program import MEMORY
from parlour.core.match import Match
from parlour.house.errors import NoAnswer
from parlour.house.workers.pool import Workers

TRIES = 2  # another bot may have ended the process that they shared


class Custom:
    """Asks these bots; as `Workers`, within a turn of its `workers`."""

    def __init__(self, offers: Sequence[Offered], count: int) -> None:
        self.workers = Workers(count, memory=MEMORY)
        self._offers = tuple(offers)

    async def choose(self, match: Match, seat: int, name: str, place: str) -> int:
        """Return the action that a bot chooses for `seat`, whose turn it is, at a `place` (its table and seat). Call it
        within a turn, with a copy of the match, as `Workers.choose`. Raises BotFault, including for a bot that the
        house no longer has."""
        one = offer(match.game, name, self._offers)
        if one is None:
            raise BotFault(f"This house doesn't offer the bot {name!r} any more.")
        view = await asyncio.to_thread(View.of, match, seat)
        try:
            return await self.workers.insist(TRIES, name, _choose, view, one.runs, place, limit=LONGEST)
        except NoAnswer:
            raise BotFault(f"{one.runs} ended its process, or took longer than {LONGEST:g} s.") from None


def _choose(view: View, runs: str, place: str) -> int:
    from parlour.bots import offered

    return offered.choose(view, runs, place)
