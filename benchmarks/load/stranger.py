"""A guest at no table, who asks who they are twenty times a second: it measures how long the house keeps everyone
waiting.

It is a separate program, so that the load client's many pages don't delay it. Its argument is the house's address; it
prints the seconds of each response when its standard input ends.
"""

from __future__ import annotations

import http.client
import select
import sys
import time
from urllib.parse import urlsplit

EVERY = 0.05  # seconds


def main() -> None:
    """Ask until standard input ends."""
    house = http.client.HTTPConnection(urlsplit(sys.argv[1]).netloc, timeout=60)
    cookie: dict[str, str] = {}
    times: list[float] = []
    due = time.monotonic()
    while not select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
        began = time.monotonic()
        house.request("GET", "/api/me", headers=cookie)
        answer = house.getresponse()
        answer.read()
        if answer.status != 200:
            sys.exit(1)
        if given := answer.getheader("Set-Cookie"):
            cookie = {"Cookie": given.partition(";")[0]}
        else:
            times.append(time.monotonic() - began)
        due = max(due + EVERY, time.monotonic())
    house.close()
    print(*times, sep="\n")


if __name__ == "__main__":
    main()
