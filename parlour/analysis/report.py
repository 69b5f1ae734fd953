"""Statistics as a section of the game's page in docs/games/, with pictures."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from parlour.analysis import charts
from parlour.analysis.charts import Row
from parlour.analysis.statistics import Statistics
from parlour.analysis.tables import markdown

HEADING = "## Statistics"
BEGIN, END = "<!-- written by `parlour stats`: begin -->", "<!-- written by `parlour stats`: end -->"
WIDE = 6  # columns
PICTURES = {"length": "How long games are", "seats": "Who wins, by place in turn order", "scores": "Scores"}


def variants(found: Sequence[Statistics]) -> dict[str, list[Statistics]]:
    """Group the statistics by ruleset and edition, in their order; those of the same bots are neighbours."""
    bots = list(dict.fromkeys(one.who for one in found))
    groups: dict[str, list[Statistics]] = {}
    for one in sorted(found, key=lambda one: bots.index(one.who)):
        groups.setdefault(one.shape.variant, []).append(one)
    groups = {name: groups[name] for name in dict.fromkeys(one.shape.variant for one in found)}
    return groups


def longest(group: Sequence[Statistics]) -> str:
    """Return a sentence about the longest random game of a ruleset and how near it came to the bound."""
    alike = [(one.steps.most, one) for one in group if one.who == "random" and one.steps and one.seed is not None]
    if not alike:
        return ""
    most, one = max(alike, key=lambda pair: pair[0])
    bound = f"; the rules' bound there is {one.bound:,}" if one.bound else ""
    return (
        f"The longest random game seen has {most:,} steps ({one.shape.players} players, "
        f"game {one.longest:,} of seed {one.seed}){bound}."
    )


def pictures(found: Sequence[Statistics]) -> dict[str, str]:
    """Draw the pictures: name -> SVG. Leaves out shapes with several kinds of bots at one table."""
    alike = [one for one in found if len(set(one.bots)) == 1]
    if not alike:
        return {}
    kinds = list(dict.fromkeys(one.bots[0] for one in alike))
    labels = [f"{one.shape.variant}, {one.shape.players} players".removeprefix(", ") for one in alike]
    titled = [(label, kinds.index(one.bots[0]), one) for label, one in zip(labels, alike, strict=True)]
    title = alike[0].shape.game.text.TITLE
    spread = "Half of the {} are in the box, nine tenths between the whiskers; the mark at the right is the {}."
    return {
        "length": charts.boxes(
            f"{title}: decisions a game",
            spread.format("games", "longest"),
            [Row(label, kind, one.decisions) for label, kind, one in titled],
            kinds,
        ),
        "seats": charts.dots(
            f"{title}: wins above an equal share, in percentage points",
            "By place in turn order: 1 began. The line is the 95 % confidence interval.",
            [Row(label, kind, one.order) for label, kind, one in titled],
            kinds,
        ),
        "scores": charts.boxes(
            f"{title}: scores at the end",
            spread.format("players", "highest"),
            [Row(label, kind, one.scores) for label, kind, one in titled],
            kinds,
        ),
    }


def section(found: Sequence[Statistics], command: str) -> str:
    """Return the text between BEGIN and END."""
    game = found[0].shape.game.name
    drawn = any(len(set(one.bots)) == 1 for one in found)
    sizes = dict.fromkeys((one.games, one.who) for one in found)
    played = " and ".join(f"{games:,} games between {bots} players" for games, bots in sizes)
    parts = [
        f"{played} for each number of players. Shares of wins come with half of their 95 % confidence interval; places "
        f"in turn order are counted from the seat that began. Made by `{command}`.",
        *(f"![{about}]({game}-{name}.svg)" for name, about in PICTURES.items() if drawn),
    ]
    for variant, group in variants(found).items():
        if variant:
            parts.append(f"### {variant}")
        parts += [longest(group)] if longest(group) else []
        parts += [markdown(columns).rstrip() for columns in _narrow(group)]
    return "\n\n".join(parts)


def _narrow(group: Sequence[Statistics]) -> list[list[Statistics]]:
    """Return the columns of one table, or of one for each kind of bots if one would be too wide to read."""
    if len(group) <= WIDE:
        return [list(group)]
    return [[one for one in group if one.who == bots] for bots in dict.fromkeys(one.who for one in group)]


def rewrite(page: str, text: str, begin: str = BEGIN, end: str = END, heading: str = HEADING) -> str:
    """Return the page with `text` between the marks; if it has no marks, under `heading`, which may also be new."""
    wrapped = "\n\n".join(map(_wrapped, text.split("\n\n")))
    whole = f"{begin}\n\n{wrapped}\n\n{end}"
    if begin in page and end in page:
        return page[: page.index(begin)] + whole + page[page.index(end) + len(end) :]
    if heading not in page.splitlines():
        page = f"{page.rstrip()}\n\n{heading}\n"
    place = f"\n{page}\n".index(f"\n{heading}\n") + len(heading)
    return f"{page[:place]}\n\n{whole}\n\n{page[place:].lstrip()}".rstrip() + "\n"


def _wrapped(part: str) -> str:
    """Wrap a paragraph at 100 characters, with code unbroken; leave tables, pictures and headings as they are."""
    if part.startswith(("|", "!", "#", "<")):
        return part
    whole = re.sub(r"`[^`]+`", lambda code: code[0].replace(" ", "\0"), part)
    return textwrap.fill(whole, 100, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def save(found: Sequence[Statistics], folder: Path) -> list[Path]:
    """Write the pictures into a folder, as GAME-NAME.svg, and return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, svg in pictures(found).items():
        files.append(folder / f"{found[0].shape.game.name}-{name}.svg")
        files[-1].write_text(svg, "utf-8")
    return files
