"""Stand between Playwright and a stock Firefox, and answer what Playwright asks only of newer ones.

Playwright starts this instead of the Firefox at $PARLOUR_FIREFOX_FOUND, with the same arguments, and reads from
standard error where WebDriver BiDi listens: here. Everything is passed on, but for commands that the long-term Firefox
lacks and that no test needs.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys

import aiohttp
from aiohttp import web

LACKS = ("emulation.setMediaFeaturesOverride",)  # which colours a person prefers: the same as usual, then
LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
FOUND = "PARLOUR_FIREFOX_FOUND"


class Door:
    """Where Playwright connects; `there` is where Firefox listens."""

    def __init__(self) -> None:
        self.there = ""

    async def open(self) -> int:
        """Listen on a free port of this computer; return it."""
        app = web.Application()
        app.router.add_get("/{path:.*}", self._pass_on)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return int(runner.addresses[0][1])

    async def _pass_on(self, request: web.Request) -> web.WebSocketResponse:
        asking = web.WebSocketResponse(max_msg_size=0)
        await asking.prepare(request)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self.there}{request.path}", max_msg_size=0) as firefox,
        ):
            answers = asyncio.create_task(_answers(firefox, asking))
            async for message in asking:
                asked = json.loads(message.data)
                if asked["method"] in LACKS:
                    await asking.send_json({"type": "success", "id": asked["id"], "result": {}})
                else:
                    await firefox.send_str(message.data)
            answers.cancel()
        return asking


async def _answers(firefox: aiohttp.ClientWebSocketResponse, asking: web.WebSocketResponse) -> None:
    async for message in firefox:
        await asking.send_str(message.data)
    await asking.close()


async def main() -> int:
    """Run Firefox until it ends; return its exit status."""
    door = Door()
    port = await door.open()
    firefox = await asyncio.create_subprocess_exec(os.environ[FOUND], *sys.argv[1:], stderr=asyncio.subprocess.PIPE)
    for kind in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(kind, firefox.terminate)
    assert firefox.stderr is not None
    async for line in firefox.stderr:
        if found := LISTENS.search(line):
            door.there = found[1].decode()
            line = f"WebDriver BiDi listening on ws://127.0.0.1:{port}\n".encode()
        sys.stderr.buffer.write(line)
        sys.stderr.flush()
    return await firefox.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
