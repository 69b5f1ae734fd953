"""The files `ladder.toml` in games' folders, from the tables of docs/bots.md, where the arena wrote them:
`python -m tests.docs.ladders --write` after a new ladder."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import parlour
from parlour.analysis import figures
from parlour.core.game import Game
from tests.docs.rulesets import DOCS, rulesets, sections

PACKAGE = Path(parlour.__file__).parent
SHARE = re.compile(r"([\d.]+) % \(([\d.]+) to ([\d.]+)\)")
HEAD = """# How strong the bots are against each other: from docs/bots.md, which has the commands that measured it.
# Written by `python -m tests.docs.ladders --write`.
"""


def texts() -> dict[Path, str]:
    """Return the files as they should be."""
    cells = figures.cells((DOCS / "bots.md").read_text("utf-8"))
    found: dict[Path, str] = {}
    for one in rulesets():
        for under, edition in sections(one):
            rows = {
                address.partition(": ")[2]: next(iter(said)) for (anchor, address), said in cells.items()
                if anchor == under and address.startswith("share of the wins: ") and " over " in address
            }  # fmt: skip
            if not rows:
                continue
            part = [
                "[[ladders]]", f'ruleset = "{one.name}"', f'edition = "{edition}"',
                f"players = {one.game.facts.players[0]}", "rungs = [",
            ]  # fmt: skip
            for pair, share in rows.items():
                upper, _, lower = pair.partition(" over ")
                match = SHARE.fullmatch(share)
                assert match is not None, share
                middle, low, high = (f"{float(number) / 100:.3f}" for number in match.groups())
                games = next(iter(cells[under, f"games: {pair}"])).replace(",", "")
                part.append(
                    f'    {{ upper = "{upper}", lower = "{lower}", share = {middle}, low = {low}, high = {high}, '
                    f"games = {games} }},"
                )
            file = path(one.game)
            found[file] = found.get(file, HEAD) + "\n" + "\n".join([*part, "]", ""])
    return found


def path(game: Game) -> Path:
    """Return where a game's ladder is."""
    return PACKAGE.joinpath(*game.package.split(".")[1:], game.place("ladder.toml"))


if __name__ == "__main__":
    for file, text in texts().items():
        if "--write" in sys.argv:
            file.write_text(text, "utf-8")
        else:
            print(text)
