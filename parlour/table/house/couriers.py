"""How a notice leaves the house: by Web Push, by mail, by a webhook."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from email.utils import formatdate
from functools import cached_property
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

import aiohttp
import aiosmtplib
import msgspec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher

from parlour.table.errors import BadInput, CannotServe
from parlour.table.house import outside
from parlour.table.settings import Settings
from parlour.table.storage.channels import Channel

KEPT = 86400  # seconds for which a push service keeps a notice for a browser that is away
SIGNED = 12 * 3600  # seconds for which our signature is good; push services take a day at most
TIMEOUT = 8.0  # seconds for each thing that is said to a mail server
AWAY = (OSError, TimeoutError, aiohttp.ClientError)
Sent = Literal["done", "later", "gone", "never"]  # gone: the channel is there no more; never: this will not be taken


class Words(NamedTuple):
    """A notice in words. `path` is where it leads, `tag` the same for whatever replaces it, `key` for it alone."""

    title: str
    text: str
    path: str
    tag: str
    key: str


class Pushes:
    """Notices to browsers, encrypted for each; signed with the house's own key, so that nobody else can send any."""

    def __init__(self, key: str, settings: Settings) -> None:
        self._vapid: Any = Vapid02.from_raw(key.encode())
        self._settings = settings

    @cached_property
    def public_key(self) -> str:
        """What a browser subscribes with."""
        raw = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    async def send(self, channel: Channel, words: Words) -> Sent:
        """Send one to a browser."""
        told = {**words._asdict(), "end": channel.token}
        try:
            body, headers = await asyncio.to_thread(self._sealed, channel, msgspec.json.encode(told), words.tag)
        except ValueError:  # keys that are none
            return "gone"
        return await _post(channel.address, body, headers, self._settings)

    def _sealed(self, channel: Channel, told: bytes, tag: str) -> tuple[bytes, dict[str, str]]:
        keys = msgspec.json.decode(channel.keys, type=dict[str, str])
        body = WebPusher({"endpoint": channel.address, "keys": keys}).encode(told)["body"]
        parts = urlsplit(channel.address)
        contact = f"mailto:{self._settings.mail_from}" if self._settings.mail_from else self._settings.base_url
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED,
            "sub": contact if contact.startswith(("mailto:", "https:")) else "mailto:parlour@localhost",
        }  # fmt: skip
        topic = base64.urlsafe_b64encode(tag.encode()).decode().replace("=", "")[:32]
        return body, {
            **self._vapid.sign(claims), "TTL": str(KEPT), "Urgency": "normal", "Topic": topic,
            "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
        }  # fmt: skip


async def hook(channel: Channel, words: Words, settings: Settings) -> Sent:
    """Send one to a webhook: as JSON that also the webhooks of chats can read."""
    url = settings.base_url.rstrip("/") + words.path
    said = f"{words.title}: {words.text} {url}"
    body = {"id": words.key, "title": words.title, "body": words.text, "url": url, "text": said, "content": said}
    headers = {"Content-Type": "application/json", "User-Agent": "Parlour", "Idempotency-Key": words.key}
    return await _post(channel.address, msgspec.json.encode(body), headers, settings)


async def _post(url: str, body: bytes, headers: Mapping[str, str], settings: Settings) -> Sent:
    try:
        status = await outside.send(url, body, headers, settings.outside)
    except BadInput:
        return "gone"
    except AWAY:
        return "later"
    if status in (404, 410):
        return "gone"
    if 200 <= status < 300:
        return "done"
    return "later" if status >= 500 or status in (408, 425, 429) else "never"


class Post:
    """The mail server of the house."""

    def __init__(self, settings: Settings) -> None:
        try:
            parts = urlsplit(settings.mail)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise CannotServe("A mail server is named as smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS at once.")
        if "@" not in settings.mail_from or not settings.base_url:
            raise CannotServe("Mail needs an address that it is from, and the address of the house for its links.")
        self._from, self._base = settings.mail_from, settings.base_url.rstrip("/")
        self._how: dict[str, Any] = {
            "hostname": parts.hostname, "port": port, "timeout": TIMEOUT, "use_tls": parts.scheme == "smtps",
            "username": unquote(parts.username) if parts.username else None,
            "password": unquote(parts.password) if parts.password else None,
            # A password is not said without encryption; without one it is used where the server has it.
            "start_tls": True if parts.username and parts.scheme == "smtp" else None,
        }  # fmt: skip
        if parts.scheme == "smtps":
            self._how["start_tls"] = False

    def letter(self, channel: Channel, words: Sequence[Words]) -> EmailMessage:
        """The letter with which these are told together."""
        end = f"{self._base}/told/{channel.token}"
        first = words[0]
        letter = EmailMessage()
        letter["From"], letter["To"] = f"Parlour <{self._from}>", channel.address
        letter["Subject"] = first.title if len(words) == 1 else f"{len(words)} games wait for you"
        letter["Date"] = formatdate()
        # The same for the same notices: a letter that is sent again, as the house did not learn whether it was taken,
        # is the same letter.
        letter["Message-ID"] = f"<{first.key}.{len(words)}@{urlsplit(self._base).hostname}>"
        letter["Auto-Submitted"] = "auto-generated"
        parts = [f"{one.title}\n{one.text}\n{self._base}{one.path}\n" for one in words]
        if channel.good:
            letter["List-Unsubscribe"] = f"<{end}>"
            letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            parts.append(f"--\nNo more of these letters: {end}\n")
        letter.set_content("\n".join(parts))
        return letter

    async def send(self, channel: Channel, words: Sequence[Words]) -> Sent:
        """Send these in one letter."""
        try:
            await aiosmtplib.send(self.letter(channel, words), sender=self._from, **self._how)
        except (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPResponseException) as error:
            codes = [error.code] if isinstance(error, aiosmtplib.SMTPResponseException) else [
                one.code for one in error.recipients
            ]  # fmt: skip
            return "never" if codes and all(500 <= code < 600 and code not in (530, 535) for code in codes) else "later"
        except (aiosmtplib.SMTPException, OSError, TimeoutError):
            return "later"
        return "done"
