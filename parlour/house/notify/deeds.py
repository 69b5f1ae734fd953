"""Where people get notifications, and which. Nothing is sent before they ask for it, and each channel can be turned off
with one click."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import secrets
import time
from functools import partial
from typing import Annotated

import msgspec
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec

from parlour.house.accounts.guests import Guest
from parlour.house.accounts.passkeys.challenges import Credential
from parlour.house.accounts.proving import Device, Password, Proof, must_be
from parlour.house.errors import BadInput, BadLink, TooFast
from parlour.house.house import House
from parlour.house.notify import allowances, channels, outbox, public, quiet
from parlour.house.notify.channels import Channel, ChannelKind
from parlour.house.notify.kinds import Wants
from parlour.house.notify.quiet import Quiet
from parlour.house.table.live import clocks
from parlour.house.table.live.tempo import checked_zone
from parlour.house.table.play.seating import Body

ASKED = 3  # confirmation emails a day to one address
ASKED_BY_HOUSE = 60  # confirmation emails an hour from the house
EMAIL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}", re.ASCII)
Key = Annotated[str, msgspec.Meta(max_length=128)]
Zone = Annotated[str, msgspec.Meta(max_length=64)]
Clock = Annotated[str, msgspec.Meta(max_length=8)]


class WantsBody(Wants, Body, frozen=True):
    """The notifications to send. `zone` is my time zone, for the times in them."""

    zone: Zone = ""


class PlaceBody(WantsBody, frozen=True):
    """Where to send notifications. `address` is the endpoint of a browser's subscription, an email address, or a
    webhook; `p256dh` and `auth` are the keys of a subscription; `instead` is the same browser's old endpoint, which
    this one replaces, keeping its choices. `recovery` is an email address only for password resets. Someone with an
    account confirms an email address with the `password` or, if they have none, with the `answer` of a passkey."""

    kind: ChannelKind = "push"
    address: Annotated[str, msgspec.Meta(max_length=public.LONGEST)] = ""
    p256dh: Key = ""
    auth: Key = ""
    instead: Annotated[str, msgspec.Meta(max_length=public.LONGEST)] = ""
    password: Password = ""
    answer: Credential | None = None


class ChooseBody(WantsBody, frozen=True):
    """Which notifications to send there."""

    id: Annotated[str, msgspec.Meta(max_length=32)] = ""


class PlaceOfMine(Body, frozen=True):
    """One of my places for notifications."""

    id: Annotated[str, msgspec.Meta(max_length=32)]


class RecoveryBody(Body, frozen=True):
    """The proof of identity for removing the recovery address, as for setting it up."""

    password: Password = ""
    answer: Credential | None = None


class QuietBody(Body, frozen=True):
    """My quiet hours, from one time of day to another ("22:00", "07:00"), in a time zone such as Europe/Zurich. Two
    empty times turn them off."""

    begins: Clock = ""
    ends: Clock = ""
    zone: Zone = "UTC"


class WordBody(Body, frozen=True):
    """The token of an email address, from the link in an email."""

    token: Annotated[str, msgspec.Meta(max_length=64)]


async def add(house: House, guest: Guest, session: str, body: PlaceBody, device: Device) -> str:
    """Set up a place for notifications. An email address gets none until its owner confirms it. Return a webhook's
    secret, which is shown only now, otherwise "". Errors: BadInput, TooFast (confirmation emails), BadLink (no such
    `instead`), and for an email address those of `must_be`."""
    address, keys = _checked(house, body)
    if body.instead:
        if body.kind != "push":
            raise BadInput("Only a browser's subscription can replace another.")
        renewed = partial(channels.renew, guest=guest.id, before=body.instead, address=address, keys=keys)
        if not await house.store.do(renewed):
            raise BadLink("Notifications are off there. Turn them on again.")
        return ""
    mails, now = body.kind in ("mail", "recovery"), time.time()
    if body.kind == "recovery" or (mails and guest.claimed):  # otherwise a stolen session could take over the account
        await must_be(house, guest, Proof("mail", body.password, body.answer, device.site))
    row = Channel(
        secrets.token_hex(12), guest.id, body.kind, address, keys, device.browser if body.kind == "push" else "",
        session if body.kind == "push" and session else None, secrets.token_urlsafe(24), body.kind != "mail", now, 0.0,
        Wants(**{**body.by_name(), "digest": body.digest and body.kind == "mail"}),
    )  # fmt: skip
    if body.kind == "recovery":
        row = channels.recovery(guest.id, address, good=False)

    def work(connection: sa.Connection) -> float:
        if mails:
            one_address = f"mail {hashlib.sha256(address.lower().encode()).hexdigest()}"
            for whose, most, seconds in ((one_address, ASKED, 86400.0), ("mail", ASKED_BY_HOUSE, 3600.0)):
                if (wait := allowances.spend(connection, whose, most, seconds, now)) > 0:
                    return wait
        channels.add(connection, row, clocks.short)
        if body.zone:
            quiet.live_in(connection, guest.id, body.zone)
        if mails:
            outbox.note_confirmation(connection, row.id, now)
        return 0.0

    if wait := await house.store.do(work):
        raise TooFast(
            "Too many confirmation emails were sent already. Please try again later.", wait=int(wait) + 1, kind="mail"
        )
    return house.hooks.secret(row.id) if body.kind == "hook" else ""


def _checked(house: House, body: PlaceBody) -> tuple[str, str]:
    if body.zone:
        checked_zone(body.zone)
    if body.kind in ("mail", "recovery"):
        if house.post is None:
            raise BadInput("This house sends no email.")
        if len(body.address) > 254 or not EMAIL.fullmatch(body.address):
            raise BadInput("An email address looks like ann@example.org, without accents or special letters.")
        return body.address, ""
    address = public.checked_url(body.address, house.settings.outside)
    if body.kind == "hook":
        return address, ""
    try:
        point, auth = _bytes(body.p256dh), _bytes(body.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadInput("These aren't the keys of a browser's subscription.") from None
    if len(auth) != 16:
        raise BadInput("These aren't the keys of a browser's subscription.")
    return address, msgspec.json.encode({"p256dh": body.p256dh, "auth": body.auth}).decode()


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, binascii.Error):
        raise ValueError from None


async def choose(house: House, guest: Guest, body: ChooseBody) -> None:
    """Choose which notifications a place gets. Raises BadLink if it isn't this guest's."""
    if not await house.store.do(
        partial(channels.choose, guest=guest.id, channel=body.id, wants=body, short=clocks.short)
    ):
        raise BadLink("Notifications are off there. Turn them on again.")


async def end(house: House, guest: Guest, place: str) -> None:
    """Turn off notifications to a place and delete it. Repeating the request does no harm."""
    await house.store.do(partial(channels.end, channel=place, guest=guest.id))


async def end_by(house: House, token: str) -> None:
    """Do the same for anyone with the place's token, from a notification or email, with or without signing in."""
    await house.store.do(partial(channels.end, token=token))


async def confirm(house: House, token: str) -> None:
    """Confirm an email address. Raises BadLink if this was not requested, or the request has expired."""
    if await house.store.do(partial(channels.confirm, token=token, now=time.time(), short=clocks.short)) is None:
        raise BadLink("This confirmation link has expired: it works for one day. Ask for a new email under You.")


async def end_recovery(house: House, guest: Guest, body: RecoveryBody, device: Device) -> None:
    """Remove the recovery address. Errors: those of `must_be`."""
    await must_be(house, guest, Proof("mail", body.password, body.answer, device.site))
    await house.store.do(partial(channels.end_recovery, guest=guest.id))


async def set_quiet(house: House, guest: Guest, body: QuietBody) -> None:
    """Choose quiet hours and a time zone. Raises BadInput."""
    begins, ends = _minutes(body.begins), _minutes(body.ends)
    if (begins is None) != (ends is None):
        raise BadInput("Quiet hours have a beginning and an end. Leave both empty to turn them off.")
    if begins is not None and begins == ends:
        raise BadInput("Quiet hours can't begin and end at the same time. Leave both empty to turn them off.")
    chosen = Quiet(checked_zone(body.zone), begins, ends)
    await house.store.do(partial(quiet.choose, guest=guest.id, quiet=chosen))


def _minutes(text: str) -> int | None:
    """Return a time of day in minutes since midnight, None for "". Raises BadInput."""
    if not text:
        return None
    if not (found := re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])", text)):
        raise BadInput("Write the time of day like this: 22:00.")
    return 60 * int(found[1]) + int(found[2])


async def places(house: House, guest: Guest) -> list[Channel]:
    """Return where a guest gets notifications."""
    return await house.store.look(partial(channels.channels_of, guest=guest.id))
