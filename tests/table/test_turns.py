"""Whose bots think next: guests take turns, however many tables each of them has."""

from __future__ import annotations

import asyncio

from parlour.table.house.turns import Turns


class Order:
    """Who was served, in what order; each is served as soon as there is a place."""

    def __init__(self, places: int = 1) -> None:
        self.turns = Turns(places)
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def want(self, guest: str, times: int = 1, *, urgent: bool = True) -> list[asyncio.Task[None]]:
        made = [asyncio.create_task(self._serve(guest, urgent)) for _ in range(times)]
        self.tasks += made
        return made

    async def _serve(self, guest: str, urgent: bool) -> None:
        async with self.turns.take(guest, lambda: urgent):
            self.served.append(guest)
            await asyncio.sleep(0)

    async def all(self) -> str:
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert (self.turns.taken, self.turns.waiting) == (0, 0)
        return "".join(self.served)


async def test_guests_take_turns() -> None:
    order = Order()
    async with order.turns.take("x"):
        order.want("a", 200)
        await asyncio.sleep(0)
        order.want("b", 3)
        order.want("c", 1)
        await asyncio.sleep(0)
        assert order.turns.waiting == 204
    assert await order.all() == "abcabab" + "a" * 197


async def test_of_those_who_wait_nobody_is_served_twice_before_another_once() -> None:
    order = Order(places=3)
    guests = "abcdefghij"
    async with order.turns.take("x"), order.turns.take("x"), order.turns.take("x"):
        for guest in guests:
            order.want(guest, 5)
        await asyncio.sleep(0)
    assert await order.all() == guests * 5


async def test_those_for_whom_somebody_waits_come_first() -> None:
    order = Order()
    async with order.turns.take("x"):
        order.want("a", 3, urgent=False)
        order.want("b", 2)
        order.want("c", 1, urgent=False)
        await asyncio.sleep(0)
    assert await order.all() == "bbacaa"


async def test_who_gives_up_holds_up_nobody() -> None:
    order = Order()
    async with order.turns.take("x"):
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
    async with order.turns.take("x"):
        (left,) = order.want("a")
        order.want("b")
        await asyncio.sleep(0)
    left.cancel()  # it has been granted and has not run
    assert await order.all() == "b"
