"""The fixtures: houses as earlier commits left them."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIXTURES = sorted(HERE.glob("*.tar.xz"))
DOCUMENT = HERE.parent.parent / "docs" / "testing.md"
HEADINGS = ("commit", "date", "schema", "tables", "waiting", "played on", "over", "closed")


@dataclass(frozen=True)
class Kept:
    """A fixture, opened: its database, what was noted of it, records as the commit printed them by table."""

    database: Path
    about: dict[str, Any]
    records: dict[str, str]

    def tables(self) -> dict[str, dict[str, Any]]:
        """Return the rows of its tables, by id."""
        with closing(sqlite3.connect(self.database)) as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute("SELECT id, game, options, status FROM tables ORDER BY created")
            return {row["id"]: {**row, "options": json.loads(row["options"])} for row in rows}

    def row(self, counts: dict[str, int]) -> str:
        """Its row in "The table of old houses"."""
        about = [str(self.about[name]) for name in HEADINGS[:3]]
        numbers = [sum(counts.values()), *(counts.get(name, 0) for name in ("waiting", "playing", "over", "closed"))]
        return f"| {' | '.join([*about, *map(str, numbers)])} |"


def unpack(fixture: Path, folder: Path) -> Kept:
    """Open a fixture in a folder."""
    records: dict[str, str] = {}
    with tarfile.open(fixture) as archive:
        parts = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        read = {name: file.read() for name, file in parts.items() if file is not None}
    database = folder / "house.db"
    database.write_bytes(read.pop("house.db"))
    about = json.loads(read.pop("about.json"))
    records = {name.removesuffix(".parlour"): text.decode() for name, text in read.items()}
    return Kept(database, about, records)
