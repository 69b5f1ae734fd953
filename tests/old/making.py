"""Make a fixture: the database of a house as one commit of Parlour leaves it when it is killed.

    python -m tests.old.making              from this work tree, which should hold nothing uncommitted
    python -m tests.old.making TREE ...     from other work trees (git worktree add TREE COMMIT)

A fixture is tests/old/DATE-COMMIT.tar.xz. It has the database, records as text, and `about.json`. See docs/testing.md.
"""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.games import all_games
from parlour.house.database.migrating import HEAD
from tests.conformance import golden
from tests.old.house import Company, serving, shapes

HERE = Path(__file__).parent
TREE = HERE.parent.parent
QUICK, SLOW = 0.05, 3600.0  # seconds in which a secret question is answered


def today() -> dict[str, object]:
    """Return what a new fixture is made for when it changes: the schema, the rules, and the words of each game."""
    names = sorted(all_games())
    words = {name: hashlib.sha256() for name in names}
    for file in golden.records():
        match = replay(Record.parse(file.read_text("utf-8")), golden.game_of)
        if match.game.name in words:
            words[match.game.name].update("\n".join(text for _, _, text in match.steps).encode())
    return {
        "schema": HEAD,
        "rules": {name: all_games()[name].rules.VERSION for name in names},
        "words": {name: words[name].hexdigest()[:16] for name in names},
    }


def make(tree: Path) -> Path:
    """Live in a house of this work tree's commit, kill it, and keep what it leaves."""
    found = shapes(tree)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "house.db"
        ended: list[str] = []
        with serving(tree, database, QUICK) as url:
            company = Company(url, {})
            company.people["Ann"].get("/api/me")
            running = {shape: company.sit(shape) for shape in found}
            for number, (shape, table) in enumerate(running.items()):
                assert table is not None, f"{shape} cannot be played."
                company.play(shape, table, (2, 15, 40)[number % 3])
                print(shape, "begun", flush=True)
            for shape in {(one.game, one.ruleset): one for one in reversed(found)}.values():  # with the fewest people
                if table := company.watch(shape):
                    ended.append(table)
                    print(shape, "ended", flush=True)
            company.live_there(found, [table for table in running.values() if table])
            cookies = company.cookies()
            texts = {table: company.people["Ann"].get(f"/t/{table}/record").raise_for_status().text for table in ended}
            company.close()
        with serving(tree, database, SLOW) as url:  # so that secret questions stay open
            company = Company(url, cookies)
            for shape, table in running.items():
                company.play(shape, table or "", 12, until_asked=True)
            company.close()
        whole = Path(folder) / "whole.db"
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", (str(whole),))
        commit, date = _git(tree, "show", "-s", "--format=%h %cs").split()
        with closing(sqlite3.connect(whole)) as connection:
            schema = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        about = {"commit": commit, "date": date, "schema": schema, "cookies": cookies}
        if tree == TREE:
            about |= {"today": today()}
        return _pack(HERE / f"{date}-{commit}.tar.xz", whole.read_bytes(), texts, about)


def _pack(file: Path, database: bytes, texts: dict[str, str], about: dict[str, object]) -> Path:
    with tarfile.open(file, "w:xz", preset=9) as archive:
        parts = {"about.json": json.dumps(about, indent=1).encode(), "house.db": database}
        parts |= {f"{table}.parlour": text.encode() for table, text in texts.items()}
        for name, data in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file


def _git(tree: Path, *command: str) -> str:
    return subprocess.run(["git", *command], cwd=tree, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    for named in sys.argv[1:] or [str(TREE)]:
        made = make(Path(named).resolve())
        print(f"{made.relative_to(TREE)}: {made.stat().st_size / 1024:.0f} KB")
