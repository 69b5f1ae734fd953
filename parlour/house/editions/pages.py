"""The page on which people change the numbers of an edition, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from parlour import bots
from parlour.core import fields
from parlour.core.book import SOURCES
from parlour.core.edition import STATED, Edition, Part
from parlour.core.errors import BadParts, ParlourError
from parlour.core.facts import RULESET, Option
from parlour.core.fields import Entry, Kind
from parlour.core.game import Game
from parlour.house.accounts.guests import MAX_NAME as MOST_NAME
from parlour.house.site.addresses import OPTION, numbers_address

# Besides the options, parameters that are not paths of values: how many play, what the page is for, and edition A of a
# comparison (its name, and after a question mark its changes), while the page has edition B.
PLAYERS, PURPOSE, FIRST = "table:players", "table:for", "table:first"
PLAYTEST = "playtest"  # the purpose
MARKS = {STATED: ("printed", "as the printed rules say")} | {mark: (mark, words) for mark, words in SOURCES.items()}
KINDS = ("bot", "link", "open", "here")  # of the other seats of a new table
DEEPEST = 8  # steps of a path that are said by their names; no game has more
WIDE = 36  # characters of a line in a narrow window
Fault = tuple[str, str]  # a path and a sentence, as in BadParts


class FieldView(NamedTuple):
    """A value to change: what is written now, and what the edition says, both as texts."""

    path: str
    label: str  # beside the field, "" where the component has one field
    name: str  # in whole, for people who don't see where it is
    kind: Kind
    text: str
    usual: str
    usually: str  # the same in words
    limits: str
    words: tuple[str, ...]
    signed: bool
    lines: int  # of a list's field
    changed: bool
    faults: tuple[str, ...]


class RowView(NamedTuple):
    """Fields that belong together: those of one list; `label` names it where there are several."""

    label: str
    fields: tuple[FieldView, ...]


class PartView(NamedTuple):
    """A component: its name, mark, clause and note, its bounds in words, and its fields."""

    name: str
    title: str
    mark: str
    meaning: str  # of the mark
    clause: str
    note: str
    unit: str
    bounds: str
    words: tuple[str, ...]  # that its lists may hold
    rows: tuple[RowView, ...]
    fixed: str  # the value that can't be changed here, "" for none
    changed: bool
    faults: tuple[str, ...]  # about no single field


class PlaytestView(NamedTuple):
    """The playtest that can be made of the numbers of a page."""

    name: str  # what it is called unless the designer says otherwise
    body: str  # of the request that makes it, as JSON, without the name; "" while something is wrong
    first: tuple[str, ...]  # what differs in edition A, while this page has edition B
    first_address: str  # of the page with edition A, "" if nothing is compared
    second_address: str  # of the page for an edition B, "" while something is wrong, or if this is that page


class NumbersView(NamedTuple):
    """An edition with the changes that were asked for, and what can be done with it."""

    game: Game
    edition: Edition
    editions: tuple[tuple[str, str], ...]  # the others: title and address, with the same changes
    parts: tuple[PartView, ...]
    faults: tuple[tuple[str, str], ...]  # all: the id of the field, "" for none, and a sentence
    changes: tuple[str, ...]
    address: str  # of this page, with what differs
    usual: str  # of this page without changes
    action: str  # what the form asks
    carried: Mapping[str, str]  # parameters that stay in every address of the page
    without: Mapping[str, str]  # of this page without the change at a path
    link: str  # the address in whole
    options: tuple[Option, ...]
    chosen: Mapping[str, str]
    special: bool  # whether an option besides the ruleset is not at its default
    players: int
    kinds: tuple[str, ...]  # of seats that the other players can have
    starts: Mapping[
        str, str
    ]  # by kind, the body of the request that makes the table, as JSON; none while something is wrong
    playtest: PlaytestView


class Wanted(NamedTuple):
    """What an address asks for: values by path, options, the number of players; and what was wrong with it."""

    values: dict[str, str]
    options: dict[str, str]
    players: str
    purpose: str
    first: str
    faults: list[Fault]

    @property
    def carried(self) -> dict[str, str]:
        """Return the parameters that stay in every address of the page."""
        return ({PURPOSE: PLAYTEST} if self.purpose == PLAYTEST else {}) | ({FIRST: self.first} if self.first else {})


def numbers_view(game: Game, name: str, given: Iterable[tuple[str, str]], share_url: str) -> NumbersView:
    """Return the page of an edition ("" for the game's first) with the changes that are `given` by an address."""
    asked = _asked(given)
    base = game.named()
    if name in game.editions:
        base = game.named(name)
    elif name:
        asked.faults.append(("", f"{game.text.TITLE} has no edition {name[:40]!r}. This page shows the first one."))
    options = _options(game, asked)
    players = _players(game, asked)
    edition = _edition(game, base, asked, players, options)
    first = _first(game, asked, players, options)
    kept = fields.given(base, edition) if edition else _differing(base, asked.values)
    parts = tuple(_part(key, part, edition, asked) for key, part in base.components.items())
    with_options = {f"{OPTION}{key}": value for key, value in options.items() if value != _usual(game, key)}
    special = any(name != f"{OPTION}{RULESET}" for name in with_options)
    with_options |= asked.carried
    address = numbers_address(game, base, kept | with_options)
    return NumbersView(
        game, base,
        tuple((one.title, numbers_address(game, one, asked.values | with_options)) for one in game.editions.values()
              if one is not base),
        parts, tuple(_everything(base, asked, parts)), fields.said(base, edition) if edition else (), address,
        numbers_address(game, base, asked.carried), numbers_address(game, base), asked.carried,
        _without(game, base, parts, kept | with_options),
        share_url + address, game.facts.options, options,
        special, players,
        _kinds(game), _starts(game, base, edition, options, players) if edition and not asked.faults else {},
        _playtest(game, edition if not asked.faults else None, first, options, players, with_options),
    )  # fmt: skip


def _asked(given: Iterable[tuple[str, str]]) -> Wanted:
    values: dict[str, str] = {}
    options: dict[str, str] = {}
    beside = {PLAYERS: "", PURPOSE: "", FIRST: ""}
    for name, text in given:
        if name in beside:
            beside[name] = text
        elif name.startswith(OPTION):
            options[name.removeprefix(OPTION)] = text
        else:
            values[name] = text
    return Wanted(values, options, beside[PLAYERS], beside[PURPOSE], beside[FIRST], [])


def _usual(game: Game, option: str) -> str:
    return next(one.default for one in game.facts.options if one.name == option)


def _options(game: Game, asked: Wanted) -> dict[str, str]:
    """Return all options with their values; one that the ruleset leaves without effect has its default."""
    known = {one.name: one for one in game.facts.options}
    ruleset = asked.options.get(RULESET, "")
    found: dict[str, str] = {}
    for name, value in asked.options.items():
        if name not in known or known[name].matters(ruleset or game.rulesets[0]):
            try:
                found |= game.read({name: value})
            except ParlourError as error:
                asked.faults.append(("", str(error)))
    return {one.name: one.default for one in game.facts.options} | found


def _players(game: Game, asked: Wanted) -> int:
    fewest, most = game.facts.players
    if not asked.players:
        return min(max(2, fewest), most) if asked.carried else fewest
    number = fields.value_of(asked.players, 0)
    if isinstance(number, int) and fewest <= number <= most:
        return number
    asked.faults.append(("", f"{game.text.TITLE} is for {game.seats} players, not {asked.players[:40]!r}."))
    return fewest


def _edition(game: Game, base: Edition, asked: Wanted, players: int, options: Mapping[str, str]) -> Edition | None:
    """Return the edition with the values that were asked for, None if it makes no game; then `asked` says why."""
    try:
        edition = fields.typed(base, asked.values)
        game.start(players, edition, options)
    except BadParts as error:
        asked.faults.extend(error.faults)
        return None
    return edition


def _first(game: Game, asked: Wanted, players: int, options: Mapping[str, str]) -> Edition | None:
    """Return edition A of a comparison, None if nothing is compared, or if it makes no game; then `asked` says why."""
    if not asked.first:
        return None
    name, _, query = asked.first.partition("?")
    try:
        edition = fields.typed(game.named(name), dict(parse_qsl(query, keep_blank_values=True)))
        game.start(players, edition, options)
    except BadParts as error:
        asked.faults.extend(("", f"Edition A: {sentence}") for _, sentence in error.faults)
        return None
    except ParlourError as error:
        asked.faults.append(("", f"Edition A: {error}"))
        return None
    return edition


def _without(game: Game, base: Edition, parts: Sequence[PartView], changes: Mapping[str, str]) -> dict[str, str]:
    """Return the address of the page without each of the changes that has a field."""
    fielded = {one.path for part in parts for row in part.rows for one in row.fields}
    return {
        path: numbers_address(game, base, {key: text for key, text in changes.items() if key != path})
        for path in changes
        if path in fielded
    }


def _differing(base: Edition, values: Mapping[str, str]) -> dict[str, str]:
    """Return the texts that do not just say what the edition says."""
    same = {entry.path: fields.text_of(entry.value) for name, part in base.components.items()
            for entry in fields.entries(name, part)}  # fmt: skip
    return {path: text for path, text in values.items() if same.get(path) != text}


# Components and their fields ---------------------------------------------------------------------
def _part(name: str, part: Part, edition: Edition | None, asked: Wanted) -> PartView:
    found = fields.entries(name, part)
    rows = tuple(
        RowView(label, tuple(_field(part, entry, edition, asked) for entry in group))
        for label, group in groupby((one for one in found if one.kind != "other"), key=_row)
    )
    about = {path for path, _ in asked.faults if path.partition(".")[0] == name}
    for row in rows:
        for one in row.fields:
            about -= {path for path in about if _within(path, one.path)}
    fixed = "; ".join(fields.shown(part, one.value) for one in found if one.kind == "other")
    mark, meaning = MARKS[part.mark]
    return PartView(
        name, part.named(name), mark, meaning, part.clause, part.note, part.unit, _bounds(part, rows),
        part.bounds.words if any(one.kind == "list" for one in found) else (), rows, fixed,
        any(one.changed for row in rows for one in row.fields),
        tuple(_named(part, name, path, said) for path, said in asked.faults if path in about),
    )  # fmt: skip


def _row(entry: Entry) -> str:
    """Return the name of the list that an entry is in, of several; "" in a single one and in a table."""
    return ", ".join(entry.names[:-1])


def _bounds(part: Part, rows: Sequence[RowView]) -> str:
    """Return the bounds of a component in words, without the texts that its lists may hold: those are a list below."""
    said = part.bounds.said(part.value)
    if part.bounds.words and any(one.kind == "list" for row in rows for one in row.fields):
        return said.partition(", each one of")[0]
    return said


def _field(part: Part, entry: Entry, edition: Edition | None, asked: Wanted) -> FieldView:
    usual = fields.text_of(entry.value)
    text = asked.values.get(entry.path)
    if text is None:
        text = fields.text_of(fields.within(edition.components[entry.component].value, entry)) if edition else usual
    if entry.kind == "list":  # a link has it in one line
        text = fields.text_of(fields.value_of(text, entry.like))
    changed = fields.value_of(text, entry.like) != entry.value and bool(text.strip() or usual)
    return FieldView(
        entry.path, entry.names[-1] if entry.names else "", ", ".join((part.named(entry.component), *entry.names)),
        entry.kind, text, usual, fields.shown(part, entry.value), entry.limits(part),
        part.bounds.words if entry.kind == "choice" else (), part.bounds.of(entry.key)[0] < 0,
        sum(1 + len(line) // WIDE for line in text.split("\n")), changed,
        tuple(_named(part, entry.component, path, said) for path, said in asked.faults if _within(path, entry.path)),
    )  # fmt: skip


def _within(path: str, whole: str) -> bool:
    return path == whole or path.startswith(f"{whole}.")


def _named(part: Part, name: str, path: str, sentence: str) -> str:
    """Return a sentence about a value with its name instead of the path that it begins with."""
    steps = path.split(".", DEEPEST)[:DEEPEST]
    for count in range(len(steps), 0, -1):
        start = ".".join(steps[:count])
        if sentence.startswith(f"{start} "):
            names = [_place(part, step, depth) for depth, step in enumerate(steps[1:count])]
            return ", ".join((part.named(name), *names)) + sentence.removeprefix(start)
    return sentence


def _place(part: Part, step: str, depth: int) -> str:
    if not step.isdecimal():
        return step.replace("-", " ").replace("_", " ")
    number = int(step[:8])
    return part.places[number] if not depth and number < len(part.places) else fields.ordinal(number + 1)


def _everything(base: Edition, asked: Wanted, parts: Sequence[PartView]) -> Iterator[tuple[str, str]]:
    """Yield each mistake once, in the order of the page, with the path of its field."""
    shown = {path for path, _ in asked.faults if path.partition(".")[0] in base.components}
    for part in parts:
        for row in part.rows:
            yield from ((one.path, sentence) for one in row.fields for sentence in one.faults)
        yield from ((part.name, sentence) for sentence in part.faults)
    yield from (("", sentence) for path, sentence in asked.faults if path not in shown)


# What can be done with it ------------------------------------------------------------------------
def _starts(game: Game, base: Edition, edition: Edition, options: Mapping[str, str], players: int) -> dict[str, str]:
    """Return the tables to make, by the kind of the other seats."""
    body: dict[str, object] = {"game": game.name, **_wish(base, edition), **_special(game, options)}

    def seats(kind: str) -> list[dict[str, str]]:
        other = {"kind": kind} | ({"bot": bots.default(game)} if kind == "bot" else {})
        return [{"kind": "me"}, *[other] * (players - 1)]

    return {kind: json.dumps(body | {"seats": seats(kind)}, ensure_ascii=False) for kind in _kinds(game)}


def _wish(base: Edition, edition: Edition) -> dict[str, object]:
    """Return what a request says of an edition."""
    differing = {one.entry.path: one.after for one in fields.differences(base, edition)}
    return {"edition": base.name} | ({"changes": differing} if differing else {})


def _special(game: Game, options: Mapping[str, str]) -> dict[str, object]:
    special = {name: value for name, value in options.items() if value != _usual(game, name)}
    return {"options": special} if special else {}


def _playtest(
    game: Game, edition: Edition | None, first: Edition | None, options: Mapping[str, str], players: int,
    others: Mapping[str, str],
) -> PlaytestView:  # fmt: skip
    """Return the playtest of an edition (None while something is wrong), compared with the `first`, if there is one.
    `others`: the parameters of the page besides its values."""
    among = [one for one in (first, edition) if one is not None]
    bases = [game.named(one.base or one.name) for one in among]
    body, second, first_address = "", "", ""
    stay = {name: text for name, text in others.items() if name not in (PURPOSE, FIRST)}
    stay |= {PURPOSE: PLAYTEST, PLAYERS: str(players)}
    if edition is not None:
        wishes = [_wish(base, one) for base, one in zip(bases, among, strict=True)]
        wish = {"game": game.name, "editions": wishes, "seats": players, **_special(game, options)}
        body = json.dumps(wish, ensure_ascii=False)
    if first is not None:
        first_address = numbers_address(game, bases[0], fields.given(bases[0], first) | stay)
    elif edition is not None:
        base, given = bases[-1], fields.given(bases[-1], edition)
        mine = f"{base.name}?{urlencode(given, safe=',:;')}" if given else base.name
        second = numbers_address(game, game.named(), stay | {FIRST: mine})
    return PlaytestView(
        game.text.TITLE[:MOST_NAME].strip(), body, fields.said(bases[0], first) if first is not None else (),
        first_address, second,
    )  # fmt: skip


def _kinds(game: Game) -> tuple[str, ...]:
    return tuple(kind for kind in KINDS if kind != "bot" or bots.names(game))
