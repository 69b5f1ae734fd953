"""What one person can do at a tournament now, as plain data: join, leave, go to their table, or wait for others."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import NamedTuple

from parlour.core.scene import listed
from parlour.house.accounts.guests import Guest
from parlour.house.site.titles import nth
from parlour.house.table.live.tempo import shown, tempo_of
from parlour.house.tournaments import rows
from parlour.house.tournaments.boards import Game, Place
from parlour.house.tournaments.deeds import fewest_of
from parlour.house.tournaments.jobs import WAIT
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.rows import Entry, Tournament
from parlour.house.tournaments.showing import FULL, TableView, players, staying
from parlour.house.tournaments.viewing import View

MOST_WAITS = 6  # games that are named, for which someone waits
MANY = 3  # names that fit a heading


class Act(NamedTuple):
    """A button: a link (`href`), or a request (`path`, `body` as JSON), before which it asks if one is `sure`."""

    label: str
    href: str = ""
    path: str = ""
    body: str = "{}"
    main: bool = False
    small: str = ""
    sure: str = ""


class Mine(NamedTuple):
    """What a person sees of their own: where they stand, what they can do, for which games they wait. `entry` is -1
    for a person who does not take part; `table`: the id of the table where they are waited for."""

    kind: str
    title: str
    words: str = ""
    acts: tuple[Act, ...] = ()
    waits: tuple[TableView, ...] = ()
    entry: int = -1
    table: str = ""


class Person(NamedTuple):
    """A person who looks at a tournament: `token` is that of the link by which they came, `member` says that they are
    of its club."""

    guest: Guest
    token: str = ""
    member: bool = False


def mine(known: Known, view: View, person: Person) -> Mine:
    """Return what a person can do now."""
    row, guest = known.tournament, person.guest
    entry = view.cast.entries.get(guest.id)
    found = _mine(known, view, person, entry)
    if row.organiser != guest.id or row.state not in rows.UNDER_WAY:
        return found
    return found._replace(acts=(*found.acts, *_organising(known)))


def _mine(known: Known, view: View, person: Person, entry: Entry | None) -> Mine:
    row = known.tournament
    if row.state == "cancelled":
        return Mine("over", "This tournament was cancelled", row.reason or "You can make a new one.", (_new(),))
    if row.state == "over":
        return _over(view, entry)
    if entry is None or entry.removed:
        return _outside(known, person, entry)
    if entry.left is not None:
        return _left(known, entry)
    if row.state == "announced":
        return _in(known, entry)
    return _playing(known, view, entry)


def _new() -> Act:
    return Act("New tournament", href="/tournaments/new")


def _path(known: Known, what: str) -> str:
    return f"/api/tournaments/{known.tournament.id}/{what}"


def _organising(known: Known) -> tuple[Act, ...]:
    """Return what the organiser alone can do."""
    row = known.tournament
    cancel = Act("Cancel the tournament", path=_path(known, "cancel"), sure="Cancel this tournament for everyone?")
    if row.state != "announced":
        return (cancel,)
    missing = fewest_of(row) - len(staying(known))
    if missing > 0:
        return (cancel,)
    return Act("Start now", path=_path(known, "start"), small="without waiting any longer"), cancel


def _outside(known: Known, person: Person, entry: Entry | None) -> Mine:
    """Return what someone can do who does not take part."""
    row = known.tournament
    if entry is not None:
        return Mine(
            "watch", "You’re watching", "The organiser has removed you from this tournament.", entry=entry.number
        )
    if why := rows.may_join(row):
        return Mine("watch", "You’re watching", why)
    if len(known.entries) >= row.most:
        return Mine("watch", "This tournament is full", f"It has {players(row.most)}.")
    if not person.guest.claimed:
        act = Act("Create an account", href="/me", main=True)
        return Mine("account", "Join this tournament", "You need an account: a name and a password.", (act,))
    if row.club_id is not None and not person.member:
        return Mine("watch", "You’re watching", "Only members of its club can join this tournament.")
    if row.token and person.token != row.token and not person.member:
        return Mine("watch", "You’re watching", "You need the link of this tournament to join it. Ask the organiser.")
    body = json.dumps({"token": person.token}) if person.token else "{}"
    act = Act("Join", path=_path(known, "join"), body=body, main=True)
    return Mine("join", "Join this tournament", _before(known, joined=False), (act,))


def _before(known: Known, *, joined: bool) -> str:
    """Return what happens next before the start, in words."""
    row = known.tournament
    if row.state == "running":
        return "It is in play, and you can still join: we pair you as soon as we can."
    missing = fewest_of(row) - len(staying(known)) - (not joined)
    if missing > 0:
        return f"It needs {missing} more player{'s' * (missing > 1)}, or we cancel it at the start."
    if row.starts_at is None:
        return "It starts when the organiser says so. We take you to your table."
    return "Be here at the start: we take you to your table."


def _in(known: Known, entry: Entry) -> Mine:
    leave = Act("Leave", path=_path(known, "leave"))
    return Mine("in", "You’re in", _before(known, joined=True), (leave,), entry=entry.number)


def _left(known: Known, entry: Entry) -> Mine:
    if known.tournament.system in ("knock-out", "simultaneous"):
        return Mine("watch", "You have left", "You can watch the games.", entry=entry.number)
    back = Act("Come back", path=_path(known, "join"), main=True)
    arena = known.tournament.system == "arena"
    words = "You keep your points. Come back at any time." if arena else "You keep your points, and miss these rounds."
    return Mine("rest", "You’re taking a break" if arena else "You have left", words, (back,), entry=entry.number)


def _playing(known: Known, view: View, entry: Entry) -> Mine:
    """Return what an entrant can do while the tournament is in play."""
    row = known.tournament
    theirs = view.cast.played.get(entry.number, [])
    current = [game for game in theirs if game.state != "over"]
    if current and current[-1].table_id:
        game = current[-1]
        go = Act("To your table", href=f"/t/{game.table_id}", main=True)
        title = _title(view, game, entry.number)
        return Mine("play", title, _late(row), (go,), entry=entry.number, table=game.table_id or "")
    if current:
        return Mine("wait", "Your game begins", "We open your table now.", entry=entry.number)
    if row.system == "arena":
        rest = Act("Take a break", path=_path(known, "leave"))
        words = "Stay on this page: we take you to your next game."
        return Mine("wait", "We look for your next game", words, (rest,), entry=entry.number)
    if row.system == "knock-out" and (out := _out(known, theirs, entry.number)):
        return Mine("out", "You’re out", out, entry=entry.number)
    return _waiting(known, view, entry, theirs)


def _late(row: Tournament) -> str:
    """Return until when a player must come to their game, and what follows if they don't, in words."""
    tempo = tempo_of(row.tempo)
    if tempo is not None and tempo.slow:
        return f"You have {shown(tempo.delay)} for each decision. If it runs out before you open the table, you lose."
    return f"Your game has begun. Open your table within {shown(WAIT)} of its start, or you lose the game."


def _title(view: View, game: Game, entrant: int) -> str:
    """Return a game of someone, in words: "Round 2: you against Bob"."""
    others = [view.cast.called(place) for place in game.places if place.entrant != entrant]
    *first, last = others if len(others) <= MANY else [f"{len(others)} others"]
    against = f"against {', '.join(first)} and {last}" if first else f"against {last}"
    if view.system in ("arena", "simultaneous"):
        return f"You {against}"
    title = view.steps[game.round - 1].title if game.round <= len(view.steps) else f"Round {game.round}"
    return f"{'Replay' if game.label == 'replay' else title}: you {against}"


def _own(game: Game, entrant: int) -> Place:
    return next(one for one in game.places if one.entrant == entrant)


def _out(known: Known, theirs: Sequence[Game], entrant: int) -> str:
    """Return why an entrant of a knock-out plays no more, "" if they may."""
    if not theirs:
        return ""
    row, last = known.tournament, theirs[-1]
    if last.round < row.round:
        return "You can watch the games that are left."
    share = _own(last, entrant).share or 0.0
    best = max(place.share or 0.0 for place in last.places)
    if row.through == 1 and share < best and not (row.third and _is_semi(known, last)):
        return "You can watch the games that are left."
    return ""


def _is_semi(known: Known, last: Game) -> bool:
    return sum(game.round == last.round and len(game.places) > 1 for game in known.games) == 2


def _waiting(known: Known, view: View, entry: Entry, theirs: Sequence[Game]) -> Mine:
    """Return for which games an entrant waits, between two rounds."""
    row = known.tournament
    playing = [game for game in view.cast.rounds.get(row.round, ()) if game.state != "over"]
    last = theirs[-1] if theirs and theirs[-1].round == row.round else None
    title = _went(last, entry.number) if last else "You wait for the next round"
    leave = Act("Leave the tournament", path=_path(known, "leave"), sure="Leave this tournament?")
    if not playing:
        return Mine("wait", title, "The next round begins in a moment.", (leave,), entry=entry.number)
    final = row.round >= len(view.steps)
    what = "The result is final" if final else "The next round begins"
    words = f"{what} when {'this game is' if len(playing) == 1 else f'these {len(playing)} games are'} over."
    shown = tuple(map(view.cast.table, playing[:MOST_WAITS]))
    return Mine("wait", title, words, () if final else (leave,), shown, entry.number)


def _went(game: Game, entrant: int) -> str:
    """Return how a game ended for one of its players, in words."""
    place = _own(game, entrant)
    if game.how == "bye":
        return "You have a bye in this round"
    if place.missed:
        return "You did not come to your game"
    if game.how == "forfeit":
        return "You won: your opponent did not come"
    share = place.share or 0.0
    return "You won your game" if share > FULL else "You shared the win" if share else "You lost your game"


def _over(view: View, entry: Entry | None) -> Mine:
    """Return how a tournament went for someone."""
    score = view.places.get(entry.number) if entry else None
    if entry is None or score is None:
        return Mine("over", winners_words(view.winners), acts=(_new(),))
    place, alone = score.place, len(view.winners) == 1
    title = f"You finished {nth(place)} of {len(view.places)}"
    if place == 1:
        title = ("You won the tournament" if alone else "You shared first place") if view.winners else winners_words(())
    points = f"{score.points} point{'' if score.points == '1' else 's'}"
    return Mine("over", title, f"{points}{_wins(view, entry.number)}.", (_new(),), entry=entry.number)


def _wins(view: View, entrant: int) -> str:
    """Return how many of their games someone has won, in words; "" if all were byes."""
    games = [game for game in view.cast.played.get(entrant, []) if len(game.places) > 1]
    won = sum((_own(game, entrant).share or 0.0) > FULL for game in games)
    return f", {won} of {len(games)} game{'' if len(games) == 1 else 's'} won" if games else ""


def winners_words(names: Sequence[str]) -> str:
    """Return who won, in a sentence."""
    if not names:
        return "No one scored in this tournament"
    return f"{named(names)} won" if len(names) <= MANY else f"{named(names)} share first place"


def named(names: Sequence[str]) -> str:
    """Return some players in words: their names, or how many they are; a first place may be shared by hundreds."""
    return listed(names) if len(names) <= MANY else players(len(names))


def soon(seconds: float) -> str:
    """Return how long until a moment, roughly, in words: "23 min", "3 h", "2 days"."""
    if seconds < 90:
        return "a moment"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 2 * 86400 else f"{seconds / 86400:.0f} days"


def until(moment: float | None) -> str:
    """Return the same of a moment, "" for none."""
    return "" if moment is None else soon(max(0.0, moment - time.time()))
