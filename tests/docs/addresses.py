"""docs/addresses.md: the addresses of a house, written from its OpenAPI document (`GET /schema`).

`python -m tests.docs.addresses --write` renews the part between the two marks of the page. The part above it is written
by hand: the addresses that are not for programs.
"""

from __future__ import annotations

import json
import re
from typing import Any

from parlour.house import openapi
from tests.docs.written import Written

PARTS = (  # heading, and the addresses below it; the first that fits counts
    ("Passkeys", r"/api/me/passkeys"),
    ("Notifications", r"/api/me/told|/api/told|/api/notice"),
    ("Clubs", r"/api/clubs|/api/me/calendar"),
    ("Your account", r"/api/me"),
    (
        "The lobby and invitations",
        r"/api/lobby|/api/invitations|/api/lessons|/api/today|/api/puzzles|/api/mistakes|/api/tables$",
    ),
    ("Tournaments", r"/api/tournaments"),
    ("Playtests", r"/api/playtests|/api/tables/\{table_id\}/(note|answers)"),
    ("Tables and games", r"/api/tables/|/api/games"),
    ("Pages", r"/(?!api)"),
)
SHORT = {
    "table_id": "ID", "token": "TOKEN", "game": "GAME", "name": "NAME", "clause": "CLAUSE", "edition": "EDITION",
    "playtest": "ID", "entry": "N", "tournament": "ID", "club": "ID", "season": "ID",
}  # fmt: skip


def named(reference: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference names."""
    found: dict[str, Any] = schemas[reference["$ref"].rpartition("/")[2]]
    return found


def fields(schema: dict[str, Any]) -> str:
    """Return the names of an object's fields, each that may be left out with a question mark, and what they may be."""
    needed = schema.get("required", [])
    names = []
    for name, what in schema.get("properties", {}).items():
        values = [str(value) for value in what.get("enum", []) if value != ""]
        names.append(name + ("" if name in needed else "?") + (": " + "/".join(values) if len(values) > 1 else ""))
    return "`{" + ", ".join(names) + "}`"


def sent(what: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the fields of the body, or the parameters of the address."""
    if "requestBody" in what:
        return fields(named(what["requestBody"]["content"]["application/json"]["schema"], schemas))
    asked = [one["name"] for one in what.get("parameters", []) if one["in"] == "query"]
    return " ".join(f"`?{name}=`" for name in asked)


def answered(what: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the status of the good answer, unless it is 200, with its fields or its media type."""
    status, good = next((s, a) for s, a in what["responses"].items() if s in ("200", "201", "204"))
    statuses = [] if status == "200" else [status]
    for kind, content in good.get("content", {}).items():
        statuses.append(fields(named(content["schema"], schemas)) if kind == "application/json" else f"`{kind}`")
    return " ".join(statuses)


def row(method: str, path: str, what: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return one row of a table."""
    short = re.sub(r"\{(\w+)\}", lambda found: SHORT[found[1]], path)
    said = " ".join(what["description"].split()).replace("|", "\\|")
    return f"| `{method} {short}` | {said} | {sent(what, schemas)} | {answered(what, schemas)} |"


def part_of(path: str) -> str:
    """Return the heading below which an address is listed."""
    return next(head for head, pattern in PARTS if re.match(pattern, path))


def written(document: dict[str, Any]) -> str:
    """Return the written part of the page."""
    rows: dict[str, list[str]] = {head: [] for head, _ in reversed(PARTS)}
    for path, item in document["paths"].items():
        for method, what in item.items():
            rows[part_of(path)].append(row(method.upper(), path, what, document["components"]["schemas"]))
    tables = [
        f"## {head}\n\n| address | what it does | you send | you get |\n|---|---|---|---|\n" + "\n".join(found)
        for head, found in rows.items()
    ]
    return "\n\n".join(tables)


PAGE = Written("addresses", lambda: written(json.loads(openapi.document())))

if __name__ == "__main__":
    PAGE.main()
