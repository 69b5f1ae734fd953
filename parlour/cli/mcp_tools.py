"""What `parlour mcp` lets a language model do: tools, each of which asks a house over HTTP as any program does.

They see what the token's account may see, and nothing besides: what is hidden never reaches this process.
"""

from __future__ import annotations

import json
import time
from http.client import HTTPException, HTTPResponse
from inspect import cleandoc
from typing import Annotated, Literal
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import msgspec

from parlour.core.errors import ParlourError

LISTED = 200  # decisions in one answer; any other can be played by its text
SILENCE = 40.0  # seconds without a line after which a stream is lost: a line comes every 15
WAITS = 50.0  # seconds at most that a tool waits for a turn
TRIES = 5  # of a request that came too soon
LONGEST = 5.0  # seconds that it waits before it tries again


class Refused(ParlourError):
    """The house refused, or can't be reached."""

    code = "refused"


class _Error(msgspec.Struct):
    code: str
    message: str
    clause: str = ""
    allowed: list[str] = []


class _Refusal(msgspec.Struct):
    error: _Error


class _Decision(msgspec.Struct):
    id: int
    text: str


class _Line(msgspec.Struct):
    text: str


class _Message(msgspec.Struct):
    name: str
    text: str


class _Words(msgspec.Struct):
    text: str


class Seen(msgspec.Struct):
    """What these tools read of a position (`GET /api/tables/ID/position`)."""

    table: str
    game: str
    version: int
    status: Literal["waiting", "playing", "over", "closed"]
    seat: int | None
    prompt: str
    text: str
    legal: list[_Decision]
    log: list[_Line]
    result: list[float] = []
    scores: list[int] = []
    undo: bool = False
    absent: list[int] = []
    ending: list[int] = []
    chat: list[_Message] = []


class _News(msgspec.Struct):
    position: Seen | None = None


class _Made(msgspec.Struct):
    id: str
    url: str


class House:
    """A house, as the owner of a token sees it."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def open(self, path: str, body: object = None) -> HTTPResponse:
        """Send a request; a GET without a body. Raises Refused, with what the rulebook or the house says."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(TRIES):
            try:
                answer: HTTPResponse = urlopen(Request(self.address + path, data, self._headers), timeout=SILENCE)
                return answer
            except HTTPError as error:
                if error.code == 429 and attempt + 1 < TRIES:
                    time.sleep(min(LONGEST, float(error.headers.get("Retry-After", 1))))
                    continue
                raise _refusal(error) from None
            except (OSError, HTTPException, ValueError) as error:
                raise Refused(f"The house at {self.address} can't be reached: {error}.") from None
        raise AssertionError  # the last attempt has returned or raised

    def position(self, table: str, since: int = 0) -> Seen:
        """Return the present position of a table, with the log since one. Raises Refused."""
        with self.open(f"/api/tables/{quote(table, safe='')}/position?since={since}") as answer:
            return msgspec.json.decode(answer.read(), type=Seen)

    def words(self, *path: str) -> str:
        """Return the text at an address below /api. Raises Refused."""
        with self.open("/api/" + "/".join(quote(part, safe="") for part in path)) as answer:
            return msgspec.json.decode(answer.read(), type=_Words).text

    def send(self, table: str, what: str, body: object) -> None:
        """Do something at a table. Raises Refused."""
        with self.open(f"/api/tables/{quote(table, safe='')}/{what}", body):
            pass

    def turn(self, table: str, since: int = 0) -> Seen:
        """Wait until you can decide or the game is over, at most WAITS seconds; return the position with the log since
        one. Raises Refused."""
        late, news = time.monotonic() + WAITS, msgspec.json.Decoder(_News)
        with self.open(f"/api/tables/{quote(table, safe='')}/positions?since={since}") as stream:
            try:
                for line in stream:
                    seen = news.decode(line).position
                    if time.monotonic() > late or (seen is not None and seen.legal):
                        break
            except (OSError, HTTPException):
                pass  # it was cut off: what there is now follows
        return self.position(table, since)


def _refusal(error: HTTPError) -> Refused:
    """Return a refusal of the house as a sentence, with what is allowed instead."""
    try:
        said = msgspec.json.decode(error.read(), type=_Refusal).error
    except msgspec.DecodeError:
        return Refused(f"The house answered {error.code} {error.reason}.")
    return Refused(said.message, clause=said.clause, allowed=said.allowed)


# Tools -----------------------------------------------------------------------------------------------
TableId = Annotated[str, msgspec.Meta(description="The table's id, the part of its address after /t/.")]
GameName = Annotated[str, msgspec.Meta(description="A game, by its name from list_games.")]


class Tool(msgspec.Struct, forbid_unknown_fields=True):
    """A tool: its fields are its arguments."""

    def run(self, house: House) -> str:
        """Do it; return what the model reads. Raises ParlourError."""
        raise NotImplementedError


class ListGames(Tool):
    """List the games of the house, with their rulesets and how many can play."""

    def run(self, house: House) -> str:
        """See `Tool`."""
        with house.open("/api/games") as answer:
            return answer.read().decode()


class Rulebook(Tool):
    """Return the rulebook of a game in Markdown; each clause begins with its number."""

    game: GameName

    def run(self, house: House) -> str:
        """See `Tool`."""
        return house.words("games", self.game, "rulebook")


class Explain(Tool):
    """Explain a refusal: return the clause of the rulebook that it names."""

    game: GameName
    clause: Annotated[str, msgspec.Meta(description="The number of a clause, as a refusal names it.")]

    def run(self, house: House) -> str:
        """See `Tool`."""
        return house.words("games", self.game, "clauses", self.clause)


class NewTable(Tool):
    """Make a table at which you play against bots of the house, or with people who open its address. The game begins
    at once if no seat is open; otherwise call start when all have come."""

    game: GameName
    ruleset: Annotated[str, msgspec.Meta(description="A ruleset of the game; the first if it is empty.")] = ""
    opponents: Annotated[
        tuple[str, ...],
        msgspec.Meta(description='The other seats: "open" for people and programs, or a level of the house\'s bots.'),
    ] = ("greedy",)

    def run(self, house: House) -> str:
        """See `Tool`."""
        others = [{"kind": "open"} if one == "open" else {"kind": "bot", "bot": one} for one in self.opponents]
        body = {
            "game": self.game, "seats": [{"kind": "me"}, *others], "programs": True, "pace": "instant",
            "options": {"ruleset": self.ruleset} if self.ruleset else {},
        }  # fmt: skip
        with house.open("/api/tables", body) as answer:
            made = msgspec.json.decode(answer.read(), type=_Made)
        return f"Table {made.id}, for people at {made.url}.\n\n{shown(house.position(made.id))}"


class Sit(Tool):
    """Take a free seat at a table whose host allows programs."""

    table: TableId
    seat: Annotated[int | None, msgspec.Meta(description="The seat, from 0; any free one if left out.")] = None

    def run(self, house: House) -> str:
        """See `Tool`."""
        house.send(self.table, "sit", {"seat": self.seat})
        return shown(house.position(self.table))


class Start(Tool):
    """Start the game at a table of yours, with bots of the house in the seats that are still free."""

    table: TableId

    def run(self, house: House) -> str:
        """See `Tool`."""
        house.send(self.table, "start", {"bots": True})
        return shown(house.position(self.table))


class ReadPosition(Tool):
    """Return the position as you see it, your decisions with their numbers, and the log. With `wait`, it waits up to
    50 seconds until you can decide or the game is over."""

    table: TableId
    wait: bool = False
    since: Annotated[int, msgspec.Meta(description="Only the log since this position; 0 for all of it.", ge=0)] = 0

    def run(self, house: House) -> str:
        """See `Tool`."""
        return shown(house.turn(self.table, self.since) if self.wait else house.position(self.table, self.since))


class Play(Tool):
    """Make a decision in a position, by its number; then wait up to 50 seconds for your next turn, and return that
    position. Sending it twice is safe. A refusal says why, and quotes the rule."""

    table: TableId
    position: Annotated[int, msgspec.Meta(description="The number of the position that you answer.", ge=0)]
    decision: Annotated[int | str, msgspec.Meta(description="The number of a decision, or its text.")]

    def run(self, house: House) -> str:
        """See `Tool`."""
        named = {"action" if isinstance(self.decision, int) else "move": self.decision}
        try:
            house.send(self.table, "moves", {"version": self.position, **named})
        except Refused as error:
            if not error.clause:
                raise
            rule = house.words("games", house.position(self.table).game, "clauses", error.clause)
            raise Refused(f"{error.message}\n\n{rule}", allowed=error.allowed) from None
        return shown(house.turn(self.table, self.position))


class TakeBack(Tool):
    """Take back your last decision in a position that says that you can."""

    table: TableId
    position: Annotated[int, msgspec.Meta(description="The number of the present position.", ge=0)]

    def run(self, house: House) -> str:
        """See `Tool`."""
        house.send(self.table, "undo", {"version": self.position})
        return shown(house.position(self.table, self.position))


class Say(Tool):
    """Send a chat message at a table where you play. Everyone sees that a program wrote it."""

    table: TableId
    text: Annotated[str, msgspec.Meta(description="The message, at most 300 characters.")]

    def run(self, house: House) -> str:
        """See `Tool`."""
        house.send(self.table, "chat", {"text": self.text})
        return "It is in the chat."


class EndWithoutResult(Tool):
    """Vote to end the game without a result; it ends when everyone at the table agrees. With `agree` false, you refuse
    or take back your vote."""

    table: TableId
    agree: bool = True

    def run(self, house: House) -> str:
        """See `Tool`."""
        house.send(self.table, "end", {"agree": self.agree})
        return shown(house.position(self.table))


class LetABotPlay(Tool):
    """Let a bot play for a player who is away on their turn, in a seat that a position names as absent."""

    table: TableId
    seat: Annotated[int, msgspec.Meta(description="The seat of the player who is away, from 0.", ge=0)]

    def run(self, house: House) -> str:
        """See `Tool`."""
        house.send(self.table, "absent", {"seat": self.seat})
        return shown(house.position(self.table))


TOOLS: dict[str, type[Tool]] = {
    "list_games": ListGames, "rulebook": Rulebook, "explain": Explain, "new_table": NewTable, "sit": Sit,
    "start": Start, "position": ReadPosition, "play": Play, "take_back": TakeBack, "say": Say,
    "end_without_result": EndWithoutResult, "let_a_bot_play": LetABotPlay,
}  # fmt: skip


def shown(seen: Seen) -> str:
    """Return a position as a model reads it."""
    parts = [seen.text] if seen.text else []
    parts.append(f"Position {seen.version} of table {seen.table}; the game is {seen.status}.")
    if seen.legal:
        listed = [f"{one.id}: {one.text}" for one in seen.legal[:LISTED]]
        more = len(seen.legal) - len(listed)
        parts.append("Your decisions, by number:\n" + "\n".join(listed) + (f"\nand {more} more" if more else ""))
    elif seen.status == "playing":
        parts.append("You have nothing to decide now. Call position with wait to wait for your turn.")
    elif seen.status == "over":
        parts.append(f"Scores by seat: {seen.scores}; shares of the win: {seen.result}.")
    if seen.undo:
        parts.append("You can take back your last decision with take_back.")
    if seen.absent:
        parts.append(f"The player in seat {seen.absent[0]} is away; let_a_bot_play lets a bot play for them.")
    if seen.ending:
        parts.append(f"Votes to end the game without a result: seats {seen.ending}. Answer with end_without_result.")
    if seen.log:
        parts.append("Log:\n" + "\n".join(line.text for line in seen.log))
    if seen.chat:
        parts.append("Chat, the last messages:\n" + "\n".join(f"{one.name}: {one.text}" for one in seen.chat))
    return "\n\n".join(parts)


def described(name: str) -> dict[str, object]:
    """Return a tool as `tools/list` lists it."""
    kind = TOOLS[name]
    schema = msgspec.json.schema(kind)
    own: dict[str, object] = schema["$defs"][kind.__name__]
    own.pop("title", None)
    own.pop("description", None)
    return {"name": name, "description": cleandoc(kind.__doc__ or ""), "inputSchema": own}
