"""Invitations as pages show them to the invited guest, and what a player's page offers to invite them to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from parlour.core.facts import RULESET
from parlour.games import all_games, find
from parlour.house.invitations.rows import Invitation
from parlour.house.site.titles import about, title_of
from parlour.house.table.live.tempo import in_words, tempo_of


class InvitationView(msgspec.Struct, frozen=True):
    """An invitation: the table, the game, the host, and the token of the seat's link."""

    id: str
    game: str
    title: str
    host: str
    token: str
    about: str = ""
    tempo: str = ""  # how much time there is, in words


def invitations(invited: Iterable[Invitation]) -> tuple[InvitationView, ...]:
    """Return a guest's invitations, which only they may see."""
    return tuple(map(_view, invited))


def _view(one: Invitation) -> InvitationView:
    row = one.table
    title, tempo = find(row.game).text.TITLE, in_words(tempo_of(row.tempo))
    return InvitationView(row.id, row.game, title, one.host, one.token, about(row), tempo)


class Challenge(NamedTuple):
    """A ruleset to invite someone to, the body of the table's request, and the least and greatest number of players."""

    title: str
    body: Mapping[str, object]
    players: tuple[int, int]


def challenges(name: str) -> tuple[Challenge, ...]:
    """Return all that two or more can play, with a seat kept for the account of this name. It is the same for everyone,
    so it doesn't say who has blocked whom."""
    seats = [{"kind": "me"}, {"kind": "link", "invite": name}]
    found = []
    for game in all_games().values():
        if (most := game.facts.players[1]) >= len(seats):
            for ruleset in game.rulesets:
                body = {"game": game.name, "seats": seats, "options": {RULESET: ruleset} if ruleset else {}}
                fewest = max(len(seats), game.facts.players[0])
                found.append(Challenge(title_of(game.name, ruleset), body, (fewest, most)))
    return tuple(found)


def form(name: str) -> dict[str, object]:
    """Return what `challenge.html` needs to draw the form that invites the account of this name."""
    asks = challenges(name)
    return {"asks": asks, "numbers": range(2, 1 + max((one.players[1] for one in asks), default=1))}
