"""The pages as HTML: plain data in, text out. Together with `core.html` the only place that knows markup; Jinja2
escapes all names and words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from parlour import bots
from parlour.core import html, placing
from parlour.core.edition import HOUSE
from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.scene import Line, Scene, number, past
from parlour.table.house.guests import Guest
from parlour.table.live.showing import Frame
from parlour.table.live.signs import named_html
from parlour.table.live.table import Table
from parlour.table.pages import files
from parlour.table.pages.changes import Drawing, read
from parlour.table.pages.fragments import drawn
from parlour.table.pages.page import COMMON, CUT, Part, apart, parts
from parlour.table.pages.views import LobbyView, TableView
from parlour.table.play.seating import PACES

CLAUSE = re.compile(r"\b([A-Z]{2}-\d+)\b")


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("parlour.table.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        auto_reload=False,
    )
    found.globals.update(
        number=number, shape=lambda seat: Markup(html.shape(seat)), paces=PACES, file=files.address,
        shared=lambda **parts: Markup(placing.shared(**parts)), cut=Markup(CUT), common=Markup(CUT + COMMON),
    )  # fmt: skip
    return found


def load(games: Iterable[Game]) -> None:
    """Load and compile what pages are made from, so that no visitor waits for it, and nobody
    else either."""
    games = tuple(games)
    files.themes(games)
    for name in _templates().list_templates():
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
            rules(game),
        )


def _page(name: str, title: str, guest: Guest | None, games: Sequence[Game] = (), /, **more: Any) -> tuple[Part, ...]:
    look = files.look_of(games[0]) if len(games) == 1 else files.themes(tuple(games))  # a look is where its scene is
    text = _templates().get_template(f"{name}.html").render(
        title=title, guest=guest, page=more.pop("script", name), shapes=html.SHAPES, art=list(map(html.art, games)),
        look=look.address if games else "", rules=_address(games[0]) if len(games) == 1 else "", **more,
    )  # fmt: skip
    return parts(text)


def _address(game: Game) -> str:
    """Where the game's rulebook is."""
    return f"/rules/{game.name}"


def lobby(view: LobbyView, games: Sequence[Game], broken: Sequence[str] = ()) -> tuple[Part, ...]:
    """`GET /`: the games, tables to join, to watch, mine. `broken`: names of games that do not
    load. (The reason is only for the person who runs the house: it may name their folders.)"""
    return _page("lobby", "Parlour", view.guest, games, view=view, games=list(map(_game_card, games)), broken=broken)


def lists(view: LobbyView) -> tuple[Part, ...]:
    """`GET /?only=tables`: the lists of the lobby alone."""
    return parts(_templates().get_template("lists.html").render(view=view))


def _game_card(game: Game) -> dict[str, Any]:
    """The lobby's card of a game, and the three tables that one click makes, in the ruleset that is
    chosen there."""

    def table(other: Mapping[str, str]) -> str:
        rest = [other] * (game.facts.players[0] - 1)
        return json.dumps({"game": game.name, "seats": [{"kind": "me"}, *rest]})

    return {
        "name": game.name,
        "title": game.text.TITLE,
        "tagline": game.text.TAGLINE,
        "minutes": game.text.MINUTES,
        "players": game.facts.players,
        "how_many": game.seats,
        "bots": bots.names(game),
        "bot": bots.default(game),
        "editions": list(game.editions.values()),
        "options": game.facts.options,
        "rulesets": {ruleset: game.ruleset_line(ruleset) for ruleset in game.rulesets},
        "start": {
            "with_bot": table({"kind": "bot", "bot": bots.default(game)}),
            "with_friend": table({"kind": "open"}),
            "here": table({"kind": "here"}),
        },
    }


def table(
    view: TableView,
    guest: Guest,
    game: Game,
    frame: Frame | None,
    log: Sequence[Line],
    token: str,
    ending: Ending | None = None,
) -> tuple[Part, ...]:
    """`GET /t/ID`: a table. `frame` is None while it waits for players; `log` is the whole log so
    far (the lines of `frame` are in it); `token` is not empty when the guest came by a seat's own
    link and may sit there."""
    scene, names = scene_drawing(game, frame.scene) if frame else None, [seat.name for seat in view.seats]
    rest = table_html(view, game, ending)
    mine = frame is not None and frame.scene.to_move is not None and frame.scene.to_move == view.my_seat
    return _page(
        "table", title(game, mine=mine), guest, [game], view=view, frame=frame, token=token,
        guide=game.guide(_ruleset(view)), log=named_html(lines_html(game, log), names),
        scene=named_html(scene.text, names) if scene else '<section class="scene" data-key="scene" hidden></section>',
        rest=apart(rest, *(seat.invite for seat in view.seats)),
        have=f"{scene.mark if scene else ''}.{read(rest).mark}",
    )  # fmt: skip


def replay(view: TableView, guest: Guest, game: Game, frame: Frame, log: Sequence[Line]) -> tuple[Part, ...]:
    """`GET /t/ID/replay?step=N`: the position after step `frame.version` of `view.version`; `log`
    up to there."""
    names = [seat.name for seat in view.seats]
    return _page(
        "replay", f"Replay of {view.title}", guest, [game], view=view, frame=frame,
        log=named_html(lines_html(game, log), names), scene=named_html(past_html(game, frame), names),
    )  # fmt: skip


def analysis(**told: Any) -> str:
    """The inside of the replay page's `<section data-key="analysis">`: see `pages.graph`."""
    return _templates().get_template("analysis.html").render(**told)


@cache
def rules(game: Game) -> tuple[Part, ...]:
    """`GET /rules/GAME`: the rulebook; each clause is an anchor. Then the components of each
    edition, and options. It is the same for everybody."""
    editions = [
        {
            "title": edition.title,
            "note": edition.note,
            "rows": [row for name, part in edition.components.items() for row in _rows(name, part.value, part)],
        }
        for edition in game.editions.values()
    ]
    return _page(
        "rules", f"{game.text.TITLE}: rules", None, script="", game=game, book=_book(game), editions=editions,
        options=game.facts.options,
    )  # fmt: skip


def _rows(name: str, value: Any, part: Any) -> list[dict[str, Any]]:
    """A component as rows of a table: one for each entry of a table of values."""
    words = name.replace("_", " ")
    if isinstance(value, dict):
        entries = [(f"{words}: {key.replace('-', ' ')}", entry, "") for key, entry in value.items()]
        entries[0] = (*entries[0][:2], part.note)
    else:
        entries = [(words, ", ".join(map(str, value)) if isinstance(value, list) else value, part.note)]
    return [
        {"name": said, "value": entry, "mark": part.mark, "clause": part.clause, "note": note}
        for said, entry, note in entries
    ]


@cache
def _book(game: Game) -> str:
    """The rulebook as HTML: a paragraph that starts with a clause's number is its anchor; others
    are links to it."""
    book = MarkdownIt("js-default", {"html": False, "linkify": False}).render(game.rulebook)
    found = set(re.findall(rf"<(?:p|li)>\s*<strong>{CLAUSE.pattern}</strong>", book))
    book = CLAUSE.sub(lambda m: f'<a href="#{m[1]}">{m[1]}</a>' if m[1] in found else m[1], book)
    heads = re.compile(r"<(p|li)>(\s*)<strong><a href=\"#([A-Z]{2}-\d+)\">(.*?</strong>)")
    ours = {
        part.clause for edition in game.editions.values() for part in edition.components.values() if part.mark == HOUSE
    }

    def head(match: re.Match[str]) -> str:
        tag, space, clause, rest = match.groups()
        mark = " <mark>house value</mark>" if clause in ours else ""
        return f'<{tag} id="{clause}" class="rule">{space}<strong><a href="#{clause}">{rest}{mark}'

    return heads.sub(head, book)


def error(status: int, problem: ParlourError) -> tuple[Part, ...]:
    """A refusal, as a page."""
    return _page("error", "Not possible", None, script="", status=status, problem=problem)


def scene_drawing(game: Game, scene: Scene) -> Drawing:
    """The pieces on the table, `<section data-key="scene">`: only what was not drawn just before is
    drawn anew."""
    return drawn(scene, _address(game))


def past_html(game: Game, frame: Frame) -> str:
    """The table at an earlier step, for a replay."""
    return html.render(past(frame.scene, frame.lines), _address(game))


def lines_html(game: Game, lines: Sequence[Line], first: int = 0) -> str:
    """Lines of the log as `<li>`s, keyed by their number in the whole log, of which `first` come
    before these."""
    return html.lines(tuple(lines), first, _address(game))


class Ending(NamedTuple):
    """A finished game's story, for the result: a line for each seat in a picture of 100 by 40; the
    step of the replay at which the winner got ahead for good, -1 for none."""

    why: Markup
    clause: str
    lines: tuple[str, ...]
    step: int
    told: Markup


def ending(table: Table, viewer: int) -> Ending | None:
    """How a finished game went, None until that is known."""
    if (story := table.story) is None or table.match is None:
        return None
    every = [score for point in story.points for score in point.scores]
    least, last = min(every), max(1, story.points[-1].steps)
    high = max(1, max(every) - least)
    return Ending(
        _named(story.why, table), story.clause,
        tuple(
            " ".join(f"{100 * steps / last:.1f},{40 - 40 * (scores[seat] - least) / high:.1f}"
            for steps, scores in story.points) for seat in range(len(table.seats))
        ),
        table.version_at(viewer, story.ahead + 1) if story.ahead >= 0 else -1, _named(story.told, table),
    )  # fmt: skip


def _named(text: str, table: Table) -> Markup:
    assert table.match is not None
    return Markup(named_html(escape(text), table.match.names))


def table_html(view: TableView, game: Game, ending: Ending | None = None) -> str:
    """Seats, waiting room, result, chat: `<section data-key="table">`."""
    return _templates().get_template("section.html").render(
        view=view, game=game, ending=ending, bots=bots.names(game), guide=game.guide(_ruleset(view)),
        free=sum(seat.kind in ("open", "link") for seat in view.seats),
        winners=[seat.name for seat, share in zip(view.seats, view.result, strict=False) if share > 0],
        ranking=sorted(view.seats, key=lambda seat: -view.scores[seat.index]) if view.result else (),
    )  # fmt: skip


def _ruleset(view: TableView) -> str:
    return next((option.value for option in view.options if option.name == RULESET), "")


def title(game: Game, *, mine: bool) -> str:
    """The title of the browser's window: whether it is one's own turn can be read from another
    tab."""
    return f"{'Your turn: ' if mine else ''}{game.text.TITLE}"
