"""Where notifications arrive, for tests: a push service that decrypts what it gets, a webhook, a mail server. All are
real servers on this machine."""

from __future__ import annotations

import asyncio
import base64
import email
import json
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from html import unescape
from typing import Any

import http_ece
from aiohttp import web
from aiosmtpd.smtp import SMTP
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.house.people import Person

# What Fortune asks at the beginning of a turn, by the roll.
ASKED = r"(?:Your turn: stop, or choose dice to re-roll|Island of Skulls: stop, or re-roll for more|Three skulls! .+)\."
NONE = {"game": False, "answers": False}


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Browser:
    """A browser's subscription, and what its push service got for it."""

    url: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    got: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 201

    def subscription(self, **wants: bool) -> dict[str, Any]:
        """Return it as a browser sends it. `wants`: kinds; those about games and answers are off by default."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "kind": "push",
            "address": self.url,
            "p256dh": text(point),
            "auth": text(self.auth),
            **{**NONE, **wants},
        }


class Service:
    """A push service at /push/N, a webhook at /hook, and a redirect at /away."""

    def __init__(self) -> None:
        self.url = ""
        self.browsers: list[Browser] = []
        self.hooked: list[dict[str, Any]] = []
        self.hooks: list[tuple[bytes, dict[str, str]]] = []  # the raw body, with its headers in lower case
        self.asked = 0
        self.hook_status = 200
        self.refuses: Callable[[dict[str, Any]], bool] = lambda _: False  # whether a webhook refuses this
        self.slow: asyncio.Event | None = None  # if set, answers wait for it

    def browser(self) -> Browser:
        self.browsers.append(Browser(f"{self.url}/push/{len(self.browsers)}"))
        return self.browsers[-1]

    async def push(self, request: web.Request) -> web.Response:
        self.asked += 1
        browser = self.browsers[int(request.match_info["number"])]
        assert request.headers["Content-Encoding"] == "aes128gcm"
        assert Vapid02.verify(request.headers["Authorization"])
        body = await request.read()
        browser.got.append(json.loads(http_ece.decrypt(body, private_key=browser.private, auth_secret=browser.auth)))
        browser.headers.append(dict(request.headers))
        if self.slow is not None:
            await self.slow.wait()
        return web.Response(status=browser.status)

    async def hook(self, request: web.Request) -> web.Response:
        self.asked += 1
        said = {**await request.json(), **request.query}
        self.hooked.append(said)
        self.hooks.append((await request.read(), {name.lower(): value for name, value in request.headers.items()}))
        return web.Response(status=503 if self.refuses(said) else self.hook_status)

    async def away(self, _: web.Request) -> web.Response:
        self.asked += 1
        raise web.HTTPTemporaryRedirect(f"{self.url}/hook")


@asynccontextmanager
async def service() -> AsyncIterator[Service]:
    """Run the service."""
    made = Service()
    app = web.Application()
    app.add_routes(
        [
            web.post("/push/{number}", made.push), web.post("/hook", made.hook), web.post("/away", made.away),
        ]
    )  # fmt: skip
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    made.url = f"http://127.0.0.1:{port}"
    try:
        yield made
    finally:
        await runner.cleanup()


class Inbox:
    """A mail server that accepts emails."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.answer = "250 OK"
        self.url = ""

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if self.answer.startswith("250"):
            message = email.message_from_bytes(envelope.content, policy=default)
            assert isinstance(message, EmailMessage)
            self.got.append(message)
        return self.answer


def plain(message: EmailMessage) -> str:
    """Return an email's text; check that its HTML has the same words and links."""
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    said, marked = str(text.get_content()), str(html.get_content())
    assert sorted({*re.findall(r"https?://\S+", said)}) == sorted(
        {unescape(one) for one in re.findall(r'href="([^"]+)"', marked)}
    )
    for line in said.splitlines():
        if "http" not in line and line != "--":
            assert line in unescape(marked)
    return said


@asynccontextmanager
async def mail_server() -> AsyncIterator[Inbox]:
    """Run the mail server."""
    made, talks = Inbox(), list[SMTP]()

    def answer() -> SMTP:
        talks.append(SMTP(made, hostname="mail.test"))
        return talks[-1]

    server = await asyncio.get_running_loop().create_server(answer, "127.0.0.1", 0)
    made.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()
        for talk in talks:
            if talk.transport is not None:
                talk.transport.close()
        await server.wait_closed()


async def until(true: Callable[[], Any], seconds: float = 60.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def stop(person: Person, table: str) -> None:
    """Let a person move until it is another's turn."""
    while (seen := await person.see(table))["legal"]:
        move = "stop" if "stop" in seen["legal"] else seen["legal"][0]
        await person.do(f"tables/{table}/moves", move=move, version=seen["table"]["version"])
