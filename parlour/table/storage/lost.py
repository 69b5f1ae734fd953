"""Lost passwords that are asked about by name, and the letters about them: plain functions of a connection, as in
`queries`.

Who asks is answered before anybody looks whether there is such a name: what they asked is written down (`ask`), and
the house looks by its clock (`answer`). Link and letter are one transaction; the letter leaves as notices do.
"""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from parlour.table.storage import channels, keys, notices, people
from parlour.table.storage import schema as s
from parlour.table.storage.people import LinkRow

GOOD = 2 * notices.GIVE_UP_LOST  # seconds for which the link is good: whenever the letter leaves, for an hour or more
WAITING = 1_000  # names that are asked about at once, by all
TO_ONE = 5  # letters a day to one mailbox
BY_HOUSE = 60  # letters an hour, to all together
_ASKED = "lost "  # a setting for each name that is asked about, until the house has looked
_ASK = sa.text('INSERT INTO settings ("key", value) VALUES (:key, :value) ON CONFLICT DO NOTHING')


def ask(connection: sa.Connection, likeness: str) -> bool:
    """The password of the name that looks like this is lost; False where too much is asked already. The same is done
    for every name."""
    asked = sa.select(sa.func.count()).select_from(s.settings).where(s.settings.c.key.startswith(_ASKED))
    if (connection.scalar(asked) or 0) >= WAITING:
        return False
    key = _ASKED + hashlib.sha256(likeness.encode()).hexdigest()[:32]
    connection.execute(_ASK, {"key": key, "value": likeness})
    return True


def is_asked(connection: sa.Connection) -> bool:
    """Whether anything is asked."""
    c = s.settings.c
    return connection.scalar(sa.select(c.key).where(c.key.startswith(_ASKED)).limit(1)) is not None


def answer(connection: sa.Connection, now: float) -> int:
    """Make a link, and note its letter, for each name that is asked about and has a confirmed recovery address, as far
    as there may be letters; how many. A link that there was stays good: who only knows the name cannot void it."""
    c = s.settings.c
    asked = connection.scalars(sa.delete(s.settings).where(c.key.startswith(_ASKED)).returning(c.value)).all()
    return sum(_write(connection, likeness, now) for likeness in asked)


def _write(connection: sa.Connection, likeness: str, now: float) -> bool:
    found = people.account(connection, likeness=likeness)
    mailbox = None if found is None else channels.recovery_of(connection, found.id)
    if found is None or mailbox is None or notices.is_lost(connection, mailbox.id):
        return False
    whose = f"lost {hashlib.sha256(mailbox.address.lower().encode()).hexdigest()}"
    for spender, most, seconds in ((whose, TO_ONE, 86400.0), ("lost", BY_HOUSE, 3600.0)):
        if notices.spend(connection, spender, most, seconds, now) > 0:
            return False
    token = keys.reset_token(connection, mailbox.id, notices.note_lost(connection, mailbox.id, now))
    people.make_link(connection, LinkRow(keys.link_id(token), found.id, "reset", now + GOOD), beside=True)
    return True
