"""Whose bots think next: addresses take turns, and so do guests at each, regardless of their number of tables."""

from __future__ import annotations

import asyncio
from itertools import count

from parlour.house.workers.turns import Payer, Turns

X = Payer("", "x")


class Order:
    """The order in which guests were served; each is served as soon as a place is free. Every guest has an address of
    their own, except those `at` one."""

    def __init__(self, places: int = 1) -> None:
        self.turns = Turns(places)
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def want(self, guest: str, times: int = 1, *, urgent: bool = True, at: str = "") -> list[asyncio.Task[None]]:
        made = [asyncio.create_task(self._serve(Payer(at or guest, guest), urgent)) for _ in range(times)]
        self.tasks += made
        return made

    async def _serve(self, payer: Payer, urgent: bool) -> None:
        async with self.turns.take(payer, lambda: urgent):
            self.served.append(payer.guest)
            await asyncio.sleep(0)

    async def all(self) -> str:
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert (self.turns.taken, self.turns.waiting) == (0, 0)
        return "".join(self.served)


async def test_guests_take_turns() -> None:
    for at in ("", "one"):  # at addresses of their own, or all at one
        order = Order()
        async with order.turns.take(X):
            order.want("a", 200, at=at)
            await asyncio.sleep(0)
            order.want("b", 3, at=at)
            order.want("c", 1, at=at)
            await asyncio.sleep(0)
            assert order.turns.waiting == 204
        assert await order.all() == "abcabab" + "a" * 197


async def test_of_those_who_wait_nobody_is_served_twice_before_another_once() -> None:
    order = Order(places=3)
    guests = "abcdefghij"
    async with order.turns.take(X), order.turns.take(X), order.turns.take(X):
        for guest in guests:
            order.want(guest, 5)
        await asyncio.sleep(0)
    assert await order.all() == guests * 5


async def test_two_hundred_guests_at_one_address_have_one_turn_among_them() -> None:
    order = Order()
    async with order.turns.take(X):
        for number in range(200):
            order.want(f"<{number}>", at="theirs")
        await asyncio.sleep(0)
        order.want("a", 2, at="mine")
        order.want("b", at="mine")
        await asyncio.sleep(0)
    assert (await order.all()).startswith("<0>a<1>b<2>a<3><4>")


async def test_what_is_promised_of_how_many_come_before() -> None:
    """It is at most A * G - 1, for A addresses, with G guests at yours."""
    for addresses in (1, 2, 5):
        for guests in (1, 3):
            order, number = Order(), count()
            async with order.turns.take(X):
                for address in range(addresses):
                    for _ in range(guests if address == 0 else 40):
                        order.want(f"{next(number)} ", 4, at=f"address {address}")
                await asyncio.sleep(0)
            served = (await order.all()).split()
            assert max(served.index(str(mine)) for mine in range(guests)) <= addresses * guests - 1


async def test_those_for_whom_somebody_waits_come_first() -> None:
    order = Order()
    async with order.turns.take(X):
        order.want("a", 3, urgent=False)
        order.want("b", 2)
        order.want("c", 1, urgent=False)
        await asyncio.sleep(0)
    assert await order.all() == "bbacaa"


async def test_who_gives_up_holds_up_nobody() -> None:
    order = Order()
    async with order.turns.take(X):
        left = order.want("a", 3)
        order.want("b")
        await asyncio.sleep(0)
        for task in left[:2]:
            task.cancel()
        await asyncio.sleep(0)
        assert order.turns.waiting == 2
    assert await order.all() == "ab"


async def test_a_turn_that_comes_as_it_is_given_up_goes_to_the_next() -> None:
    order = Order()
    async with order.turns.take(X):
        (left,) = order.want("a")
        order.want("b")
        await asyncio.sleep(0)
    left.cancel()  # it was granted but has not run
    assert await order.all() == "b"
