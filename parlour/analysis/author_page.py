"""A report as a page for the author of a game: in Markdown with pictures beside it, or as one HTML file without script.

Both are written from the same blocks. Text has `code`, **strong words** and [links](to.md); in the HTML file, which is
read alone, links become plain words.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from parlour.analysis import advice, forest
from parlour.analysis.advice import NOTHING, UNTRIED, Advice
from parlour.analysis.figures import anchor
from parlour.analysis.forest import Line
from parlour.analysis.measures import Measure
from parlour.analysis.stepping import Change, Report
from parlour.analysis.steps import DOWN, Value, Words
from parlour.analysis.wording import NONE, Found, said

WIDTH = 100
HEADS = {  # what the measures are called in tables and pictures
    "1st": "first player wins", "decisions": "decisions", "closeness": "closeness", "drama": "drama",
    "lead-changes": "changes of the lead", "skill": "skill",
}  # fmt: skip
MEANING = {
    "1st": "the share of the wins of the player who begins; a shared win counts in part",
    "decisions": "how many decisions a game has, of all players together",
    "closeness": "1 minus the winner's lead at the end, as a part of the widest gap of the game",
    "drama": "how far the winner was behind after the turns when they were behind, from 0 to 100 %",
    "lead-changes": "how often another player takes the lead",
    "skill": "how far a greedy bot beats its equal share among random ones: 0 is luck alone",
}
STEPS = (
    "A step is the largest of 1, 2, 5, 10, 20 and so on that is at most a tenth of the number, and at least 1. The "
    "value's bounds cut it off. A table is tried entry by entry. So is a short list, and of equal numbers only the "
    "first. In a longer list all numbers move together. Steps with words in place of a number were prepared by hand."
)
OPEN = (
    "Your rulebook leaves some values open, and some of its sentences can be read in more than one way. We chose a "
    "value and a reading for each. Here is what one step of each value, or the other reading, changes."
)
MARKS = (
    "The word beside a clause says where a value comes from: “house” is ours, “outside” is known from other sources, "
    "“derived” follows from the print, and “ruling” is our reading of an unclear rule."
)
STYLE = """
:root { color-scheme: light dark; --paper: light-dark(#f2eadb, #101419); --panel: light-dark(#fbf7ee, #191f27);
  --ink: light-dark(#2a2118, #ece5d6); --soft: light-dark(#63543f, #aba595); --line: light-dark(#d6c7ab, #323b46);
  --accent: light-dark(#7f4f0c, #e8bb66) }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums }
main { max-width: 70rem; margin: 0 auto; padding: 1.2rem 1rem 3rem }
h1, h2 { font-family: Georgia, serif; line-height: 1.2; text-wrap: balance } h1 { font-size: 1.7rem }
h2 { font-size: 1.25rem; margin-top: 2rem; padding-top: .8rem; border-top: 1px solid var(--line) }
p, ul { max-width: 60rem } li { margin: .4rem 0 } strong { color: var(--accent) }
code { font-size: .9em; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; background: var(--panel); font-size: .9rem }
th, td { padding: .35rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
td.number { text-align: right; white-space: nowrap } td:nth-child(3) { min-width: 9rem }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem }
.pictures svg { width: 100%; max-width: 26.25rem; height: auto; border: 1px solid var(--line); border-radius: 10px }
@media (max-width: 52rem) {
  thead { display: none } table, tbody, tr, td { display: block } table { background: none }
  tr { margin: 0 0 .8rem; padding: .4rem .7rem; background: var(--panel); border: 1px solid var(--line);
    border-radius: 8px }
  td, td.number { display: flex; justify-content: space-between; gap: 1rem; padding: .15rem 0; border: 0;
    text-align: right; white-space: normal; min-width: 0 }
  td::before { content: attr(data-head); color: var(--soft); text-align: left } td:empty { display: none }
}
"""


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True)
class Text:
    """Paragraphs, or the items of a list."""

    parts: tuple[str, ...]
    items: bool = False


@dataclass(frozen=True)
class Table:
    """A table; `labels` columns on the left are words, the others numbers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1


@dataclass(frozen=True)
class Picture:
    """A picture (SVG) with its name and what it shows."""

    name: str
    about: str
    svg: str


Block = Heading | Text | Table | Picture


# What the page says ------------------------------------------------------------------------------
def blocks(report: Report, words: Words, command: str) -> list[Block]:
    """Return the page of a report. `command`: the one that writes it."""
    shape, found = report.setup.shape, advice.advise(report)
    title = shape.game.ruleset_line(shape.ruleset).partition(":")[0] if shape.ruleset else shape.game.text.TITLE
    favoured, *others = advice.recommendations(report)
    first = (favoured, words.first) if words.first else (favoured,)
    page: list[Block] = [
        Heading(1, f"{title}: what one step of each value does"),
        Text((f"This page is for the author of {shape.game.text.TITLE}. {OPEN}",)),
        Heading(2, "What we recommend"),
        Text((*first, *others), items=True),
        Heading(2, "How it was measured"),
        Text(tuple(_method(report, command))),
        Heading(2, "The game as it is"),
        _base(report),
    ]  # fmt: skip
    for name, option in (("Readings of unclear rules", True), ("Values", False)):
        chosen = [one for one in found if one.value.option is option]
        if chosen:
            page += [Heading(2, name), Text(tuple(_sentences(report, chosen, words)), items=True)]
        if any(one.value.steps for one in chosen):
            page.append(_table(report, [one.value for one in chosen]))
    return [*page, Heading(2, "In pictures"), *_pictures(report)]


def _method(report: Report, command: str) -> Iterator[str]:
    setup = report.setup
    shape = setup.shape
    edition = f" in the edition `{shape.box.name}`" if len(shape.game.editions) > 1 or shape.box.base else ""
    yield (
        f"Each game has {shape.players} players{edition}, and every seat is the bot `{setup.who}`. We played "
        f"{report.games:,} games of each line with seed {setup.seed}. Each game uses the same random numbers as "
        "its counterpart in the game as it is, so they are compared in pairs. Skill comes from one deal for "
        "ten games, and from at least 100 deals."
    )
    yield (
        "What follows ± is half of a 95 % interval. All that we say is of these bots and no more: people may play "
        f"differently. {STEPS}"
    )
    yield MARKS
    yield advice.thresholds(report)
    yield f"`{command}` plays what is new and writes this page."


def _base(report: Report) -> Table:
    rows = [(HEADS[one.name], said(one, report.base[one.name]), MEANING[one.name]) for one in report.measures]
    return Table(("measure", "as it is", "what it is"), tuple(rows), 3)


def _sentences(report: Report, found: Sequence[Advice], words: Words) -> Iterator[str]:
    """Yield what is said of each value; those of which nothing is to be said together."""
    quiet = [one for one in found if one.kind == NOTHING and not one.value.option and one.value.path not in words.of]
    for one in found:
        if one not in quiet and not (one.kind == UNTRIED and one.value.path not in words.of):
            more = f" {words.of[one.value.path]}" if one.value.path in words.of else ""
            yield f"{_named(one.value)}. {one.sentence}{more}"
    if quiet:
        most = max(_most(report, one.value) for one in quiet)
        moved = (
            f" By the intervals, the first player's share changes by {100 * most:.1f} points at most." if most else ""
        )
        yield f"**No change counts** for {_listed([one.value for one in quiet])}.{moved} Keep them as they are."
    untried = [one for one in found if one.kind == UNTRIED and one.value.path not in words.of]
    if untried:
        said_of = "; ".join(f"{_short(one.value)}: {one.value.why_not}" for one in untried)
        yield f"**Not tried**: {said_of}."


def _named(value: Value) -> str:
    printed = f", “{value.printed}”" if value.printed else ""
    about = f". {value.about.rstrip('.')}" if value.about else ""
    return f"**{value.title}** ({value.clause}, {value.mark}{printed}){about}"


def _listed(values: Sequence[Value]) -> str:
    """Return the names of values, those of one component together: "Cards: gold (3), diamond (2); Jokers (4)"."""
    groups: dict[str, list[str]] = {}
    for value in values:
        group, _, name = _short(value).rpartition(": ")
        groups.setdefault(group or name, []).extend([name] if group else [])
    return "; ".join(f"{group}: {', '.join(names)}" if names else group for group, names in groups.items())


def _short(value: Value) -> str:
    return f"{value.title} ({value.now})" if len(value.now) <= 12 else value.title


def _most(report: Report, value: Value) -> float:
    shares = [one[advice.FIRST] for step in value.steps if advice.FIRST in (one := report.of_step(value, step))]
    return max((max(abs(one.low), abs(one.high)) for one in shares), default=0.0)


def _table(report: Report, values: Sequence[Value]) -> Table:
    lines = [row for value in values for row in rows(report, value)]
    return Table(("value", "now", "step", *(HEADS[one.name] for one in report.measures)), tuple(lines), 3)


def rows(report: Report, value: Value) -> Iterator[tuple[str, ...]]:
    """Yield a row for each step of a value: its name, what it is now, the step, and the change of each measure."""
    for step in value.steps:
        found = report.of_step(value, step)
        cells = (_cell(report, one, found.get(one.name)) for one in report.measures)
        yield value.title, value.now, step.label, *cells


def _cell(report: Report, measure: Measure, change: Change | None) -> str:
    if change is None:
        return NONE
    text = said(measure, Found(*change[:3]), signed=True)
    text = "0" if not any(change[:3]) else text
    return f"**{text}**" if advice.counts(report, measure.name, change) else text


def _pictures(report: Report) -> Iterator[Picture]:
    note = "Change and 95 % interval; filled: it counts."
    for measure in report.measures:
        lines, before = [], ""
        for value, step in report.steps:
            change = report.of_step(value, step).get(measure.name)
            if change is None:
                continue
            if value.path != before:
                lines.append(Line(value.title))
                before = value.path
            factor = 100 if measure.share else 1
            numbers = factor * change.value, factor * change.low, factor * change.high
            counts = advice.counts(report, measure.name, change)
            lines.append(Line(_step_label(value, step.label), int(step.way != DOWN), numbers, counts))
        title = HEADS[measure.name].capitalize()
        unit = " %" if measure.share else ""
        yield Picture(measure.name, f"{title}: what each step changes", forest.draw(title, note, lines, unit))


def _step_label(value: Value, label: str) -> str:
    return f"{value.now} → {label}" if len(value.now) + len(label) < forest.LETTERS - 3 else f"→ {label}"


# How it is written -------------------------------------------------------------------------------
def files(page: Sequence[Block], name: str, note: str = "") -> dict[str, str]:
    """Return the files of a page in Markdown by their names: NAME.md, and a picture NAME-MEASURE.svg for each."""
    found = {f"{name}.md": (f"<!-- {note} -->\n\n" if note else "") + markdown(page, name)}
    return found | {f"{name}-{one.name}.svg": one.svg for one in page if isinstance(one, Picture)}


def markdown(page: Sequence[Block], name: str) -> str:
    """Return a page in Markdown, with its contents below the title. Its pictures are files that begin with its name."""
    heads = [block.text for block in page if isinstance(block, Heading) and block.level > 1]
    contents = "\n".join(f"- [{head}](#{anchor(head)})" for head in heads)
    title, about, *rest = (_markdown(block, name) for block in page)
    return "\n\n".join([title, about, contents, *rest]) + "\n"


def _markdown(block: Block, name: str) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Text):
        if block.items:
            return "\n".join(_filled(f"* {part}", "  ") for part in block.parts)
        return "\n\n".join(map(_filled, block.parts))
    if isinstance(block, Picture):
        return f"![{block.about}]({name}-{block.name}.svg)"
    rules = ["---"] * block.labels + ["--:"] * (len(block.heads) - block.labels)
    rows = [block.heads, rules, *block.rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def _filled(text: str, indent: str = "") -> str:
    whole = re.sub(r"`[^`]+`", lambda code: code[0].replace(" ", "\0"), text)
    lines = textwrap.fill(whole, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


def html(page: Sequence[Block]) -> str:
    """Return a page as one HTML file: it loads nothing and has no script."""
    title = next(block.text for block in page if isinstance(block, Heading))
    body, pictures = [], []
    for block in page:
        if isinstance(block, Picture):
            pictures.append(block.svg)
        else:
            body.append(_html(block))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + f'\n<div class="pictures">\n{"".join(pictures)}</div>\n</main>\n</body>\n</html>\n'
    )


def _html(block: Heading | Text | Table) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_inline(block.text)}</h{block.level}>"
    if isinstance(block, Text):
        tag = "li" if block.items else "p"
        parts = "\n".join(f"<{tag}>{_inline(part)}</{tag}>" for part in block.parts)
        return f"<ul>\n{parts}\n</ul>" if block.items else parts
    heads = "".join(f"<th>{_inline(head)}</th>" for head in block.heads)
    rows = "\n".join(f"<tr>{_cells(block, row)}</tr>" for row in block.rows)
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _cells(block: Table, row: Sequence[str]) -> str:
    kinds = [""] * block.labels + [' class="number"'] * (len(row) - block.labels)
    return "".join(
        f'<td{kind} data-head="{escape(head)}"><span>{_inline(cell)}</span></td>' if cell else f"<td{kind}></td>"
        for kind, head, cell in zip(kinds, block.heads, row, strict=True)
    )


def _inline(text: str) -> str:
    """Return a text with its marks as elements; links as their words."""
    plain = escape(re.sub(r"\[([^\[\]]+)\]\([^()]+\)", r"\1", text), quote=False)
    strong = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", plain)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", strong)
