"""Somebody whose network is gone, and who so says nothing, is shown as away within ten seconds: between two network
stacks of this machine whose cable is pulled."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.table.people import ME, OPEN
from tests.table.serving import Nursery

pytestmark = pytest.mark.service
HERE, THERE = "10.211.87.1", "10.211.87.2"
HONEST = 10.0  # seconds
FRIEND = """
import sys, httpx
with httpx.Client(base_url=sys.argv[1], timeout=None) as bob:
    bob.post(f"/api/tables/{sys.argv[2]}/sit", json={}).raise_for_status()
    with bob.stream("GET", f"/api/tables/{sys.argv[2]}/events?since=-1&eyes=-2") as page:
        for part in page.iter_raw():
            print("looks", flush=True)
"""


@pytest.fixture
def cable() -> Iterator[str]:
    """A second network stack beside this one, by the name of the cable's end here."""
    name = f"p{os.getpid()}"
    steps = [
        ["netns", "add", name],
        ["link", "add", f"{name}a", "type", "veth", "peer", "name", f"{name}b"],
        ["link", "set", f"{name}b", "netns", name],
        ["addr", "add", f"{HERE}/30", "dev", f"{name}a"],
        ["link", "set", f"{name}a", "up"],
        ["-n", name, "addr", "add", f"{THERE}/30", "dev", f"{name}b"],
        ["-n", name, "link", "set", f"{name}b", "up"],
    ]
    try:
        for step in steps:
            try:
                subprocess.run(["ip", *step], check=True, capture_output=True)
            except (OSError, subprocess.CalledProcessError):
                pytest.skip("no second network stack can be made here (it takes Linux, root and iproute2)")
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", f"{name}a"], check=False, capture_output=True)


def present(ann: httpx.Client, table: str) -> bool:
    """Whether the page says that the friend is there."""
    return bool(ann.get(f"/api/tables/{table}").raise_for_status().json()["table"]["seats"][1]["present"])


def test_who_has_vanished_is_away_within_ten_seconds(nursery: Nursery, tmp_path: Path, cable: str) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", host=HERE)
    with httpx.Client(base_url=server.url, transport=httpx.HTTPTransport(local_address=HERE), timeout=30) as ann:
        table = ann.post("/api/tables", json={"game": "fortune", "seats": [ME, OPEN]}).raise_for_status().json()["id"]
        there = ["ip", "netns", "exec", cable, sys.executable, "-c", FRIEND, server.url, table]
        with subprocess.Popen(there, stdout=subprocess.PIPE, text=True) as friend:
            assert friend.stdout is not None
            assert friend.stdout.readline() == "looks\n"
            while not present(ann, table):
                assert friend.poll() is None
            subprocess.run(["ip", "-n", cable, "link", "set", f"{cable}b", "down"], check=True)
            gone = time.monotonic()
            while present(ann, table):
                assert time.monotonic() - gone < HONEST
                time.sleep(0.2)
            assert friend.poll() is None  # they do not know it yet
            friend.kill()
    server.kill()
