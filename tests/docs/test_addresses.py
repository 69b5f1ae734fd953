"""docs/addresses.md: its written part is what the OpenAPI document says now."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parlour.house import openapi
from tests.docs import addresses


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(openapi.document())
    return found


def test_the_page_is_current() -> None:
    page = addresses.PAGE.file.read_text("utf-8")
    assert addresses.PAGE.renewed(page) == page, addresses.PAGE.stale


def test_every_operation_has_one_row(document: dict[str, Any]) -> None:
    rows = [line for line in addresses.written(document).splitlines() if line.startswith("| `")]
    assert len(rows) == len(set(rows)) == sum(len(item) for item in document["paths"].values())


def test_a_row_says_what_is_sent_and_answered(document: dict[str, Any]) -> None:
    rows = addresses.written(document)
    (moves,) = [line for line in rows.splitlines() if line.startswith("| `POST /api/tables/ID/moves`")]
    assert moves.endswith("| `{version, move?, action?, id?, thought?}` | `{version}` |")
    (lobby,) = [line for line in rows.splitlines() if line.startswith("| `GET /`")]
    assert lobby.endswith("| `?only=` | `text/html` |")
    (made,) = [line for line in rows.splitlines() if line.startswith("| `POST /api/lessons`")]
    assert made.endswith("| 201 `{id, url}` |")


def test_a_changed_docstring_makes_the_page_stale() -> None:
    page = addresses.PAGE.file.read_text("utf-8")
    assert addresses.PAGE.renewed(page.replace("Make a move,", "Make a leap,", 1)) == page
