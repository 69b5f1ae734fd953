"""What all tests share: their order, the browser and the services, and a plain word on what could not run."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import socket
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from fnmatch import fnmatchcase
from functools import cache
from inspect import unwrap
from pathlib import Path
from urllib.parse import urlsplit
from zlib import crc32

import httpx
import hypothesis
import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

from tests import chromium as chromium_finder
from tests.house.serving import TRUSTING_NOBODY, Nursery

# A shell that starts the suite in the background ignores Ctrl-C for it, and what is ignored stays so in every process
# that is started from here. Tests interrupt what they start, and themselves.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says nothing on a busy machine.
hypothesis.settings.register_profile("parlour", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("parlour")

# Nor does how long an answer takes: a client waits longer than httpx's five seconds, unless it says how long. Houses of
# tests answer plain HTTP: to read all authorities that sign certificates would take a client 30 ms of processor time.
WAIT = 60.0  # seconds
for function in (
    httpx.Client.__init__, httpx.AsyncClient.__init__,
    httpx.request, httpx.stream, httpx.get, httpx.post, httpx.put, httpx.patch, httpx.delete, httpx.head, httpx.options,
):  # fmt: skip
    unwrap(function).__kwdefaults__.update(timeout=httpx.Timeout(WAIT), verify=TRUSTING_NOBODY)

HOUSE = Path(__file__).parent / "house"

POSTGRESQL = os.environ.get("PARLOUR_TEST_POSTGRESQL", "postgresql+asyncpg://postgres@127.0.0.1:5432/test")
REDIS = os.environ.get("PARLOUR_TEST_REDIS", "redis://127.0.0.1:6379/0")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="all tests in their long forms (scripts/nightly)")


def is_long(item: pytest.Item) -> bool:
    """Return whether the test, or this case of it, is only in the long form.

    `whole` says it of a test, or of a parameter; `suite("fortune-*", ...)` of all cases whose id has none of these
    patterns.
    """
    kept = item.get_closest_marker("suite")
    case = getattr(item, "callspec", None)
    if kept and case is None:
        raise pytest.UsageError(f"{item.nodeid} is marked `suite` and has no parameters.")
    return bool(item.get_closest_marker("whole")) or bool(
        kept and case and not any(fnmatchcase(case.id, pattern) for pattern in kept.args)
    )


def must_match(items: list[pytest.Item]) -> None:
    """Check that each pattern of `suite` matches a case that is not `whole`. Raises UsageError."""
    cases: dict[tuple[str, str], list[str]] = {}
    for item in items:
        if kept := item.get_closest_marker("suite"):
            for pattern in kept.args:
                case = getattr(item, "callspec").id  # noqa: B009 - pytest.Item does not declare it
                ids = cases.setdefault((item.nodeid.partition("[")[0], pattern), [])
                if not item.get_closest_marker("whole"):  # which no pattern brings into the suite
                    ids.append(case)
    for (test, pattern), ids in cases.items():
        if not any(fnmatchcase(one, pattern) for one in ids):
            there = ", ".join(ids) or "only cases marked `whole`"
            raise pytest.UsageError(f"{test}: no case matches suite({pattern!r}); there are {there}.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--whole"):
        if not any("[" in one for one in config.args):  # otherwise not all cases are there
            must_match(items)
        config.hook.pytest_deselected(items=[item for item in items if is_long(item)])
        items[:] = [item for item in items if not is_long(item)]
    for item in items:
        timed = item.get_closest_marker("browser") or item.get_closest_marker("service")
        if timed or HOUSE in item.path.parents:  # a house has clocks, streams and jobs of its own
            item.add_marker(pytest.mark.flaky(reruns=1))  # real time on a busy machine: a rerun, which is reported

    items[:] = in_order(items)


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests of the browser last, as its loop stays in their process, the long ones of them first, so that no
    process is left with one when the others have nothing more to do; before them those that wait for something real,
    spread among those that compute, so that no core is idle. The tests of a file that wait stay together, as do the
    others: what a file shares, such as a database, is made anew whenever another file comes between. Files are ordered
    so that subjects mix, because those of one subject wait alike."""
    pages = [item for item in items if item.get_closest_marker("browser")]
    pages.sort(key=lambda item: not item.get_closest_marker("slow"))
    others = [item for item in items if not item.get_closest_marker("browser")]
    others.sort(key=lambda item: crc32(str(item.path.relative_to(item.config.rootpath)).encode()))
    waiting = [item for item in others if item.get_closest_marker("slow") or item.get_closest_marker("service")]
    late = set(map(id, waiting))
    quick = [item for item in others if id(item) not in late]
    places: dict[int, float] = {}
    for group in (quick, waiting):
        begins: dict[Path, float] = {}
        for number, item in enumerate(group):
            places[id(item)] = begins.setdefault(item.path, number / len(group))
    return sorted(others, key=lambda item: places[id(item)]) + pages


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let Python search for cycles only in what the tests themselves make, and less often than it usually does: what
    is imported and collected stays to the end."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
    return found


TIMEOUT = pytest.StashKey[object]()


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: object) -> None:
    """Remember how a test is timed; the plugin of that name sets the timer."""
    item.stash[TIMEOUT] = settings


def _time(item: pytest.Item) -> None:
    """Set both timers again. What is set to act later costs as much as most tests, so this is for failures alone: they
    stop the timers, and the tear-down and a second attempt could then hang for ever."""
    if TIMEOUT in item.stash:
        item.ihook.pytest_timeout_set_timer(item=item, settings=item.stash[TIMEOUT])
    if seconds := float(str(item.config.getini("faulthandler_timeout") or 0)):
        faulthandler.dump_traceback_later(seconds, exit=True, file=item.config.stash[fault_handler_stderr_fd_key])


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    if isinstance(node, pytest.Item):
        _time(node)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if getattr(item, "execution_count", 1) > 1:
        _time(item)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Say what could not run and why, just above the last line, where it is read."""
    yield
    reasons = Counter(str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ()))
    for reason, number in reasons.items():
        terminalreporter.write_line(f"NOT RUN: {number} test{'s' * (number > 1)}: {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session")
def size(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """`size(short, long)`: how much of something the suite does, or `scripts/nightly --whole`."""
    whole = bool(request.config.getoption("--whole"))
    return lambda short, long: long if whole else short


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium, for `executable_path`; without a Chromium the test is skipped."""
    path = chromium_finder.find()
    if path is None:
        pytest.skip(chromium_finder.ABSENT)
    return path


@cache
def _answers(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 0), timeout=2).close()
    except OSError:
        return False
    return True


def _service(name: str, variable: str, url: str) -> str:
    if not _answers(url):
        pytest.skip(f"no {name} answers at {urlsplit(url).netloc} (start it, or set {variable} to its address)")
    return url


@pytest.fixture(scope="session")
def postgresql() -> str:
    """The address of a PostgreSQL database that tests may fill; the test is skipped where none answers."""
    return _service("PostgreSQL", "PARLOUR_TEST_POSTGRESQL", POSTGRESQL)


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of a Redis that tests may use; the test is skipped where none answers."""
    return _service("Redis", "PARLOUR_TEST_REDIS", REDIS)


@pytest.fixture(scope="session")
def cradle() -> Iterator[Nursery]:
    """The process that `nursery` forks from: to import everything takes longer than most tests."""
    made = Nursery()
    yield made
    made.close()


@pytest.fixture(scope="module")
def nursery(cradle: Nursery) -> Iterator[Nursery]:
    """Starts real server processes, and ends them after each file of tests."""
    first = len(cradle.servers)
    yield cradle
    cradle.clear(first)
