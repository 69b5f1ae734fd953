"""What a page shows round the scene: the result of a game, and the facts about it, with the house's classes."""

from __future__ import annotations

from html import escape

from parlour.core.facts import RULESET
from parlour.core.fitting import title_size
from parlour.core.garland import garland
from parlour.core.html import shape
from parlour.core.scene import number
from parlour.core.standing import Standing, beyond, headline, raced, standings, sudden
from parlour.solo.table import PACES, PERSON, Table

FASTER = '<button class="act faster" data-faster data-key="faster"><span>Faster</span></button>'


def rest(table: Table) -> str:
    """Return `<section data-key="table">`."""
    match = table.match
    status = "over" if match.over else "playing"
    names, pace = escape("|".join(match.names)), table.pace / PACES["normal"]
    return (
        f'<section class="rest" data-key="table" data-seated data-names="{names}" data-status="{status}"'
        f' data-pace="{pace:.3g}">'
        f"{_result(table) if match.over else FASTER}{_about(table)}</section>"
    )


def title(table: Table) -> str:
    """Return the title of the browser's window."""
    return f"{'Your turn: ' if table.mine else ''}{table.game.text.TITLE}"


def _result(table: Table) -> str:
    match = table.match
    at_once = sudden(table.game, match.state)
    found = standings(match.returns, match.scores, table.game.race(match.state), at_once=at_once)
    said = headline(found, match.scores, match.names, PERSON)
    words = said.words.format(*(f"<bdi>{escape(name)}</bdi>" for name in match.names))
    end = beyond(match.scene(PERSON).prompt, found, match.names)
    why = f'<p class="why">{escape(end)}</p>' if end else ""
    return (
        f'<section class="result ending" data-key="result" aria-label="Result" data-mood="{said.mood}"'
        f' data-cheer="{escape(" ".join(table.game.cheer))}"><div class="sheet card-like">'
        f"{garland(said.mood, table.game.cheer, found[0].seat)}"
        f'<h1 tabindex="-1" data-em="{title_size(said.words, match.names)}">{words}</h1><p class="start">'
        '<button class="act main" data-post="rematch" data-key="rematch"><span>Play again</span></button>'
        '<a class="act" href="index.html"><span>Another game</span></a>'
        '<button class="act" data-record data-key="record"><span>Record</span></button>'
        '<button class="act" data-board="open"><span>See the board</span></button>'
        '<button class="act" data-board="shut"><span>Result</span></button></p>'
        f'{why}<ol class="totals">{"".join(_row(table, one) for one in found)}</ol>'
        f"{_moment(table, found[0].seat, at_once=at_once)}"
        f'<p class="reason" data-key="result-reason" role="alert"></p>{_fair(table)}</div></section>'
    )


def _moment(table: Table, winner: int, *, at_once: bool) -> str:
    """Return the step that decided the game; `ending.js` draws its board."""
    step, words = table.turning()
    if step < 0:
        return ""
    who = "you" if winner == PERSON else f"<bdi>{escape(table.match.names[winner])}</bdi>"
    head = f"{who[0].upper()}{who[1:]} won on the spot" if at_once else f"This put {who} ahead for good"
    return (
        f'<div class="moment" data-key="moment" data-step="{step}"><span class="still" aria-hidden="true"></span>'
        '<button class="plain enlarge" data-enlarge aria-expanded="false"><span>Large board</span></button>'
        f'<span class="told"><b>{head}</b><span>{escape(words)}</span></span></div>'
    )


def _row(table: Table, one: Standing) -> str:
    """Return a seat in the standings."""
    counted = raced(table.game, table.match.state)
    of = f"<small>{escape(counted[one.seat])}</small>" if counted and counted[one.seat] else ""
    name = escape(table.match.names[one.seat])
    short = f"<small>−{number(one.behind)}</small>" if one.behind else ""
    return (
        f'<li class="{"first" if one.place == 1 else ""}"><span class="place">{one.place}</span>{shape(one.seat)}'
        f'<span class="who"><b><bdi>{name}</bdi></b></span>'
        f'<span class="points">{of}<output>{number(one.shown)}</output>{short}</span></li>'
    )


def _fair(table: Table) -> str:
    """Return how the dice and cards were drawn, and how to check it."""
    match = table.match
    seed = f"<dt>Seed</dt><dd><code>{escape(match.seed or '')}</code></dd>" if match.over else ""
    end = "Download the record, and <code>parlour verify</code> repeats every draw." if match.over else ""
    return (
        '<details class="fair" data-key="fair"><summary>Fair dice and cards</summary><p>Your browser chose a secret '
        "seed before the first roll or draw, and every roll and card is drawn from it. The bots see only what a player "
        f"in their seat may see. {end}</p>"
        f"<dl><dt>Fingerprint (SHA-256)</dt><dd><code>{escape(match.commitment)}</code></dd>{seed}</dl>"
        "</details>"
    )


def _about(table: Table) -> str:
    match, game = table.match, table.game
    players = "".join(
        f"<li>{shape(seat)}<span><bdi>{escape(name)}</bdi></span>"
        f"<small>{'you' if seat == PERSON else f'bot: {escape(table.level)}'}</small></li>"
        for seat, name in enumerate(match.names)
    )
    guide = again = ""
    if not match.over:
        again = f'<p class="parting">{_button("New game", "anew", "opens")}</p>'
        if game.guide(match.options.get(RULESET, "")):
            guide = f"<p>{_button('Show the first steps', 'start', 'guide')}</p>"
    return (
        '<section class="drawer" id="panel-about" role="tabpanel" aria-labelledby="tab-about" data-key="about" '
        f'tabindex="0"><h2>Players</h2><ul class="present">{players}</ul>{again}'
        f'<h2>Rules</h2><p><a href="{escape(table.rules)}">Rulebook of {escape(game.text.TITLE)}</a>. '
        f"Edition: {escape(match.edition.title)}.</p>{guide}"
        "<h2>This page</h2><p>The game runs in your browser and nowhere else. It is saved here after each move.</p>"
        f"{'' if match.over else _fair(table)}</section>"
    )


def _button(words: str, value: str, kind: str) -> str:
    """Return a button that the page's scripts know by `data-KIND="VALUE"`."""
    return f'<button class="act" data-{kind}="{value}" data-key="{kind}-{value}"><span>{words}</span></button>'
