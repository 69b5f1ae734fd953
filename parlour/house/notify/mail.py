"""How notifications leave the house by email, as text and as HTML."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from html import escape
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib

from parlour.house.errors import CannotServe
from parlour.house.notify.channels import Channel
from parlour.house.notify.senders import Sent, Words
from parlour.house.settings import Settings

TIMEOUT = 8.0  # seconds for each command to a mail server
WITHIN = 40.0  # and for all of it, less than a lease: otherwise another process would send the same

# Mail programs support few styles, and only inline ones.
PAGE = """<!doctype html>
<html lang="en"><body style="margin:0 auto;padding:16px;max-width:34em;font:16px/1.5 sans-serif">
{}
</body></html>
"""


class Post:
    """The house's mail server."""

    def __init__(self, settings: Settings) -> None:
        try:
            parts = urlsplit(settings.mail)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise CannotServe("Write the mail server as smtp://USER:PASSWORD@HOST:PORT, or smtps:// for immediate TLS.")
        if "@" not in settings.mail_from or not settings.base_url:
            raise CannotServe("To send email, set a sender (--mail-from) and the address of the house (--base-url).")
        self._from, self._base = settings.mail_from, settings.base_url.rstrip("/")
        self._how: dict[str, Any] = {
            "hostname": parts.hostname, "port": port, "timeout": TIMEOUT, "use_tls": parts.scheme == "smtps",
            "username": unquote(parts.username) if parts.username else None,
            "password": unquote(parts.password) if parts.password else None,
            # A password is never sent without encryption; without a password, encryption is used if the server has it.
            "start_tls": True if parts.username and parts.scheme == "smtp" else None,
        }  # fmt: skip
        if parts.scheme == "smtps":
            self._how["start_tls"] = False

    def email(self, channel: Channel, words: Sequence[Words], *, ends: bool) -> EmailMessage:
        """Return one email with these notifications. `ends` adds a link to unsubscribe."""
        end = f"{self._base}/told/{channel.token}"
        first = words[0]
        email = EmailMessage()
        email["From"], email["To"] = f"Parlour <{self._from}>", channel.address
        email["Subject"] = _subject(words)
        email["Date"] = formatdate()
        # The same for the same notifications: an email that is sent again, because we don't know if it was accepted,
        # is the same email.
        email["Message-ID"] = f"<{first.key}.{len(words)}@{urlsplit(self._base).hostname}>"
        email["Auto-Submitted"] = "auto-generated"
        parts = [f"{one.title}\n{one.text}\n{self._base}{one.path}\n" for one in words]
        marked = [_html(one, self._base) for one in words]
        if ends:
            email["List-Unsubscribe"] = f"<{end}>"
            email["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            parts.append(f"--\nUnsubscribe from these emails: {end}\n")
            marked.append(f'<p style="color:#666;font-size:13px"><a href="{end}">Unsubscribe from these emails</a></p>')
        email.set_content("\n".join(parts))
        email.add_alternative(PAGE.format("\n".join(marked)), subtype="html")
        email.set_boundary(f"parlour-{first.key}-{len(words)}")  # a random one would differ in each copy
        return email

    async def test(self, address: str) -> str:
        """Send a test email to an address. Return "" if the server accepted it, otherwise its response."""
        email = EmailMessage()
        email["From"], email["To"] = f"Parlour <{self._from}>", address
        email["Subject"] = "A test email from Parlour"
        email["Date"], email["Message-ID"] = formatdate(), make_msgid(domain=urlsplit(self._base).hostname)
        email["Auto-Submitted"] = "auto-generated"
        email.set_content(
            f"This is a test email from the house at {self._base}. Email works. You can ignore this message.\n"
        )
        try:
            async with asyncio.timeout(WITHIN):
                await aiosmtplib.send(email, sender=self._from, **self._how)
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            return str(error) or "it didn't respond in time"
        return ""

    async def send(self, channel: Channel, words: Sequence[Words], *, ends: bool) -> Sent:
        """Send these in one email, as `email` writes it."""
        try:
            async with asyncio.timeout(WITHIN):
                await aiosmtplib.send(self.email(channel, words, ends=ends), sender=self._from, **self._how)
        except (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPResponseException) as error:
            codes = [error.code] if isinstance(error, aiosmtplib.SMTPResponseException) else [
                one.code for one in error.recipients
            ]  # fmt: skip
            return "never" if codes and all(500 <= code < 600 and code not in (530, 535) for code in codes) else "later"
        except (aiosmtplib.SMTPException, OSError, TimeoutError):
            return "later"
        return "done"


def _html(one: Words, base: str) -> str:
    """Return a notification as HTML: a heading, a sentence, and its link as a button."""
    address = escape(base + one.path)
    button = (
        "display:inline-block;padding:8px 16px;border-radius:8px;background:#85500b;color:#fff;text-decoration:none"
    )
    return (
        f'<h1 style="font-size:19px;margin:16px 0 4px">{escape(one.title)}</h1>\n'
        f'<p style="margin:0 0 12px">{escape(one.text)}</p>\n'
        f'<p style="margin:0 0 24px"><a href="{address}" style="{button}">{escape(one.button)}</a></p>'
    )


def _subject(words: Sequence[Words]) -> str:
    """Return the subject of an email with these: several can be about one table, or not about turns."""
    tables = len({one.path for one in words})
    if tables == 1:
        return words[0].title
    wait = all(one.tag.startswith(("turn-", "time-")) for one in words)
    return f"Your turn in {tables} games" if wait else f"Updates from {tables} tables"
