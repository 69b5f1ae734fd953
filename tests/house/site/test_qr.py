"""Addresses as QR codes: complete, with a quiet zone, for those who may know the address."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
import segno

from parlour.house.site.qr import QUIET, code
from tests.house.people import LINK, ME, Person

SVG = "{http://www.w3.org/2000/svg}"


def modules(svg: str) -> list[list[int]]:
    """Return the modules as the single path draws them."""
    root = ElementTree.fromstring(svg)
    ground, path = list(root)
    assert (ground.tag, ground.get("fill"), path.tag, path.get("fill")) == (f"{SVG}rect", "#fff", f"{SVG}path", "#000")
    size = int(root.get("viewBox", "").split()[2])
    assert ground.get("width") == ground.get("height") == str(size)
    found = [[0] * size for _ in range(size)]
    drawn = path.get("d", "")
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", drawn)
    assert "".join("M{} {}h{}v1h-{}z".format(*run) for run in runs) == drawn
    for x, y, width, back in runs:
        assert width == back
        for at in range(int(x), int(x) + int(width)):
            found[int(y)][at] += 1
    assert max(map(max, found)) == 1
    return found


@pytest.mark.parametrize(
    "address", ["http://house.test/t/1", 'https://[::1]:8000/t/0f/join/x?<&"y', "http://" + "a" * 255]
)
def test_the_code_is_the_address_with_four_modules_of_nothing_round_it(address: str) -> None:
    drawn = modules(code(address))
    inner = [row[QUIET:-QUIET] for row in drawn[QUIET:-QUIET]]
    assert QUIET == 4  # as ISO 18004 demands
    assert sum(map(sum, drawn)) == sum(map(sum, inner))
    assert inner == [list(row) for row in segno.make_qr(address, error="m").matrix]
    assert ElementTree.fromstring(code(address)).get("aria-label") == f"QR code of {address}"


async def test_a_table_and_a_kept_seat_have_a_code_while_they_lead_somewhere(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    table = await ann.make(ME, LINK)
    seen = (await ann.see(table))["table"]
    invite = seen["seats"][1]["invite"]
    for address in (seen["url"], invite):
        answer = await bob.get(f"{address}/qr")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.text == code(address)
    assert (await bob.get(f"/t/{table}/join/guessed/qr")).json()["error"]["code"] == "bad-link"
    assert (await bob.get("/t/none/qr")).json()["error"]["code"] == "unknown-table"
    await arrive().do(f"tables/{table}/sit", token=invite.rpartition("/")[2])
    assert (await bob.get(f"{invite}/qr")).json()["error"]["code"] == "bad-link"
