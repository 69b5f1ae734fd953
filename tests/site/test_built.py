"""The files of a site: all that pages load is there, nothing leads elsewhere, and it is written again as it was."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from parlour.cli.new_game import write as new_game
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.games import all_games, inside
from parlour.site import building, bundles, preparing, pyodide
from parlour.site.pages import rulesets

PYTHON = {"pyodide.mjs": b"// Python", "python_stdlib.zip": b"library"}
LINK = re.compile(r'(?:href|src)="([^"]*)"')
ID = re.compile(r'\bid="([^"]*)"')


def tree(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    building.write(folder, list(all_games().values()), PYTHON)
    return folder


def test_every_ruleset_has_its_pages(site: Path) -> None:
    found = {file.name for file in site.glob("*.html")}
    tables = rulesets(list(all_games().values()))
    assert len(tables) == 7
    books = {f"{one.game.name}-rules.html" for one in tables}
    assert found == {"index.html", *books, *(one.page for one in tables), *(one.sheet for one in tables)}


def test_every_link_leads_to_a_file_beside_it_and_every_clause_is_there(site: Path) -> None:
    anchors = {file.name: {*ID.findall(file.read_text("utf-8"))} for file in site.glob("*.html")}
    for page in site.glob("*.html"):
        for link in LINK.findall(page.read_text("utf-8")):
            address, _, anchor = link.partition("#")
            name = address.partition("?")[0] or page.name
            assert not re.match(r"/|\w+:", name), (page.name, link)
            assert (site / name).is_file(), (page.name, link)
            if anchor and name in anchors and anchor != "lesson":
                assert anchor in anchors[name], (page.name, link)


def test_the_service_worker_stores_every_file(site: Path) -> None:
    head = (site / "sw.js").read_text("utf-8").splitlines()[0]
    listed = json.loads(re.search(r"SHELL = (\[.*\]);", head)[1])  # type: ignore[index]
    files = tree(site).keys() - {"sw.js", building.MARK}
    assert set(listed) == {"./", *files}


def test_scripts_find_what_they_import(site: Path) -> None:
    folder = next((site / "static").iterdir())
    scripts = [*folder.glob("*.js")]
    assert len(scripts) > 20
    for script in scripts:
        for name in building.IMPORTS.findall(script.read_text("utf-8")):
            assert (folder / name).is_file(), (script.name, name)


def test_bundles_have_the_rules_as_they_are(site: Path) -> None:
    files: dict[str, bytes] = {}
    for name in ("parlour", *all_games()):
        (bundle,) = (site / "games").glob(f"{name}-*.bin")
        files |= bundles.unpacked(bundle.read_bytes())
    package = Path(building.__file__).parents[1]
    for path in ("core/match.py", "solo/door.py", "games/gatsby/rules/turns.py", "games/gatsby/editions/house-4.toml"):
        assert files[f"parlour/{path}"] == (package / path).read_bytes()
    assert not [path for path in files if path.endswith((".svg", ".css", ".npz", ".png"))]


def test_the_same_site_is_written_again_and_nothing_old_stays(tmp_path: Path) -> None:
    games = list(all_games().values())
    first, second = games[:1], games[1:2]
    building.write(tmp_path / "a", second, PYTHON)
    (tmp_path / "a" / "mine.txt").write_text("kept")
    (tmp_path / "a" / "drawings" / "later").mkdir(parents=True)
    building.write(tmp_path / "a", first, PYTHON)
    assert (tmp_path / "a" / "drawings" / "later").is_dir()
    folders = {str(one.relative_to(tmp_path / "a")) for one in (tmp_path / "a").rglob("*") if one.is_dir()}
    building.write(tmp_path / "b", first, PYTHON)
    found = tree(tmp_path / "a")
    assert found.pop("mine.txt") == b"kept"
    assert found == tree(tmp_path / "b")
    usual = {str(one.relative_to(tmp_path / "b")) for one in (tmp_path / "b").rglob("*") if one.is_dir()}
    assert folders == usual | {"drawings", "drawings/later"}


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    with pytest.raises(BadSetup, match="not of a site"):
        building.write(tmp_path, [], PYTHON)
    assert tree(tmp_path) == {"letter.txt": b"Dear Ann"}


def test_a_site_that_was_cut_off_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, left = list(all_games().values())[:1], 3
    write = Path.write_bytes

    def full(file: Path, data: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError("No space left on device")
        left -= 1
        return write(file, data)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space"):
            building.write(tmp_path, games, PYTHON)
    assert len(tree(tmp_path)) == 3
    building.write(tmp_path, games, PYTHON)
    assert building.MARK in tree(tmp_path)
    assert tree(tmp_path).keys() - {building.MARK} == {*building.listed(tmp_path)}


def test_a_site_removes_nothing_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    site = tmp_path / "site"
    site.mkdir()
    (site / building.MARK).write_text("Written by `parlour site`:\n../letter.txt\n")
    building.write(site, [], PYTHON)
    assert (tmp_path / "letter.txt").is_file()


def test_a_game_of_ones_own_is_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", "")
    games: list[Game] = inside(new_game("stick-heap", tmp_path))
    building.write(tmp_path / "site", games, PYTHON)
    page = (tmp_path / "site" / "stick-heap.html").read_text("utf-8")
    (bundle,) = (tmp_path / "site" / "games").glob("stick-heap-*.bin")
    files = bundles.unpacked(bundle.read_bytes())
    module = re.search(r'data-game="stick-heap (\S+) ', page)
    assert module
    place = module[1].replace(".", "/")
    assert f"{place}/rules.py" in files
    assert files["parlour/games/__init__.py"] == files["parlour/games/outside/__init__.py"] == b""


def test_without_a_compiler_pages_load_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = dict.fromkeys(pyodide.packed_names(), gzip.compress(b"")) | {pyodide.LIBRARY: b"library"}
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    plain, kinds = (
        preparing.Prepared([[{"a.py": b"A = 1"}]], b"library", b""),
        [preparing.Kind([{"a.py": "A = 1"}], [])],
    )
    assert preparing.prepare(python, kinds) == plain
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    node.chmod(0o755)
    with pytest.warns(UserWarning, match="broken"):
        assert preparing.prepare(python, kinds) == plain


def test_what_pyodide_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(pyodide.NoPyodide, match=r"pyodide\.mjs is missing"):
        pyodide.files(tmp_path)
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pyodide.NoPyodide, match="npm is not installed"):
        pyodide.files()
    npm = tmp_path / "npm"
    for script, why in (("exit 1", "could not bring"), ("echo 1 > $5/other.tgz", "not the package")):
        npm.write_text(f"#!/bin/sh\n{script}\n")
        npm.chmod(0o755)
        with pytest.raises(pyodide.NoPyodide, match=why):
            pyodide.files()


def test_pyodide_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = {f"package/{name}": b"{}" for name in pyodide.FILES}
    asked = []
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(pyodide, "_fetched", lambda: asked.append(1) or pyodide._tar(package))
    first, second = pyodide.files(), pyodide.files()
    assert first == second
    assert asked == [1]
    assert gzip.decompress(first["pyodide.asm.wasm.bin"]) == b"{}"
    assert json.loads(first[pyodide.LIST]) == {"packages": {}}
    folder = tmp_path / "unpacked"
    for name in pyodide.FILES:
        (folder / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "package" / name).write_bytes(b"{}")
    assert pyodide.files(folder) == first
