"""How notifications leave the house: by Web Push, by webhook, and by email (`mailing`).

Libraries that only send are imported in a thread when something is sent: that takes half a second, too long for a house
that restarts during games.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import time
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from parlour.house.errors import BadInput
from parlour.house.notify.channels import Channel
from parlour.house.settings import Settings

KEPT = 86400  # seconds for which a push service keeps a notice for a browser that is away
SIGNED = 12 * 3600  # seconds for which our signature is good; push services take a day at most
Sent = Literal["done", "later", "gone", "never"]  # gone: the channel no longer exists; never: this will not be accepted


class Words(NamedTuple):
    """A notification in words. `path` is where it leads, `tag` is shared by its replacements, `key` is unique; `button`
    is the label of its link."""

    title: str
    text: str
    path: str
    tag: str
    key: str
    button: str = "Open the table"


class Pushes:
    """Notifications to browsers, each encrypted, and signed with the house's own key so that only the house can send
    them."""

    def __init__(self, key: str, settings: Settings) -> None:
        self._vapid: Any = Vapid02.from_raw(key.encode())
        self._settings = settings

    @cached_property
    def public_key(self) -> str:
        """Return the key with which a browser subscribes."""
        raw = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    async def send(self, channel: Channel, words: Words) -> Sent:
        """Send one to a browser."""
        payload = {**words._asdict(), "end": channel.token}
        del payload["button"]
        try:
            body, headers = await asyncio.to_thread(self._sealed, channel, msgspec.json.encode(payload), words.tag)
        except ValueError:  # invalid keys
            return "gone"
        return await _post(channel.address, body, headers, self._settings)

    def _sealed(self, channel: Channel, payload: bytes, tag: str) -> tuple[bytes, dict[str, str]]:
        from pywebpush import WebPusher

        keys = msgspec.json.decode(channel.keys, type=dict[str, str])
        body = WebPusher({"endpoint": channel.address, "keys": keys}).encode(payload)["body"]
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


class Hooks:
    """Notifications to webhooks, each signed with its own secret (Standard Webhooks), so that the receiver knows that
    this house sent it. The secrets are derived from the house's notification key, which never changes."""

    def __init__(self, key: str, settings: Settings) -> None:
        self._key, self._settings = key.encode(), settings

    def secret(self, channel: str) -> str:
        """Return the secret with which a webhook's owner checks signatures, in the standard's form."""
        return f"whsec_{base64.b64encode(self._secret(channel)).decode()}"

    def _secret(self, channel: str) -> bytes:
        return hmac.digest(self._key, f"webhook {channel}".encode(), "sha256")

    async def send(self, channel: Channel, words: Words) -> Sent:
        """Send one to a webhook, as JSON that chat webhooks can also read."""
        url = self._settings.base_url.rstrip("/") + words.path
        said = f"{words.title}: {words.text} {url}"
        payload = {"id": words.key, "title": words.title, "body": words.text, "url": url, "text": said, "content": said}
        body, when = msgspec.json.encode(payload), str(int(time.time()))
        signed = hmac.digest(
            self._secret(channel.id), b"%b.%b.%b" % (words.key.encode(), when.encode(), body), "sha256"
        )
        headers = {
            "Content-Type": "application/json", "User-Agent": "Parlour", "Idempotency-Key": words.key,
            "webhook-id": words.key, "webhook-timestamp": when,
            "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
        }  # fmt: skip
        return await _post(channel.address, body, headers, self._settings)


async def _post(url: str, body: bytes, headers: Mapping[str, str], settings: Settings) -> Sent:
    await asyncio.to_thread(import_module, "parlour.house.notify.outgoing")
    from parlour.house.notify import outgoing

    try:
        status = await outgoing.send(url, body, headers, settings.outside)
    except BadInput:
        return "gone"
    except OSError:  # TimeoutError is one
        return "later"
    if status in (404, 410):
        return "gone"
    if 200 <= status < 300:
        return "done"
    return "later" if status >= 500 or status in (408, 425, 429) else "never"
