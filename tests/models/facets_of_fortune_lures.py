"""What a walk through Facets of Fortune must reach (RARE), and how it is lured there.

A game at random takes some 150 turns; no player corners a market, no two markets crash for good
together, and no players tie. Here each game has a plan; of the possible moves and outcomes the one
that serves it is taken, so nothing impossible happens.
"""

from __future__ import annotations

from random import Random

RARE = (
    "FF-9 sold out", "FF-11 one market left", "FF-11 named under STOP", "FF-11 named under STOP, stays",
    "FF-12", "FF-13 stopped",
    "FF-13 several crash by one All", "FF-14", "FF-14 another's stays", "FF-15", "FF-15 after a STOP",
    "FF-17 fewer than three kept of more", "FF-17 reshuffled", "FF-18 wild", "FF-19", "FF-20", "FF-21 two open",
    "FF-21 closed and open", "FF-21 not under STOP", "FF-22 tie", "FF-22 lost", "FF-22 won", "FF-22 all there are",
    "FF-22 plain pick", "FF-23 extra bought", "FF-23 extra placed in a later turn", "FF-23 two on one market",
    "FF-23 not beside his own", "FF-24 unusable", "FF-24 wild", "FF-24 free gem of a closed market",
    "FF-25 opening", "FF-25 extra cards", "FF-25 refill", "FF-25 a kept triple does not pay", "FF-25 closed market",
    "FF-26 owned gems lost", "FF-27", "FF-27 last markets together", "FF-27 tie", "FF-28", "FF-28 in a heist",
)  # fmt: skip


class Lures:
    """The part of the model that seeks the corners (`contract.Luring`); it is mixed into it."""

    plan = ""  # what this game is after

    def lure(self, choices: list[str], rng: Random) -> str | None:
        """Toward corners, common crashes, and STOPs at the top: no simple walk gets there."""
        if not self.plan:
            self.plan = rng.choice(("anything", "a corner", "a crash of all", "a STOP"))
            self.hero = rng.randrange(len(self.players))
            self.wanted, self.cash = rng.sample(sorted(self.markets), 2)
        mine = self.players[self.me]
        if self.phase == "play" and mine.stop and mine.extra_stop:  # FF-23: to be placed in a later turn
            now = mine.bought_in == self.turns
            return rng.choice([t for t in choices if t in ("end", "discard") or (not now and t.startswith("stop"))])
        if self.turns > 40 and self.phase == "roll":  # the game has shown what it has: on to the end
            return next((f"roll {gem} +2" for gem in ("all", *self.open()) if f"roll {gem} +2" in choices), None)
        if self.plan == "anything" or rng.random() < (0.01 if self.plan == "a crash of all" else 0.1):
            return None
        if self.plan == "a crash of all":
            wanted = ["roll all +2", "roll all +1", "end"]
        else:
            wanted = self._toward_a_stop() if self.plan == "a STOP" else self._toward_a_corner()
        return next((text for text in wanted if text in choices), None)

    def _high(self, colour: str) -> bool:
        """Return whether a market is at one of the three highest prices."""
        return self.markets[colour].price > len(self.ladder) - 4

    def _toward_a_stop(self) -> list[str]:
        """FF-13: a market goes up, has a STOP, and goes up again."""
        wanted = self.wanted
        if self._high(wanted) and not self.markets[wanted].stops:
            return ["buy stop", f"stop {wanted}", f"roll {wanted} -1"]
        return [f"roll {wanted} +2", f"roll {wanted} +1", f"name {wanted}"]

    def _toward_a_corner(self) -> list[str]:
        """FF-28: one player gathers the wanted colour, and pays by selling another one dear; the others have a few."""
        wanted, cash, hero = self.wanted, self.cash, self.players[self.hero]
        left = self.markets[wanted].gems
        if self.phase == "draw":
            if self.dealt_to != self.hero:
                return [f"card {wanted}-1"]
            kinds = [f"{wanted}-3", f"free-{wanted}", f"{cash}-3", f"{cash}-2"]
            return [f"card {kind}" for kind in (kinds if hero.money > 1_000_000 else kinds[::-1]) if left] + [
                "card heist"
            ]
        if self.phase == "roll":
            return [f"roll {wanted} -1"] if self._high(cash) else [f"roll {cash} +2", f"roll {cash} +1"]
        if self.phase in ("attack", "defend"):
            return ["heist 6"] if self.phase == "attack" else ["heist 1"]
        if self.me != self.hero:
            some = self.players[self.me].gems[wanted]
            return ["end"] if some else [f"play {wanted}-1", f"buy 1 {wanted}", "end"]
        if self.phase == "rival":
            return [f"heist {seat + 1}" for seat, player in enumerate(self.players) if player.gems[wanted]]
        plays = [f"play {wanted}-3", f"play free-{wanted}", f"play {cash}-3", f"play {cash}-2", "discard"]
        if hero.money > 1_500_000:  # FF-23
            plays = [f"stop {cash}", "buy stop", *plays]
        trades = [f"buy {n} {wanted}" for n in (3, 2, 1)]
        trades += [f"{'sell' if self._high(cash) else 'buy'} {n} {cash}" for n in (3, 2, 1)]
        return [*([] if left else ["play heist"]), *plays, f"take {wanted}", *trades, f"free {wanted}"]
