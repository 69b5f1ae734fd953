"""The pages as HTML: plain data in, text out. Together with `core.html` the only place that knows markup; Jinja2
escapes all names and words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from parlour import __version__, bots
from parlour.core import html, placing, pruning
from parlour.core.book import LABELS, SOURCES
from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.garland import garland
from parlour.core.scene import Scene, number, past
from parlour.house.accounts.guests import COOKIE_AGE, Guest
from parlour.house.accounts.preferences.choices import PREFERENCES
from parlour.house.editions.pages import NumbersView
from parlour.house.http.page import COMMON, CUT, Part, apart, parts
from parlour.house.lobby.pages import LobbyView
from parlour.house.playtests.questions import FREE, QUESTIONS
from parlour.house.playtests.rows import KEPT as PLAYTEST_KEPT
from parlour.house.playtests.rows import Stand
from parlour.house.profiles import pictures
from parlour.house.site import book, compiled, files, preview
from parlour.house.site.addresses import best_address, today_address
from parlour.house.site.titles import title_of
from parlour.house.social.deeds import MOST_WORDS, REASONS
from parlour.house.table.live.showing import Frame, Told
from parlour.house.table.live.signs import named_html
from parlour.house.table.live.tempo import ABSENCES, LIVE, Tempo, in_words, presets, shown
from parlour.house.table.pages.changes import BEGIN, END, Drawing, put_together
from parlour.house.table.pages.endings import Ending
from parlour.house.table.pages.fragments import drawn, face, faced
from parlour.house.table.pages.results import result_of
from parlour.house.table.pages.views import SeatView, TableView
from parlour.house.table.play.seating import PACES
from parlour.house.table.play.talk import PHRASES
from parlour.house.table.storage.queries import CHAT_STORED, WAITS
from parlour.house.table.storage.rows import LESSON


def _offered(tempo: Tempo) -> tuple[str, str, bool]:
    """Return a tempo as `time.html` offers it."""
    return msgspec.json.encode(tempo).decode(), in_words(tempo), tempo.slow


def _avatar(words: str) -> Markup:
    """Return the picture that these words say."""
    return Markup(pictures.drawn(pictures.Picture(*words.split(" ")), files.address(AVATARS)))


def _faces(seats: Sequence[SeatView]) -> Markup:
    """Return the pictures of a table's players as symbols, by which the plates have them (`fragments.faced`)."""
    parts = files.address(AVATARS)
    return Markup("".join(
        f'<symbol id="{face(seat.index)}" viewBox="0 0 64 64">'
        f"{pictures.within(pictures.Picture(*seat.picture.split(' ')), parts)}</symbol>"
        for seat in seats if seat.picture
    ))  # fmt: skip


@cache
def _templates() -> Environment:
    found = Environment(
        loader=FileSystemLoader(sorted(files.HOUSE.rglob("templates"))),  # of all subjects; a name is in one of them
        autoescape=True,
        undefined=StrictUndefined,
        bytecode_cache=compiled.kept(),
        trim_blocks=True,
        auto_reload=False,
    )
    found.globals.update(
        number=number, shape=lambda seat: Markup(html.shape(seat)), paces=PACES, phrases=PHRASES,
        file=files.address, avatar=_avatar, faces=_faces,
        moment=lambda at: Markup(html.moment(at)), shown=shown, absences=ABSENCES,
        step=lambda words: Markup(html.step(words)),
        days=round(WAITS / 86400), preferences=PREFERENCES, labels=LABELS,
        shared=lambda **parts: Markup(placing.shared(**parts)), cut=Markup(CUT), common=Markup(CUT + COMMON),
        part=Markup(BEGIN), end=Markup(END), path_of=lambda address: urlsplit(address).path,
    )  # fmt: skip
    return found


AVATARS = "avatars.svg"  # the parts of all pictures
LIVES = tuple(zip(LIVE, ("quick clocks", "usual clocks", "1 min a decision"), strict=True))  # before a game is chosen
TEMPOS = (  # as `time.html` offers them then
    *((name, words, False) for name, words in LIVES),
    *map(_offered, presets((1, 1), 1)[len(LIVES) :]),
)
# And what these begin with.
FIRST = ("section.html", "lists.html", "invitations.html", "time.html", "table.html", "lobby.html")


def load(games: Iterable[Game]) -> None:
    """Load and compile what tables and the lobby are made from, so that no request waits for it."""
    games = tuple(games)
    files.themes(games)
    for name in FIRST:
        _templates().get_template(name)
    for game in games:
        _ = (
            game.rules,
            game.text,
            game.scenes,
            game.policy,
            game.solver,
            game.editions,
            html.art(game),
            game.guide(),
            files.look_of(game),
        )


def load_rest(games: Iterable[Game]) -> Iterator[Callable[[], object]]:
    """Yield the same for all other pages, piece by piece: a server that restarts during games has no time for them."""
    for name in _templates().list_templates():
        yield partial(_templates().get_template, name)
    for game in games:
        yield partial(rules, game)
        for ruleset in game.rulesets:
            yield partial(sheet, game, ruleset)


@cache
def cover(game: Game) -> str:
    """Return the symbols that a game's cover needs, of all that the game has."""
    return pruning.symbols(html.art(game), f'<use href="#{game.name}-cover"/>')


def page(name: str, title: str, guest: Guest | None, games: Sequence[Game] = (), /, **more: object) -> tuple[Part, ...]:
    """Return a page from its template, with the look of these games; of several, it shows the covers alone. `script`
    and `sheet`: its own, where these are not those of its name."""
    look = files.look_of(games[0]) if len(games) == 1 else files.themes(tuple(games))  # a look is where its scene is
    rules = rules_address(games[0]) if len(games) == 1 else ""
    text = _templates().get_template(f"{name}.html").render(
        title=title, guest=guest, page=more.pop("script", name), shapes=html.SHAPES,
        art=list(map(html.art if len(games) == 1 else cover, games)),
        look=look.address if games else "", **{"preview": None, "rules": rules, "sheet": "", **more},
    )  # fmt: skip
    return parts(text)


def rules_address(game: Game, options: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the rulebook's address, for the ruleset of these options if the game has several."""
    return f"/rules/{game.name}" + (f"?{RULESET}={options[RULESET]}" if RULESET in options else "")


def lobby(
    view: LobbyView, guest: Guest, games: Sequence[Game], share_url: str, broken: Sequence[str] = (),
    *, today: tuple[object, object] = (None, None), cups: object = None, leads: bool = False,
) -> tuple[Part, ...]:  # fmt: skip
    """`GET /`: the games, tables to join, to watch, mine. `today`: the cards of today's game and of the
    daily puzzle; `cups`: what it says of tournaments, and whether one of the guest's own `leads`. `broken`: names of
    games that do not load. (The reason is only for the person who runs the house: it may name their folders.)"""
    last, ruleset = view.last
    cards = [_game_card(game, ruleset if game.name == last else "") for game in games]
    usual = last if last in {game.name for game in games} else games[0].name if games else ""
    players = [number for game in games for number in (game.facts.players[0], game.facts.players[1])]
    return page(
        "lobby", "Parlour", guest, games, view=view, games=cards, broken=broken, sheet="lobby.css",
        first="" if view.leads or leads else usual, cups=cups,
        numbers=range(min(players), 1 + max(players)) if games else (), most=max(players, default=1),
        lives=LIVES, lead=preview.LEAD, today=today, preview=preview.of_lobby(share_url),
    )  # fmt: skip


def lists(view: LobbyView) -> tuple[Part, ...]:
    """`GET /?only=tables`: the lists of the lobby alone."""
    return parts(_templates().get_template("lists.html").render(view=view))


def macro(template: str, name: str, *shown: object) -> str:
    """Return what a macro of a template draws: a part of a page."""
    return str(getattr(_templates().get_template(template).make_module(), name)(*shown))


def lobby_list(key: str, *shown: object) -> tuple[Part, ...]:
    """Draw one list of the lobby: `running` (with invitations), `past` (with people to invite again),
    `waiting` or `playing`: `<section data-key="...">`."""
    return parts(macro("lists.html", key, *shown))


def _game_card(game: Game, ruleset: str) -> dict[str, object]:
    """Return the lobby's card of a game, with this ruleset chosen if it has it, and the tables that one click makes
    there."""

    def table(other: Mapping[str, str]) -> str:
        rest = [other] * (game.facts.players[0] - 1)
        return json.dumps({"game": game.name, "seats": [{"kind": "me"}, *rest]})

    offered = presets(game.minutes(), game.facts.players[0])
    chosen = ruleset if ruleset in game.rulesets else game.rulesets[0]
    return {
        "name": game.name,
        "title": game.text.TITLE,
        "ruleset": chosen,
        "rules": rules_address(game, {RULESET: chosen} if chosen else {}),
        "tagline": game.text.TAGLINE,
        "minutes": {ruleset: game.how_long(ruleset) for ruleset in game.rulesets},
        "players": game.facts.players,
        "how_many": game.seats,
        "bots": bots.choices(game),
        "bot": bots.default(game),
        "editions": list(game.editions.values()),
        "options": game.facts.options,
        "rulesets": {ruleset: game.ruleset_line(ruleset) for ruleset in game.rulesets},
        "start": {
            "with_bot": table({"kind": "bot", "bot": bots.default(game)}),
            "with_friend": table({"kind": "link"}),  # no one else can take it
        },
        "tempos": [_offered(one) for one in offered],
        "lessons": bool(game.lessons),
    }


class CupLine(NamedTuple):
    """The tournament that a table's game belongs to: its address, its name, and which round it is, in words."""

    href: str
    name: str
    words: str


class Offer(NamedTuple):
    """What a table's page offers a guest: `token` is that of the seat whose link they came by and may take, else "";
    for a table of a playtest, what the guest has to be asked; for a game of a tournament, the line that says so."""

    token: str = ""
    playtest: Stand | None = None
    cup: CupLine | None = None


def table(
    view: TableView,
    guest: Guest,
    game: Game,
    frame: Frame | None,
    log: Told,
    offer: Offer,
    ending: Ending | None = None,
    *,
    mine: bool = False,
) -> tuple[Part, ...]:
    """`GET /t/ID`: a table. `frame` is None while it waits for players; `log` is the whole log so
    far (the lines of `frame` are in it); `mine`: all may know that it is the guest's turn."""
    names, rules = [seat.name for seat in view.seats], rules_of(view, game)
    scene = scene_drawing(rules, frame.scene) if frame else None
    rest = table_drawing(view, game, ending)
    return page(
        "table", title(game, mine=mine), guest, [game], view=view, frame=frame, token=offer.token,
        playtest=offer.playtest, cup=offer.cup, sheet="table.css playtests.css" if offer.playtest else "table.css",
        questions=QUESTIONS, free_words=FREE,
        reasons=REASONS, most_words=MOST_WORDS,
        guide=() if view.origin == LESSON else game.guide(_ruleset(view)), ruleset=_ruleset(view), rules=rules,
        log=named_html(lines_html(rules, log), names),
        scene=named_html(scene.text, names) if scene else '<section class="scene" data-key="scene" hidden></section>',
        rest=apart(rest.text, *(seat.invite.rpartition("/")[2] for seat in view.seats)),
        have=f"{scene.mark if scene else ''}.{rest.mark}",
        preview=preview.of_table(view, game, kept=bool(offer.token)),
    )  # fmt: skip


def replay(view: TableView, guest: Guest, game: Game, frame: Frame, log: Told, graph: str) -> tuple[Part, ...]:
    """`GET /t/ID/replay?step=N`: the position after step `frame.version` of `view.version`; `log` up to there; `graph`
    before its analysis."""
    names, rules, levels = [seat.name for seat in view.seats], rules_of(view, game), bots.choices(game)
    return page(
        "replay", f"Replay of {view.title}", guest, [game], view=view, frame=frame, rules=rules,
        sheet="table.css replay.css", graph=Markup(graph),
        log=named_html(lines_html(rules, log), names), scene=named_html(past_html(rules, frame), names),
        preview=preview.of_replay(view, game), bots=levels,
        level=next((bot for seat in view.seats if (bot := seat.plays_as or seat.bot) in levels), bots.default(game)),
    )  # fmt: skip


def analysis(**values: object) -> str:
    """Return the inside of the replay page's `<section data-key="analysis">`: see `analysis.pages`."""
    return _templates().get_template("analysis.html").render(**values)


def numbers(view: NumbersView, guest: Guest) -> tuple[Part, ...]:
    """`GET /new/GAME`: the numbers of an edition, to change them, to play with them and to share them."""
    return page(
        "edition", f"Change the numbers of {view.game.text.TITLE}", guest, [view.game], view=view,
        sheet="people.css edition.css", rules=rules_address(view.game, view.chosen), preview=preview.of_numbers(view),
    )  # fmt: skip


@cache
def rules(game: Game) -> tuple[Part, ...]:
    """`GET /rules/GAME`: the rulebook, with an anchor for each clause; then the components of each edition, and
    options. It is the same for everyone."""
    return page(
        "rules", f"{game.text.TITLE}: rules", None, [game], game=game, book=book.drawn(game), sources=SOURCES,
        editions=book.editions(game), options=game.facts.options, rulesets=book.rulesets(game),
        printed=book.PRINTED,
    )  # fmt: skip


@cache
def sheet(game: Game, ruleset: str) -> tuple[Part, ...]:
    """`GET /rules/GAME/sheet?ruleset=`: a one-page summary to print."""
    return page(
        "sheet", f"{game.text.TITLE}: summary", None, [game], game=game, text=book.sheet(game, ruleset),
        line=game.ruleset_line(ruleset) if ruleset else "", script="rules",
        sources=book.sheet_sources(game, ruleset), rules=rules_address(game, {RULESET: ruleset} if ruleset else {}),
    )  # fmt: skip


def error(status: int, problem: ParlourError) -> tuple[Part, ...]:
    """Draw a refusal as a page."""
    return page("error", "Not possible", None, script="", status=status, problem=problem)


class HouseFacts(NamedTuple):
    """What the pages about the house say of it: where its keepers can be reached, whether it sends email, and after how
    many days it deletes games against bots, if it does."""

    contact: str
    mails: bool
    keep: float | None


@cache
def words(name: str, facts: HouseFacts, games: tuple[Game, ...]) -> tuple[Part, ...]:
    """`GET /help`, `/about`, `/contact`, `/privacy`: short pages, the same for everyone."""
    games = games if name in ("help", "about") else ()
    contact = facts.contact
    link = f"mailto:{contact}" if re.fullmatch(r"[^\s@]+@[^\s@]+", contact) else contact
    return page(
        "words", name.capitalize(), None, games, script="", sheet="people.css profile.css", name=name, facts=facts,
        games=games, rules="",
        link=link if link.startswith(("mailto:", "https://")) else "", lead=preview.LEAD, version=__version__,
        lines=CHAT_STORED, playtests=round(PLAYTEST_KEPT / 86400), cookies=round(COOKIE_AGE / 86400),
    )  # fmt: skip


@cache
def offline() -> tuple[Part, ...]:
    """`GET /offline`: the page that browsers keep, and show when the server can't be reached."""
    return page("offline", "Not connected", None)


def scene_drawing(rules: str, scene: Scene) -> Drawing:
    """Return the pieces on the table, `<section data-key="scene">`: only what was not drawn just before is
    drawn anew. `rules` is where the rulebook is."""
    return drawn(scene, rules)


def past_html(rules: str, frame: Frame) -> str:
    """Return the table at an earlier step, for a replay."""
    return html.render(faced(past(frame.scene, frame.told.lines)), rules)


def lines_html(rules: str, log: Told) -> str:
    """Return lines of the log as `<li>`s, keyed by their number in the whole log."""
    return html.lines(log.lines, log.first, rules, log.times)


def table_drawing(view: TableView, game: Game, ending: Ending | None = None, like: Drawing | None = None) -> Drawing:
    """Return seats, waiting room, result and chat, `<section data-key="table">`. It shares memory with `like`."""
    result = result_of(view)
    drawn = _templates().get_template("section.html").render(
        view=view, game=game, ending=ending, rules=rules_of(view, game), bots=bots.choices(game),
        tempos=[_offered(one) for one in presets(game.minutes(), game.facts.players[0])],
        guide=game.guide(_ruleset(view)), ruleset=_ruleset(view),
        heading=title_of(game.name, _ruleset(view)), minutes=game.how_long(_ruleset(view)),
        best=best_address(game.name, _ruleset(view)),
        today=today_address(game.name, _ruleset(view), view.day),
        free=sum(seat.kind in ("open", "link") for seat in view.seats),
        result=result, cheer=" ".join(game.cheer),
        garland=garland(result.mood, game.cheer, result.rows[0].seat.index) if result else "",
    )  # fmt: skip
    return put_together(drawn, like)


def rules_of(view: TableView, game: Game) -> str:
    """Return the rulebook's address, for the table's ruleset."""
    return rules_address(game, {option.name: option.value for option in view.options})


def _ruleset(view: TableView) -> str:
    return next((option.value for option in view.options if option.name == RULESET), "")


def title(game: Game, *, mine: bool) -> str:
    """Return the title of the browser's window: whether it is your turn can be read from another
    tab."""
    return f"{'Your turn: ' if mine else ''}{game.text.TITLE}"
