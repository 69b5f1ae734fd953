"""The kinds of notices, with their words, and the choices that people have among them.

A new kind is one row of `KINDS`; a check of its own, whether it is still true, is in `outbox`. A new switch is one
field of `Wants`, its words in `SWITCHES`, and a column of `schema.channels` with its migration.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec


class Wants(msgspec.Struct, frozen=True):
    """The notices that a channel gets, a switch each; and `digest`, one daily summary for slow games. The defaults are
    those of a new channel."""

    turn: bool = True
    game: bool = True
    invitation: bool = True
    answers: bool = True
    clubs: bool = True
    chat: bool = False
    digest: bool = False

    def include(self, kind: str) -> bool:
        """Return whether the channel gets notices of this kind."""
        switch = KINDS[kind].switch
        return not switch or self.by_name()[switch]

    def by_name(self) -> dict[str, bool]:
        """Return each choice by its name, which is that of its column."""
        return {name: getattr(self, name) for name in Wants.__struct_fields__}


SWITCHES = {  # with their words on the page You
    "turn": "My turn, and when my time is short",
    "game": "Games start and end, votes, a bot in my seat",
    "invitation": "Invitations",
    "answers": "Answers to my invitations and reports",
    "clubs": "My clubs: requests to join, answers, new seasons",
    "chat": "Chat",
}


class Kind(NamedTuple):
    """A kind of notice. `path` is where it leads, `button` the label of that link; `wording.fill` replaces the names in
    braces. `switch` is the choice that it follows, "" if a person has just requested it. It is outdated once its table
    has a status other than these (() for any), or if it is for the table's `host` and its reader is not. `by`: it names
    the host, the writer of the chat message with its number, the tournament or the club."""

    title: str
    text: str
    switch: str
    status: tuple[str, ...] = ()
    host: bool = False
    by: Literal["", "host", "writer", "tournament", "club"] = ""
    path: str = "/t/{table}"
    button: str = "Open the table"


# The names of the kinds are stored, so they stay. Each comment says what happened to the reader.
KINDS = {
    # It is their turn.
    "turn": Kind("Your turn: {game}", "{started}{asked}{score}{please}", "turn", ("playing",)),
    # It is still their turn, and the time for it is short (only in games by post).
    "time": Kind(
        "Time is running out: {game}", "You have {left} left{until}. Then a bot plays for you. {asked}{score}", "turn",
        ("playing",),
    ),
    # A game in which they sit has started.
    "started": Kind("Game started: {game}", "The game has started.", "game", ("playing",)),
    # The house has paired them in a tournament, and their game has started.
    "paired": Kind(
        "Tournament game: {game}",
        "Your game in “{by}” has started. If you don't open the table in time, you lose it.", "game", ("playing",),
        by="tournament",
    ),
    # A tournament that they have joined starts in some minutes.
    "soon": Kind(
        "Tournament starts soon: {by}",
        "It starts on {starts}. Be on its page then: we take you to your table.", "game", by="tournament",
        path="/tournaments/{table}", button="Open the tournament",
    ),
    # A tournament in which they played is over.
    "ended": Kind(
        "Tournament over: {by}", "The results are on its page.", "game", by="tournament",
        path="/tournaments/{table}", button="See the results",
    ),
    # A tournament that they had joined was cancelled.
    "cancelled": Kind(
        "Tournament cancelled: {by}", "{more}", "game", by="tournament", path="/tournaments/{table}",
        button="Open the tournament",
    ),
    # A bot sits in their seat, because they were away on their turn. (For a person in a seat see "joined".)
    "seat": Kind(
        "A bot plays for you: {game}",
        "You were away on your turn, so a bot is playing in your seat. Open the table to take it back.", "game",
        ("playing",),
    ),
    # Another player wants to end their game, and they have not agreed yet.
    "vote": Kind(
        "Vote to end the game: {game}",
        "{by} wants to end this game without a result. It ends if everyone present agrees.", "game", ("playing",),
        by="writer",
    ),
    # A game that they played is over, or was closed.
    "over": Kind("Game over: {game}", "{end}{score}", "game", ("over", "closed")),
    # A person took a seat at the table that they host: a seat they were invited to, or an open one.
    "joined": Kind(
        "A player joined: {game}", "{who} joined your table. The game hasn't started yet.", "answers", ("waiting",),
        host=True,
    ),
    # A person declined their invitation to the table that they host.
    "declined": Kind(
        "Invitation declined: {game}", "{by} can't play this time. The seat is free for someone else.", "answers",
        host=True, by="writer",
    ),
    # A moderator has handled a report of theirs.
    "report": Kind(
        "Your report was handled", "A moderator has handled your report. Thank you.", "answers", path="/me",
        button="Open Parlour",
    ),
    # People ask to join a club that they lead.
    "asked": Kind(
        "Request to join: {by}", "Waiting for your answer: {who}.", "clubs", by="club", path="/clubs/{table}",
        button="Open the club",
    ),
    # A club accepted their request to join, or declined it.
    "admitted": Kind(
        "You joined a club: {by}", "Your request was accepted.", "clubs", by="club", path="/clubs/{table}",
        button="Open the club",
    ),
    "refused": Kind(
        "Request declined: {by}", "The club has declined your request to join.", "clubs", by="club",
        path="/clubs/{table}", button="Open the club",
    ),
    # A season is planned in a club of theirs.
    "season": Kind(
        "New season: {by}", "A season of {game} is planned. {more}", "clubs", by="club", path="/clubs/{table}",
        button="Open the club",
    ),
    # The host of a table invites them.
    "invitation": Kind("Invitation: {game}", "{by} invites you to play.", "invitation", by="host"),
    # Another person wrote a message at their table.
    "chat": Kind("New message: {game}", "{by} wrote a message at your table.", "chat", by="writer"),
    # They gave an email address, and have not confirmed it yet.
    "confirm": Kind(
        "Confirm your email address for Parlour",
        "Someone (probably you) asked Parlour {purpose}. Confirm with the link below, or ignore this message.", "",
        path="/told/{channel}?yes=1", button="Confirm my address",
    ),
    # They asked to reset their password.
    "lost": Kind(
        "Reset your password for Parlour",
        "Someone asked to reset {by}'s password at Parlour. This link works once, for one hour. It signs you out "
        "everywhere else. If it wasn't you, ignore this message: your password stays the same.", "",
        path="/link#{token}", button="Reset my password",
    ),
}  # fmt: skip
ELSEWHERE = tuple(  # notices of a tournament or a club, which they name in place of a table
    kind for kind, one in KINDS.items() if one.path.startswith(("/tournaments/", "/clubs/"))
)
OF_TURN = ("turn", "time")  # notices of a turn, which end with it
OWN = tuple(kind for kind, one in KINDS.items() if not one.switch)  # sent at once, in an email each, at any hour
