"""Where one wants to be told what happened while one was away, and of what: nothing is told before one has asked for
it, and each way ends with one click."""

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

from parlour.table.errors import BadInput, BadLink, TooFast
from parlour.table.house import outside
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.house.passkeys import Credential
from parlour.table.live import clocks
from parlour.table.play.proving import Device, Password, Proof, must_be
from parlour.table.play.seating import Body
from parlour.table.storage import channels, notices
from parlour.table.storage.channels import Channel, ChannelKind, Wants

ASKED = 3  # letters a day that ask one mailbox whether it wants more
ASKED_BY_HOUSE = 60  # such letters an hour, to all together
MAILBOX = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}", re.ASCII)
Key = Annotated[str, msgspec.Meta(max_length=128)]


class WantsBody(Body, frozen=True):
    """Of what to be told: that it is my turn, that I am invited, that somebody wrote at a table where I sit. `digest`:
    slow games together, in one letter a day."""

    turn: bool = True
    invitation: bool = True
    chat: bool = False
    digest: bool = False


class PlaceBody(WantsBody, frozen=True):
    """Where to be told. `address` is the endpoint of a browser's subscription, a mailbox, or the address of a webhook;
    `p256dh` and `auth` are the keys of a subscription; `instead`: the endpoint that the same browser had before, whose
    place it takes, with what was chosen there. Who has claimed a name sets up a mailbox with the `password`, or, where
    they have none, with the `answer` of a passkey: a lost password is helped there."""

    kind: ChannelKind = "push"
    address: Annotated[str, msgspec.Meta(max_length=outside.LONGEST)] = ""
    p256dh: Key = ""
    auth: Key = ""
    instead: Annotated[str, msgspec.Meta(max_length=outside.LONGEST)] = ""
    password: Password = ""
    answer: Credential | None = None


class ChooseBody(WantsBody, frozen=True):
    """Of what to be told in a place that was set up."""

    id: Annotated[str, msgspec.Meta(max_length=32)] = ""


class PlaceOfMine(Body, frozen=True):
    """A place that was set up."""

    id: Annotated[str, msgspec.Meta(max_length=32)]


class WordBody(Body, frozen=True):
    """The token of a place, as a letter to it holds it."""

    token: Annotated[str, msgspec.Meta(max_length=64)]


async def add(house: House, guest: Guest, session: str, body: PlaceBody, device: Device) -> str:
    """Set up a place; in a mailbox nothing is told before its owner has said that they want it. Returns the secret of a
    webhook, which is told only now, else "". Errors: BadInput, TooFast (letters that ask), BadLink (`instead` of which
    there is nothing), and for a mailbox those of `must_be`."""
    address, keys = _checked(house, body)
    if body.instead:
        if body.kind != "push":
            raise BadInput("Only a browser's subscription takes the place of another.")
        renewed = partial(channels.renew, guest=guest.id, before=body.instead, address=address, keys=keys)
        if not await house.store.do(renewed):
            raise BadLink("You are told nothing there any more.")
        return ""
    if body.kind == "mail" and guest.claimed:  # else whoever has got hold of a session could keep the name for good
        await must_be(house, guest, Proof("mail", body.password, body.answer, device.site))
    now = time.time()
    row = Channel(
        secrets.token_hex(12), guest.id, body.kind, address, keys, device.browser if body.kind == "push" else "",
        session if body.kind == "push" and session else None, secrets.token_urlsafe(24), body.kind != "mail", body.turn,
        body.invitation, body.chat, body.digest and body.kind == "mail", now,
    )  # fmt: skip

    def work(connection: sa.Connection) -> float:
        if body.kind == "mail":
            mailbox = f"mail {hashlib.sha256(address.lower().encode()).hexdigest()}"
            for whose, most, seconds in ((mailbox, ASKED, 86400.0), ("mail", ASKED_BY_HOUSE, 3600.0)):
                if (wait := notices.spend(connection, whose, most, seconds, now)) > 0:
                    return wait
        channels.add(connection, row, clocks.short)
        if body.kind == "mail":
            notices.note_confirmation(connection, row.id, now)
        return 0.0

    if wait := await house.store.do(work):
        raise TooFast("Too many letters ask for this already. Please try again later.", wait=int(wait) + 1, kind="mail")
    return house.hooks.secret(row.id) if body.kind == "hook" else ""


def _checked(house: House, body: PlaceBody) -> tuple[str, str]:
    if body.kind == "mail":
        if house.post is None:
            raise BadInput("This house sends no mail.")
        if len(body.address) > 254 or not MAILBOX.fullmatch(body.address):
            raise BadInput("A mailbox is written as ann@example.org, in plain letters.")
        return body.address, ""
    address = outside.checked_url(body.address, house.settings.outside)
    if body.kind == "hook":
        return address, ""
    try:
        point, auth = _bytes(body.p256dh), _bytes(body.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadInput("The keys are not those of a browser's subscription.") from None
    if len(auth) != 16:
        raise BadInput("The keys are not those of a browser's subscription.")
    return address, msgspec.json.encode({"p256dh": body.p256dh, "auth": body.auth}).decode()


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, binascii.Error):
        raise ValueError from None


async def choose(house: House, guest: Guest, body: ChooseBody) -> None:
    """Be told of other things in a place. Raises BadLink where it is none of this guest's."""
    wants = Wants(body.turn, body.invitation, body.chat, body.digest)
    if not await house.store.do(
        partial(channels.choose, guest=guest.id, channel=body.id, wants=wants, short=clocks.short)
    ):
        raise BadLink("You are told nothing there any more.")


async def end(house: House, guest: Guest, place: str) -> None:
    """Be told nothing more in a place, which is forgotten; done twice it is done."""
    await house.store.do(partial(channels.end, channel=place, guest=guest.id))


async def end_by(house: House, token: str) -> None:
    """The same by whoever has the place's token: from a notice, or a letter, whoever they are signed in as."""
    await house.store.do(partial(channels.end, token=token))


async def confirm(house: House, token: str) -> None:
    """The owner of a mailbox wants to be told there. Raises BadLink where nobody has asked for it, or long ago."""
    if await house.store.do(partial(channels.confirm, token=token, now=time.time(), short=clocks.short)) is None:
        raise BadLink("Nobody asks for this any more: a letter that asks is good for a day.")


async def places(house: House, guest: Guest) -> list[Channel]:
    """Where a guest is told."""
    return await house.store.look(partial(channels.channels_of, guest=guest.id))
