"""The pages about people: You (`/me`), an account (`/p/NAME`), a link that signs in (`/link`).

Of games under way they show what the guest's lobby shows; of others, only finished games that were listed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

import sqlalchemy as sa
from markupsafe import Markup

from parlour.core.scene import number
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.deeds import MINUTES
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.leaving import WORD
from parlour.house.accounts.names import default_name
from parlour.house.accounts.passkeys import rows as passkey_rows
from parlour.house.accounts.passkeys.challenges import Site
from parlour.house.accounts.passwords import FEWEST, MOST
from parlour.house.accounts.rows import Account
from parlour.house.accounts.tokens import rows as token_rows
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.invitations import pages as invitation_pages
from parlour.house.lobby.pages import YOUR_TURN, age, awaited
from parlour.house.notify.pages import Notifications
from parlour.house.profiles import rows as profile_rows
from parlour.house.profiles.pages import Choice, Profile, portrait, portraits
from parlour.house.ratings import results
from parlour.house.ratings.outcomes import work_out
from parlour.house.ratings.results import PAGE, Met, Tally, Versus, Wanted
from parlour.house.site import drawing
from parlour.house.site.addresses import page_of
from parlour.house.site.titles import title_of
from parlour.house.social import rows as social_rows
from parlour.house.social.rows import Mark
from parlour.house.table.live.tempo import DAY
from parlour.house.table.pages.results import by_race, in_short_of
from parlour.house.table.play import holidays
from parlour.house.table.storage import timekeeping
from parlour.house.table.storage.rows import Rest

AT_ONCE = 5  # games of unknown result that are replayed before a page is drawn
WORDS = {
    "won": "won", "shared": "win shared", "lost": "lost", "left": "left to a bot", "running": "under way",
    "closed": "ended early", "unknown": "unknown",
}  # fmt: skip
MAY = {"play": "may play", "read": "may read", "play read": "may play and read"}  # by a token's scopes
ENDED = ("won", "shared", "lost")
DRAWN = (*ENDED, "left")  # what a bar is made of, in this order


class Bar(NamedTuple):
    """How games of a ruleset ended. `parts`: (result, where it begins, how wide it is, in hundredths of the longest
    bar), `words` the same in words."""

    title: str
    games: int
    parts: tuple[tuple[str, float, float], ...]
    words: str


class Row(NamedTuple):
    """A game in the list. `names`: each with whether it is the guest's own, and the score, "" if it says nothing or is
    unknown."""

    id: str
    game: str
    title: str
    names: tuple[tuple[str, bool, str], ...]
    result: str
    words: str
    when: str
    turn: bool  # theirs


class Opponent(NamedTuple):
    """An opponent, their page and picture if they have an account, and the bar that shows how often each finished
    ahead."""

    name: str
    page: str
    games: int
    parts: tuple[tuple[str, float, float], ...]
    words: str
    portrait: Markup | str = ""


class Duel(NamedTuple):
    """How the viewer did against a player: in all, and by ruleset."""

    whole: Opponent
    rulesets: tuple[Opponent, ...]
    portrait: Markup  # the viewer's


class Played(NamedTuple):
    """What a page shows of a person: what they show of themselves, ratings, accuracy, games and clubs."""

    profile: Profile
    ratings: Sequence[object]
    courses: Sequence[object]
    games: Games
    clubs: Sequence[object]


class Games(NamedTuple):
    """A guest's games: results, opponents, and a page of the list. `which` and `result` are the filters."""

    bars: tuple[Bar, ...]
    opponents: tuple[Opponent, ...]
    rows: tuple[Row, ...]
    total: int
    page: int
    pages: int
    choices: tuple[tuple[str, str], ...]  # of rulesets: value, title
    which: str
    result: str
    results: Mapping[str, str]
    left: bool  # whether any was left to a bot
    more: bool  # games whose result is not worked out yet

    def address(self, page: int) -> str:
        """Return the query of another page of the list."""
        return f"?which={quote(self.which)}&result={quote(self.result)}&page={page}"


class Session(NamedTuple):
    """A session, in words. Two browsers of one kind differ in when they signed in, and when they were last used."""

    id: str
    browser: str
    since: str  # to the minute
    at: str  # the same for programs
    seen: str
    this: bool


class Holiday(NamedTuple):
    """The holidays of a guest. `now`: the one that is not over, if any, `began` whether it has begun; days that they
    have used in a year, that in it included, and may use."""

    now: Rest | None
    began: bool
    used: int
    days: int


async def holiday_of(house: House, guest: Guest) -> Holiday:
    """Return what the page You says of a guest's holidays. StoreFailed."""
    now, rests = time.time(), await house.store.look(partial(timekeeping.holidays, guest=guest.id))
    last = rests[0] if rests and rests[0].until > now else None
    days = math.ceil(holidays.used(rests, last.until if last else now) / DAY - 0.05)
    return Holiday(last, last is not None and last.since <= now, days, holidays.DAYS)


async def games_of(house: House, guest: str, which: str, result: str, page: int, *, public: bool = False) -> Games:
    """Return a guest's games, as they or (`public`) everyone may see them. Pages count from 1. Raises
    StoreFailed."""
    more = await work_out(house.store, guest, AT_ONCE)
    game, _, ruleset = which.partition(":")
    everything, wanted = Wanted(guest, public=public), Wanted(guest, game, ruleset, result, public)

    def look(
        connection: sa.Connection,
    ) -> tuple[list[Tally], list[Met], tuple[int, list[results.Played]], dict[str, str]]:
        met = results.met(connection, everything)
        known = [one.guest_id for one in met if one.claimed]
        return (
            results.tallies(connection, everything), met, results.games(connection, wanted, page - 1),
            profile_rows.pictures(connection, known),
        )  # fmt: skip

    tallies, met, (total, rows), pictures = await house.store.look(look)
    now = {} if public else await awaited(house, guest)
    kinds = {(one.game, one.ruleset) for one in tallies}
    titles = {f"{game}:{ruleset}" if ruleset else game: title_of(game, ruleset) for game, ruleset in kinds}
    return Games(
        bars=_bars(tallies), opponents=_opponents(met, pictures),
        rows=tuple(_row(one, now.get(one.id, "")) for one in rows),
        total=total, page=page, pages=max(1, -(-total // PAGE)),
        choices=tuple(sorted(titles.items(), key=lambda one: one[1])), which=which, result=result,
        results={k: v for k, v in WORDS.items() if not public or k not in ("running", "closed")},
        left=any(one.result == "left" for one in tallies), more=more,
    )  # fmt: skip


def _bars(tallies: Sequence[Tally]) -> tuple[Bar, ...]:
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for one in tallies:
        if one.result in DRAWN:
            counts.setdefault((one.game, one.ruleset), {})[one.result] = one.games
    longest = max((sum(found.values()) for found in counts.values()), default=1)
    bars = [
        Bar(title_of(*kind), sum(found.values()), _parts(found, DRAWN, longest), _words(found))
        for kind, found in counts.items()
    ]
    return tuple(sorted(bars, key=lambda bar: (-bar.games, bar.title)))


def _parts(found: Mapping[str, int], kinds: Sequence[str], longest: int) -> tuple[tuple[str, float, float], ...]:
    parts, begins = [], 0.0
    for kind in kinds:
        width = 100 * found.get(kind, 0) / longest
        if width:
            parts.append((kind, round(begins, 2), round(width, 2)))
        begins += width
    return tuple(parts)


def _words(found: Mapping[str, int]) -> str:
    return ", ".join(f"{found[kind]} {WORDS[kind]}" for kind in DRAWN if kind in found)


def _opponents(met: Sequence[Met], pictures: Mapping[str, str]) -> tuple[Opponent, ...]:
    made = []
    longest = max((one.games for one in met), default=1)
    for one in met:
        name = f"{one.level.capitalize()} bot" if one.level else one.name or default_name(one.guest_id)
        page, picture = "", Markup("")
        if one.claimed:
            page, picture = page_of(name), portrait(one.guest_id, pictures.get(one.guest_id, ""))
        made.append(_against(name, one, longest)._replace(page=page, portrait=picture))
    return tuple(made)


def _against(name: str, one: Met | Versus, longest: int) -> Opponent:
    level = one.games - one.ahead - one.behind
    found = {"won": one.ahead, "shared": level, "lost": one.behind}
    words = f"{one.ahead} ahead, {one.behind} behind" + (f", {level} level" if level else "")
    return Opponent(name, "", one.games, _parts(found, DRAWN, longest), words)


def _row(one: results.Played, waits: str) -> Row:
    """Return a game as the list shows it; `waits`: what it waits for, "" if it is over."""
    told = [] if by_race(one.game) else [score for _, score in one.ends]
    scores = ["" if score is None else number(score) for score in told] or [""] * len(one.names)
    names = tuple((name, seat == one.seat, scores[seat]) for seat, name in enumerate(one.names))
    short = in_short_of(one.game, one.ends, one.seat) if one.result in ENDED else ""
    when = age(time.time() - one.touched)
    words, turn = waits or short or WORDS[one.result], waits == YOUR_TURN
    return Row(one.id, one.game, title_of(one.game, one.ruleset), names, one.result, words, when, turn)


# Pages -----------------------------------------------------------------------------------------------
class Key(NamedTuple):
    """A passkey in the list. `host`: where alone it can be used, "" if that is here; `used`: "" if it never was."""

    id: str
    browser: str
    since: str
    used: str
    host: str


class Token(NamedTuple):
    """A token in the list. `may`: what it allows, in words; `used`: "" if it never was."""

    id: str
    name: str
    may: str
    since: str
    used: str


class Keys(NamedTuple):
    """The ways in to an account, and what it may do: the passkeys, whether there is a password, and the origin of pages
    that can use passkeys, "" where none can; `moderates`: whether it is a moderator's; who is signed in; its tokens."""

    keys: tuple[Key, ...]
    has_password: bool
    origin: str
    moderates: bool = False
    sessions: tuple[Session, ...] = ()
    tokens: tuple[Token, ...] = ()


async def keys_of(house: House, guest: Guest, here: str, site: Site | None) -> Keys:
    """Return the ways of signing in to a guest's account at this site, None where there are no passkeys; `here` is the
    session of this browser."""
    origin = site.origin if site else ""
    if not guest.claimed:
        return Keys((), has_password=False, origin=origin)
    account = await house.store.look(partial(account_rows.account, guest=guest.id))
    now = time.time()
    keys = tuple(
        Key(
            one.id,
            one.browser,
            age(now - one.created),
            "" if one.used is None else age(now - one.used),
            "" if site and one.host == site.host else one.host,
        )
        for one in await house.store.look(partial(passkey_rows.of, guest=guest.id))
    )
    moderates = await house.store.look(partial(account_rows.is_moderator, guest=guest.id))
    sessions = await _sessions(house, guest, here)
    tokens = await _tokens(house, guest)
    return Keys(keys, account is not None and bool(account.password), origin, moderates, sessions, tokens)


async def _tokens(house: House, guest: Guest) -> tuple[Token, ...]:
    found, now = await house.store.look(partial(token_rows.of, guest=guest.id)), time.time()
    return tuple(
        Token(
            one.id, one.name, MAY[one.scopes], age(now - one.created), "" if one.used is None else age(now - one.used)
        ) for one in found
    )  # fmt: skip


async def _sessions(house: House, guest: Guest, here: str) -> tuple[Session, ...]:
    """Return a guest's sessions; `here` is that of this browser, which comes first."""
    found = await house.store.look(partial(account_rows.sessions_of, guest=guest.id))
    now = time.time()
    return tuple(
        Session(one.id, one.browser, moment(one.created), iso(one.created), age(now - one.seen), one.id == here)
        for one in sorted(found, key=lambda one: one.id != here)
    )


def me(
    guest: Guest,
    played: Played,
    choices: Sequence[tuple[str, Sequence[Choice]]],
    keys: Keys,
    notifications: Notifications,
    holiday: Holiday,
    marks: Sequence[Mark],
    calendar: str,
) -> tuple[Part, ...]:
    """`GET /me`. `choices`: what a picture can be made of; `calendar`: the address of a private one."""
    named = [one._replace(name=one.name or default_name(one.other)) for one in marks]
    return _draw(
        "me",
        "You",
        guest,
        **played._asdict(),
        looks=choices,
        holiday=holiday,
        mine=page_of(guest.name),
        minutes=MINUTES,
        word=WORD,
        **notifications._asdict(),
        **keys._asdict(),
        marks=named,
        calendar=calendar,
    )


def moment(seconds: float) -> str:
    """Return a moment as people write it: "3 May 2026, 09:05 UTC"."""
    at = time.gmtime(seconds)
    return f"{at.tm_mday} {time.strftime('%B %Y, %H:%M UTC', at)}"


def iso(seconds: float) -> str:
    """Return a moment for `<time datetime>`: "2026-05-03T09:05Z"."""
    return time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(seconds))


async def between(house: House, guest: Guest, other: Account) -> Duel | None:
    """Return a guest's results against another, in all games that both finished, including private ones, as only that
    guest sees them. None without such games, or if one has blocked the other. Raises StoreFailed."""
    if other.id == guest.id or other.id in (await house.regards.of(guest.id)).apart:
        return None
    found = await house.store.look(partial(results.between, wanted=Wanted(guest.id), other=other.id))
    if not found:
        return None
    games, ahead, behind = (sum(counts) for counts in zip(*(one[2:] for one in found), strict=True))
    whole = _against(other.name, Versus("", "", games, ahead, behind), games)
    mine = await portraits(house, [guest.id])
    each = tuple(_against(title_of(one.game, one.ruleset), one, found[0].games) for one in found)
    return Duel(whole, each, mine[guest.id])


def player(guest: Guest, whose: Account, played: Played, ours: Duel | None) -> tuple[Part, ...]:
    """`GET /p/NAME`: what everyone may know of an account, what others can invite them to, and how the viewer did
    against them."""
    asks = {"asks": ()} if whose.id == guest.id else invitation_pages.form(whose.name)
    return drawing.page(
        "player", whose.name, guest, script="challenge", sheet="people.css profile.css", whose=whose.name, ours=ours,
        tempos=drawing.TEMPOS, mine=whose.id == guest.id, **played._asdict(), **asks,
    )  # fmt: skip


def link(guest: Guest) -> tuple[Part, ...]:
    """`GET /link`: the page's script reads the link, as the server never sees that part of the address."""
    return _draw("link", "Sign in", guest)


def _draw(name: str, title: str, guest: Guest, **values: object) -> tuple[Part, ...]:
    return drawing.page(
        name, title, guest, script="me", sheet="people.css profile.css", fewest=FEWEST, longest=MOST, **values
    )


async def marks_of(house: House, guest: Guest) -> list[Mark]:
    """Return the people that a guest has muted or blocked."""
    return await house.store.look(partial(social_rows.marks, guest=guest.id))
