"""`parlour site`: static files with which every board runs in the reader's browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def site(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to write the files; an earlier site is replaced.")
    ],
    added: Annotated[
        list[Path] | None, typer.Argument(metavar="[GAME_DIR]...", help="Folders of games to add to Parlour's own.")
    ] = None,
    pyodide: Annotated[
        Path | None,
        typer.Option(
            "--pyodide", metavar="DIR", help="The unpacked npm package pyodide.  [default: npm fetches it, once]"
        ),
    ] = None,
) -> None:
    """Write a site that needs no server: all games against bots, with lessons and rulebooks, in the browser alone.

    Copy DIR to any web space. Python itself runs in the page; the first visit loads about 6 MB, later ones nothing.

    Examples: `parlour site public`, `parlour site public ./my_game`
    """
    from parlour.games import all_games, inside
    from parlour.site import building
    from parlour.site import pyodide as python

    own = [game for place in added or () for game in inside(place)]
    games = {**all_games(), **{game.name: game for game in own}}
    size = building.write(folder, list(games.values()), python.files(pyodide))
    print(f"{folder} has the site: {len(games)} games, {size / 1e6:.1f} MB. To try it here:")
    print(f"  python3 -m http.server --directory {folder}")
