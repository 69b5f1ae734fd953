"""A player's accuracy, drawn on the page You and on their own page: with data, in both themes, at both widths."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from parlour.house.ratings import accuracies
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.accuracies import Kept
from parlour.house.table.storage import schema as storage
from tests.browser.player import check_access, post
from tests.browser.test_me import SECRET, WIDTHS, Visit, a_game, fits
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
KINDS: dict[tuple[str, str], tuple[float, ...]] = {
    ("fortune", ""): (0.42, 0.55, 0.48, 0.71, 0.66, 0.8, 0.62, 0.9),
    ("family-trade", "battle-royale"): (1.0, 1.0, 0.0, 0.97),  # at both edges, and near their labels
    ("family-trade", "market-making"): (0.83,),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("accuracy") / "parlour.db"


@pytest.fixture(scope="module")
def house(nursery: Nursery, file: Path) -> Iterator[Server]:
    server = nursery.start(database=f"sqlite:///{file}")
    yield server
    server.kill()


def fill(file: Path, table: str) -> None:
    """Write many played and analysed games like this one into the database; those of another ruleset are not read
    again, because their results are stored."""
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        for (game, ruleset), shares in KINDS.items():
            for later, share in enumerate(shares):
                _again(connection, table, {"game": game, "ruleset": ruleset, "later": later}, (share, share / 2))
    engine.dispose()


def _again(connection: sa.Connection, table: str, kind: dict[str, Any], shares: Sequence[float]) -> None:
    made, options = secrets.token_hex(8), {"ruleset": kind["ruleset"]} if kind["ruleset"] else {}
    for one in (storage.tables, storage.seats, ratings.outcomes):
        key = one.c.id if one is storage.tables else one.c.table_id
        for row in connection.execute(sa.select(one).where(key == table)).mappings().all():
            values = dict(row) | {key.name: made}
            if one is storage.tables:
                touched = values["touched"] + kind["later"]
                values |= {"game": kind["game"], "options": options, "parts": {}, "touched": touched}
            connection.execute(sa.insert(one).values(values))
    accuracies.keep(connection, made, [Kept(one) for one in shares])


def over_lines(page: Page) -> list[str]:
    """Return the words of the graphs that overlap a line."""
    found: list[str] = page.locator(".rating-line").evaluate_all(
        """(all) => all.flatMap((one) => {
          const box = one.querySelector("svg").getBoundingClientRect();
          const points = [...one.querySelector("polyline").points].map(
            ({ x, y }) => [box.left + x / 100 * box.width, box.top + y / 40 * box.height]);
          return [...one.querySelectorAll("span")].filter((word) => {
            const { left, right, top, bottom } = word.getBoundingClientRect();
            return points.slice(1).some(([x1, y1], i) => {
              const [x0, y0] = points[i];
              for (let part = 0; part <= 1; part += 0.01) {
                const x = x0 + part * (x1 - x0), y = y0 + part * (y1 - y0);
                if (x > left && x < right && y > top && y < bottom) return true;
              }
              return false;
            });
          }).map((word) => word.textContent);
        })"""
    )
    return found


@pytest.mark.whole
def test_filled_graphs_fit_and_are_read(
    visit: Visit, house: Server, file: Path, size: Callable[[int, int], int]
) -> None:
    name = f"Ann {secrets.token_hex(3)}"
    ann, bob = visit(base=house.url), visit(base=house.url)
    post(ann, "/api/me/claim", name=name, password=SECRET)
    post(bob, "/api/me", name="Bob")
    fill(file, a_game(ann, bob))
    for width, height in WIDTHS:
        ann.set_viewport_size({"width": width, "height": height})
        for path in ("/me", f"/p/{name}"):
            ann.goto(path)
            graphs = ann.locator(".fold", has=ann.get_by_role("heading", name="Accuracy")).get_by_role("img")
            expect(graphs).to_have_count(3)
            expect(graphs.first).to_have_attribute(
                "aria-label", re.compile("^The accuracy in Fortune in 8 analysed games: 64.% on average, 90.% in the")
            )
            if (width, height) in WIDTHS[: size(1, 2)]:
                check_access(ann, f"{path}, filled, {width}", themes=True)
            fits(ann)
            assert over_lines(ann) == []
