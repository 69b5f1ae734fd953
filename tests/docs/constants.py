"""What the pages say of limits and times that the code sets, as phrases made of the constants in the code.

Such a number is not a measurement. `CONSTANTS` has for each page the phrases that it must contain. If a constant
changes, its phrase is no longer found in the page. `FIXED` has the few that no constant gives, each with its reason.
"""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path

from parlour.analysis import difficulty, mining
from parlour.analysis.estimates import SURE
from parlour.analysis.measures import PACE
from parlour.bots import own, program
from parlour.cli.check import check
from parlour.cli.house import rotate_key
from parlour.conformance import calibration
from parlour.core import puzzle
from parlour.house.accounts import origins, recovery
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.passkeys import challenges
from parlour.house.accounts.tokens import rows as tokens
from parlour.house.admin import rows as admin_rows
from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.calendars import rows as calendar_rows
from parlour.house.clubs.seasons import leagues
from parlour.house.clubs.seasons import rows as season_rows
from parlour.house.database import files
from parlour.house.http import entrance, health, rates
from parlour.house.news import lookout
from parlour.house.notify import deeds as notify_deeds
from parlour.house.notify import jobs as beats
from parlour.house.notify import outbox
from parlour.house.playtests import jobs as playtests
from parlour.house.settings import Settings
from parlour.house.table.live import audience, looking
from parlour.house.table.play import holidays
from parlour.house.table.storage import queries, upkeep
from parlour.house.table.web import programs
from parlour.house.tournaments import deeds as tournaments
from parlour.house.tournaments import jobs as tournament_jobs
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments.pairing import arena, designs, dutch, grouping, kinds
from parlour.house.workers import watchdog
from tests.browser import looks
from tests.conformance import test_nightly
from tests.docs.measured import VALUES
from tests.models import test_lockstep

DAY, HOUR, MINUTE = 86400, 3600, 60
ROOT = Path(__file__).parents[2]


def word(number: float) -> str:
    """Return a whole number in words, as the pages write it."""
    return next(name for name, value in VALUES.items() if value == number and name not in ("a", "an"))


def read(path: str | Path, pattern: str) -> str:
    """Return what a pattern's group finds in a file that is not imported."""
    found = re.search(pattern, (ROOT / path).read_text("utf-8"))
    assert found, pattern
    return found[1]


GUEST, EVERYBODY = rates.TRIES.guest, rates.TRIES.address
assert GUEST is not None
DEFAULT = r'"--games", type=int, default=([\d_]+)'
INSPECTED = f"{int(read('tests/conformance/nightly.py', DEFAULT)):,} random games"
HIDDEN = int(read("parlour/house/site/static/call.js", r"const BEHIND = (\d+)"))
CHECKED = signature(check).parameters["seconds"].default
KEY_DAYS = signature(rotate_key).parameters["accept_days"].default
DESCRIPTORS = int(read("deploy/parlour.service", r"LimitNOFILE=(\d+)"))
CADDY = int(read("deploy/Caddyfile", r"health_interval (\d+)ms"))
AWAY = float(read("tests/house/news/test_vanished.py", r"HONEST = ([\d.]+)"))
PYTHON = read("pyproject.toml", r'requires-python = ">=([\d.]+)')

CONSTANTS: dict[str, tuple[str, ...]] = {
    "README.md": (f"inspects {INSPECTED}", f"Python {PYTHON} or newer"),
    "SECURITY.md": (
        f"{word(GUEST.burst)} tries at a name at once and then one in {1 / GUEST.a_second:g} seconds",
        f"have {EVERYBODY.burst:g} and then one in {word(1 / EVERYBODY.a_second)} seconds,"
        f" {DAY * EVERYBODY.a_second:,.0f} a day",
    ),
    "docs/puzzles.md": (
        f"at least {word(mining.FEWEST)} choices",
        f"by at least {100 * mining.LEAST:g} points (per cent of the wins)",
        f"a search of {word(mining.DEEPER)} times as many simulations",
        f"more than {word(mining.SURE)} standard errors",
        f"at least {word(mining.WRONG)} wrong ones",
        f"and {100 * mining.LEAST_EXACT:g} points are enough",
        f"asked {word(mining.ASKED)} times",
        f"rated {difficulty.POINTS} points above a puzzle finds it ten times as often as not",
        f"The mean of a file is {puzzle.MIDDLE:.0f}",
    ),
    "docs/architecture.md": (
        f"checks every {word(beats.BEAT)} seconds",
        f"{word(tournament_rows.SOON / MINUTE).capitalize()} minutes before the start it notes",
        f"{word(Settings.grace).capitalize()} seconds after the event",
        f"{word(HIDDEN)} seconds after it was hidden, and again after {word(audience.GONE / MINUTE)} minutes",
        f"{word(beats.SEEN)} seconds after it arrived",
        f"{word(outbox.RETRY[0] / MINUTE)} a minute, then ever more rarely",
        f"{word(outbox.HOURLY)} notices an hour at most",
        f"to report every {word(audience.PULSE)} seconds",
        f"without a report for {word(audience.VANISHED)} seconds",
        f"the {word(audience.GONE / MINUTE)} minutes for which it counts",
        f"its expiry ({word(challenges.GOOD_FOR / MINUTE)} minutes)",
        f"blocks the event loop for {1000 * watchdog.LIMIT:g} ms",
    ),
    "docs/add-a-game.md": (
        f"plays at random to {calibration.POSITIONS} positions",
        f"redraws each {calibration.DEALS} times",
        f"plays {INSPECTED}",
        f"for {test_nightly.GAMES} of each",
        f"walk {test_lockstep.POSITIONS:,} positions",
        {60: "takes about a minute at most"}[CHECKED],
    ),
    "docs/playtest.md": (
        f"quick bots play {playtests.GAMES:,} games of your edition",
        f"each with its {100 - 100 * SURE:g} % interval",
        f"with a {100 - 100 * SURE:g} % interval",
        f"p below {SURE:g}",
        f"Minutes count {PACE:g} seconds a decision",
        f"end after {playtests.SECONDS:g} seconds of computing",
    ),
    "docs/clubs.md": (
        f"how many players a division has ({leagues.FEWEST} to {leagues.MOST})",
        f"if it would then have more than {leagues.MOST}.",
        f"up to {calendar_rows.PAST / DAY:g} days after they ended",
        f"| clubs that an account owns | {club_rows.MOST_OWNED} |",
        f"| clubs that an account is in | {club_rows.MOST_JOINED} |",
        f"| members of a club | {club_rows.MOST_MEMBERS} |",
        f"| requests that wait at a club | {club_rows.MOST_WAITING} |",
        f"| requests of an account that wait | {club_rows.MOST_ASKED} |",
        f"| seasons that a club keeps | {season_rows.KEPT} |",
        f"| events of a calendar | {calendar_rows.MOST_EVENTS} |",
    ),
    "docs/looks.md": (f"each {looks.LASTING / 1000} seconds in {word(looks.FRAMES)} frames",),
    "docs/run-a-house.md": (
        f"Python {PYTHON} or newer",
        f"asks it {word(1000 / CADDY)} times a second",
        f"Every {word(health.PROVED)} seconds at most it also writes",
        f"less than {files.ROOM / files.MB:g} MB are free",
        f"valid for {KEY_DAYS:g} days",
        f"within {word(admin_rows.KEY_MINUTES)} minutes, and makes that browser a keeper for"
        f" {word(admin_rows.SESSION / HOUR)} hours",
        f"within {word(lookout.BEAT * lookout.CARE)} seconds, and within {word(lookout.BEAT * lookout.SELDOM)}",
        f"stays taken for {account_rows.RETIRED / DAY:g} days",
        f"works on {word(entrance.AT_WORK)} requests of one address at a time",
        f"{word(GUEST.burst)} passwords at once and then one in {1 / GUEST.a_second:g} seconds",
        f"{EVERYBODY.burst:g} at once and then one in {word(1 / EVERYBODY.a_second)} seconds,"
        f" {DAY * EVERYBODY.a_second:,.0f} a day",
        f"at most {upkeep.MOST} unfinished tables",
        f"at most {origins.MOST}.",
        f"keeps its last {queries.CHAT_STORED:,} messages",
        f"There may be {Settings.connections:,} at once",
        f"allow {DESCRIPTORS:,} descriptors",
        f"{holidays.DAYS} days in any {holidays.YEAR / DAY:g}",
        f"shown as away within {word(AWAY)} seconds",
        f"report every {word(audience.PULSE)} seconds",
        f"away after {word(audience.GONE / MINUTE)} minutes",
        f"{word(notify_deeds.ASKED)} such emails a day to one address,"
        f" and {word(notify_deeds.ASKED_BY_HOUSE)} an hour in all",
        f"{word(recovery.TO_ONE)} a day at most, and {word(recovery.BY_HOUSE)} an hour from the house",
        f"{word(outbox.HOURLY)} notices an hour at most",
        {60: "a minute, unless its host chose otherwise"}[looking.ABSENT],
    ),
    "docs/tournaments.md": (
        f"at most {tournaments.AHEAD / DAY:g} days ahead",
        f"You can have {tournament_rows.MOST_ORGANISED} tournaments that are announced or under way",
        f"A bot plays up to {tournaments.MOST_SIMULTANEOUS} people at once",
        f"live, {tournament_jobs.BREAK:g} seconds later",
        f"You are notified {word(tournament_rows.SOON / MINUTE)} minutes before the start",
        f"you have {tournament_jobs.WAIT:g} seconds from the start of the game",
        f"At most {kinds.ENTRANTS:,} entrants",
        f"for more than {dutch.MOST} entrants",
        f"Up to {word(grouping.EXACT)} players",
        f"At most {kinds.MOST_OF_TWO} entrants can play",
        f"for at most {kinds.MOST_AT_LARGER} entrants",
        f"at most {word(designs.GOOD)} times more often than the pair that meets least",
        f"A win brings {arena.WIN}, a draw {arena.WIN / 2:g}.",
        f"After {word(arena.FIRE)} wins in a row",
        f"bots can fill it after {word(arena.PATIENCE)} waves",
    ),
    "docs/programs.md": (
        f"has at most {word(tokens.MOST)} tokens",
        f"comes every {programs.HEARTBEAT:g} seconds at least",
        f"{rates.MOVES.guest.burst:g} moves at once, then {rates.MOVES.guest.a_second:g} a second; a new table costs 3"
        f" of {rates.TABLES.guest.burst:g} changes, which grow back by {word(rates.TABLES.guest.a_second)} a second",
    ),
    "docs/write-a-bot.md": (
        f"({own.SECONDS:g} seconds unless you say otherwise)",
        f"within {program.HELLO:g} seconds",
        f"has {program.MEMORY / (1 << 30):g} GB of memory",
    ),
}

FIXED: dict[str, dict[str, str]] = {
    "docs/architecture.md": {"A * G - 1 other decisions": "a formula, which tests/house/workers/test_turns.py holds"},
    "docs/add-a-game.md": {"100 points win": "a rule of Pig, whose rules this page writes"},
    "docs/notation.md": {"first 8 bytes": "the scheme, which the checker in tests/docs/test_notation.py follows"},
    "docs/run-a-house.md": {
        "`--keep 30` deletes games against bots alone after 30 days without activity": "an example",
        "a decision that took longer than two minutes": "says in words what `--longest 120` is",
    },
}
