"""Write a site: all its files, each at an address that never has other content, but for the pages."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.games import BUILT_IN, place_of
from parlour.house.site import files
from parlour.site import bundles, pyodide
from parlour.site.pages import BEGIN, OURS, PLAY, READ, Pages, Python, look, rulesets
from parlour.site.preparing import Kind, prepare

SHEETS = (files.SHEET, "cards.css", "table.css", "rules.css")
PICTURES = ("icon.svg", "icon-turn.svg", "icon-180.png", "icon-192.png", "icon-512.png", "icon-maskable-512.png")
MANIFEST, WORKER, RUN = "manifest.webmanifest", "sw.js", "run.js"
PROGRAMS = "_programs"  # the name of a bundle; games have none that begins so
TRIAL = """
from parlour.solo.door import Door
for body in '{{"lesson": true}}', "{{}}":
    door = Door(*{door})
    door.ask("start", body)
    door.update()
"""
PROGRAM = """
import parlour
match = parlour.new("{name}")
print(match)
match._repr_html_()
"""
MARK = "parlour-site.txt"  # in the folder of a site: what it is, and that `parlour site` may write there again
IMPORTS = re.compile(r"""(?:^import [^;]*?|\bimport\()"\./([\w-]+\.js)"\W""", re.MULTILINE)
EARLY = re.compile(r"""^import [^;]*?"\./([\w-]+\.js)"\W""", re.MULTILINE)  # not those that are imported when needed


def write(folder: Path, games: Sequence[Game], python: dict[str, bytes], *, programs: bool = False) -> int:
    """Write the site of these games into a folder; return its size in bytes.

    `python`: the files of Pyodide. `programs`: with what blocks.js needs to run programs in other pages. What an
    earlier site left there is removed. Raises BadSetup if the folder has other files.
    """
    _clear(folder)
    found = dict(_site(games, python, programs=programs))
    found[WORKER] = _worker(found)
    names = "".join(f"{name}\n" for name in sorted(found))
    mark = f"Written by `parlour site`:\n{names}".encode()  # first: a site that is cut off can be written again
    for name, data in {MARK: mark, **found}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return sum(map(len, found.values()))


def _site(games: Sequence[Game], python: dict[str, bytes], *, programs: bool) -> Iterator[tuple[str, bytes]]:
    """Yield each file but the service worker, with its name."""
    static = _static(games, [RUN] if programs else [])
    where = f"static/{_mark(static)}"
    yield from ((f"{where}/{name}", data) for name, data in static.items())
    loaded = {}
    for name, data in _loaded(games, python, programs=programs):
        loaded[name] = f"games/{name}-{_mark({'': data})}.bin"
        yield loaded[name], data
    python_at = f"python/{_mark(python)}/"
    if programs:
        given = Python(python_at, loaded["library"], loaded["rest"], (loaded[PROGRAMS],))._asdict()
        yield "python.json", json.dumps({**given, "worker": f"{where}/{RUN}"}).encode()
    yield from ((python_at + name, data) for name, data in python.items() if name != pyodide.LIBRARY)
    pages = Pages(
        lambda name: f"{where}/{name}",
        lambda scripts: [name for name in _closure(static, scripts) if name not in scripts],
        lambda game: Python(python_at, loaded["library"], loaded["rest"], (loaded["parlour"], loaded[game.name])),
    )
    yield from ((name, text.encode()) for name, text in pages.all(games))


def _loaded(games: Sequence[Game], python: dict[str, bytes], *, programs: bool) -> Iterator[tuple[str, bytes]]:
    """Yield what workers give Python: the two parts of its library, a bundle for all games and for each; and what
    programs import, which is `import parlour` with its own games."""
    doors = [(one.game.name, one.game.package, one.ruleset, "") for one in rulesets(games)]
    kinds = [Kind([bundles.common(), *map(bundles.of_game, games)], [TRIAL.format(door=door) for door in doors])]
    names = ["parlour", *(game.name for game in games)]
    if programs:
        own = [game for game in games if place_of(game) == BUILT_IN]
        trials = ["from parlour.solo.program import Program", *(PROGRAM.format(name=game.name) for game in own)]
        kinds.append(Kind([bundles.library(own)], trials))
        names.append(PROGRAMS)
    made = prepare(python, kinds)
    yield "library", gzip.compress(made.first, 9, mtime=0)
    yield "rest", gzip.compress(made.rest, 9, mtime=0)
    yield from zip(names, (bundles.packed(one) for kind in made.bundles for one in kind), strict=True)


def _closure(static: Mapping[str, bytes], scripts: Sequence[str]) -> list[str]:
    """Return these scripts and what they import before they run."""
    found = list(scripts)
    for name in found:
        found += [one for one in EARLY.findall(static[name].decode()) if one not in found]
    return found


def _static(games: Sequence[Game], more: Sequence[str]) -> dict[str, bytes]:
    """Return what pages load: the house's scripts as far as they are used, our own, styles, icons."""
    ours = {file.name: files.REMARKS[".js"].sub(b"", file.read_bytes()) for file in (OURS / "static").glob("*.js")}
    ours.pop(WORKER)
    found: dict[str, bytes] = {}
    ahead = [*PLAY, *READ, "theme.js", BEGIN, "worker.js", *more]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found[name] = ours[name] if name in ours else _house(name)
            ahead += IMPORTS.findall(found[name].decode())
    found |= {name: _house(name) for name in (*SHEETS, *PICTURES)}
    found |= {look(game): files.look_of(game).data for game in games}
    found[files.THEMES] = files.themes(tuple(games)).data
    manifest = json.loads(_house(MANIFEST)) | {"id": "../../", "start_url": "../../index.html", "scope": "../../"}
    found[MANIFEST] = json.dumps(manifest).encode()
    return found


def _house(name: str) -> bytes:
    file = files.find(name)
    assert file is not None
    return file.data


def _worker(found: dict[str, bytes]) -> bytes:
    """Return the service worker, with the names of all files."""
    shell = ["./", *sorted(found)]
    head = f"const VERSION = {json.dumps(_mark(found))}, SHELL = {json.dumps(shell)};\n"
    return head.encode() + files.REMARKS[".js"].sub(b"", (OURS / "static" / WORKER).read_bytes())


def _mark(found: dict[str, bytes]) -> str:
    """Return a hash of files and their names."""
    made = sha256()
    for name, data in found.items():
        made.update(b"%d:%b%d:%b" % (len(name), name.encode(), len(data), data))
    return made.hexdigest()[:16]


def listed(folder: Path) -> list[str]:
    """Return the names of a site's files, as they were written."""
    return (folder / MARK).read_text("utf-8").splitlines()[1:]


def _clear(folder: Path) -> None:
    """Remove what an earlier site left. Raises BadSetup."""
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not (folder / MARK).is_file():
        raise BadSetup(f"{folder} has files that are not of a site. Choose an empty folder.")
    top, places = folder.resolve(), set[Path]()  # the folders that had files of the site: others are the user's
    for name in listed(folder):
        file, around = folder / name, (folder / name).resolve().parents
        if top in around:
            file.unlink(missing_ok=True)
            places.update(around[: around.index(top)])
    for place in sorted(places, reverse=True):
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
