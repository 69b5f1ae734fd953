"""docs/limits.md: everything that grows is listed with its limit, and each limit is tested beyond it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from parlour.house.database import all_tables
from tests.docs import limits
from tests.docs.limits import everything, growing, listed

ROOT = Path(__file__).parents[2]
ROOTS, LIMITS = listed()
NAMED = {one.what: one for one in LIMITS}


def test_everything_that_grows_is_listed() -> None:
    """What is new has no limit yet: give it one, an entry in limits.toml, and a test that goes beyond it."""
    places, there = [place for one in LIMITS for place in one.where], set(everything())
    assert there - set(places) == set(), "without a stated limit"
    assert set(places) - there == set(), "no longer there"
    assert sorted(set(places)) == sorted(places)


@pytest.mark.parametrize("one", LIMITS, ids=lambda one: one.what)
def test_a_limit_is_a_number_of_the_code_or_that_of_something_else(one: limits.Limit) -> None:
    """Each has a constant, or is within something that has one; a cache has a size. One of them leads to a number."""
    seen = [one]
    while seen[-1].within:
        if seen[-1].within in ROOTS:
            return
        following = NAMED[seen[-1].within]
        assert following not in seen
        seen.append(following)
    values = seen[-1].values
    assert all(value not in (None, 0) for value in values.values())
    assert values or seen[-1].test, "neither a constant nor a test"


@cache
def in_file(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("one", LIMITS, ids=lambda one: one.what)
def test_a_limit_has_a_test_and_says_what_happens(one: limits.Limit) -> None:
    """It needs none where something else bounds it, nor for the size of an `lru_cache`, which is Python's."""
    file, _, name = one.test.partition("::")
    assert not one.test or name in in_file(file)
    assert one.full or one.within
    assert one.test or one.within or all(value.endswith("()") for value in one.values)


def test_of_each_table_of_the_database_it_is_said_what_deletes_rows() -> None:
    of_tables = [one for one in LIMITS if set(one.where) & set(all_tables.metadata.tables)]
    assert all(one.gone for one in of_tables)
    assert {one.part for one in LIMITS if one.gone} == {one.part for one in of_tables}


def test_the_page_is_current() -> None:
    page = limits.PAGE.file.read_text("utf-8")
    assert limits.PAGE.renewed(page) == page, limits.PAGE.stale


def test_a_constant_is_said_in_its_unit() -> None:
    assert limits.filled("{house.http.places:OF_A_GUEST} pages, {house.http.door:MAX_HEAD|KB} KB") == "12 pages, 32 KB"
    assert limits.filled("{core.scene:number()}") == "1,000"


def test_what_grows_is_found() -> None:
    source = """
import asyncio, collections, queue
from collections import Counter, OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from prometheus_client import Histogram
CONSTANT = {"a": 1}
EMPTY: dict[str, int] = {}
filled = {"a": 1}
pool = ThreadPoolExecutor(1)
zone = cache(str)
__all__ = []
@cache
def f(): ...
@lru_cache(maxsize=5)
def g():
    inside, filled["b"] = [], 2
    lines = queue.SimpleQueue()
    while True: ...
class A:
    shared = []
    default: list[int] = field(default_factory=list)
    unchanged: list[int] = field(default_factory=list)
    def __init__(self):
        self.x: OrderedDict[str, int] = OrderedDict()
        self.y, self.z = collections.deque(maxlen=3), 5
        self.fixed = [1, 2]
        self.url = url.set(a=1)
        self.meter = Histogram()
        self.more = [one for one in given]
        self.default.append(1)
    @cache
    async def h(self):
        self.late = set()
        self.more += [1]
        while not done: ...
"""
    assert growing(source) == {
        "EMPTY", "filled", "ThreadPoolExecutor", "zone", "f()", "g()", "g.SimpleQueue", "g.while", "A.default", "A.x",
        "A.y", "A.more", "A.h()", "A.late",
    }  # fmt: skip
