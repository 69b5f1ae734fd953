"""The files that pages load: scripts, the stylesheet of all pages, each game's look; icons, the
manifest, and covers for programs that preview links.

A file's address holds a hash of what is in it, so a browser that has it never asks again. Scripts
import each other by relative names, and the manifest its icons; therefore what is ours has one hash
over all of it, as a folder (`/static/HASH/table.js` finds `/static/HASH/ui.js`), and no import needs
to be rewritten. In the source each subject has its own folder `static`, and no two files the same name.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from parlour.core import html
from parlour.core.colours import portable
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.games import all_games
from parlour.games import find as find_game

HOUSE = Path(__file__).parents[1]
SHEET, THEMES = "page.css", "themes.css"
NOW = "now"  # instead of the hash: the file as it is now
COVER = "cover.png"
SHELL = (
    SHEET,
    "theme.js",
    "offline.js",
    "icon.svg",
    "icon-180.png",
    "manifest.webmanifest",
)  # of the page kept by browsers
LOOK, PICTURE = ("game-", ".css"), ("cover-", ".png")  # round a game's name
KINDS = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip
SOURCES = {path.name: path for path in HOUSE.rglob("static/*") if path.suffix in KINDS}  # of all subjects, by name


# What is for those who read the source is not sent: indentation and empty lines; in stylesheets comments, and spaces
# and semicolons that part nothing (an empty property keeps its space: older browsers need it); in scripts types, and
# comments on lines of their own or behind code that hold no quote (so nothing in a string is taken for one).
REMARKS = {
    ".js": re.compile(
        rb"""^\s*//.*\n|^\s*/\*\*(?:(?!\*/)[\s\S])*\*/\n|/\*\* @.*?\*/ ?|(?<=[;{},(\[)]) // [^"'`\n]*$|^\s+""", re.M
    ),
    ".css": re.compile(
        rb"""/\*.*?\*/\n?|(?m:^\s+)|("[^"]*"|'[^']*')|(?<!:)\s*(?:;\s*(?=\})|([{};,]))\s*|(?<=:)\s+(?![;}])""", re.S
    ),
}


@dataclass(frozen=True)
class File:
    """A file, and the hash in its address."""

    name: str
    data: bytes
    version: str

    @property
    def kind(self) -> str:
        """Return its media type."""
        return KINDS[Path(self.name).suffix]

    @property
    def address(self) -> str:
        """Return its address."""
        return f"/static/{self.version}/{self.name}"


@cache
def _ours() -> dict[str, File]:
    """Return scripts, icons, and the stylesheet of all pages, which begins with core's."""
    found = {name: path.read_bytes() for name, path in sorted(SOURCES.items())}
    for name, data in found.items():
        if name.endswith(".css"):
            found[name] = portable(data.decode()).encode()
    found[SHEET] = html.look().encode() + found[SHEET]
    found = {name: _bare(data, Path(name).suffix) for name, data in found.items()}
    version = _hash(*(part for name, data in found.items() for part in (name.encode(), data)))
    return {name: File(name, data, version) for name, data in found.items()}


def _bare(data: bytes, kind: str = ".css") -> bytes:
    remark = REMARKS.get(kind)
    return remark.sub(lambda found: b"".join(filter(None, found.groups())), data) if remark else data


def _hash(*parts: bytes) -> str:
    made = sha256()
    for part in parts:
        made.update(b"%d:%b" % (len(part), part))
    return made.hexdigest()[:16]


@cache
def look_of(game: Game) -> File:
    """Return a game's look, for the pages that show its scene."""
    data = _bare(html.style(game).encode())
    return File(game.name.join(LOOK), data, _hash(data))


@cache
def cover_of(game: Game) -> File:
    """Return a game's cover, for link previews of its tables; the default cover if it has none."""
    return File(game.name.join(PICTURE), game.cover, _hash(game.cover)) if game.cover else _ours()[COVER]


@cache
def themes(games: tuple[Game, ...]) -> File:
    """Return the colours of these games, for the page that lists them."""
    data = _bare("".join(map(html.theme, games)).encode())
    return File(THEMES, data, _hash(data))


def prepare() -> None:
    """Read the files of all pages, so that the first request need not wait until they are read."""
    _ours()


def worker() -> File:
    """Return the service worker (`sw.js`), with what it needs to show the offline page."""
    found = _ours()["sw.js"]
    shell = ["/offline", *(address(name) for name in SHELL)]
    head = f"const VERSION = {json.dumps(found.version)}, SHELL = {json.dumps(shell)};\n"
    return replace(found, data=head.encode() + found.data)


def address(name: str) -> str:
    """Return the address of a script, or of the stylesheet of all pages."""
    return _ours()[name].address


def find(name: str) -> File | None:
    """Return the file of that name as it is now."""
    if name == THEMES:
        return themes(tuple(all_games().values()))
    for (head, end), of in ((LOOK, look_of), (PICTURE, cover_of)):
        if name.startswith(head) and name.endswith(end):
            try:
                return of(find_game(name[len(head) : -len(end)]))
            except ParlourError:
                return None
    return _ours().get(name)
