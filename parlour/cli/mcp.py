"""`parlour mcp`: the tables of a house for a language model, over the Model Context Protocol on standard streams.

The protocol is JSON-RPC, one message a line. It needs three methods, so they are here; its Python package brings a
web server and a validator that nothing else here uses.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
import typer

from parlour import __version__
from parlour.core.errors import BadSetup, ParlourError

if TYPE_CHECKING:
    from parlour.cli.mcp_tools import House

T = TypeVar("T")
VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")  # of the protocol, the newest first
TOKEN = "PARLOUR_TOKEN"  # never an argument: others can read those
HELP = (
    "Play tabletop games at a house of Parlour. Call list_games, then new_table or sit; read the rulebook; then call "
    "play with a number from your decisions, whenever it is your turn."
)
UNREADABLE, INVALID, UNKNOWN, BAD = -32700, -32600, -32601, -32602  # codes of JSON-RPC


class _Call(msgspec.Struct):
    """A message: a request, or a notification if it has no id."""

    method: str
    jsonrpc: Literal["2.0"]
    id: str | int | msgspec.UnsetType | None = msgspec.UNSET
    params: msgspec.Raw = msgspec.Raw(b"{}")


class _Begin(msgspec.Struct):
    """The parameters of `initialize` that matter."""

    protocol: str = msgspec.field(default="", name="protocolVersion")


class _Use(msgspec.Struct):
    """The parameters of `tools/call`."""

    name: str
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


class _Fault(Exception):
    """An error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def mcp(
    house: Annotated[
        str, typer.Option("--house", metavar="URL", help="The address of the house.")
    ] = "http://127.0.0.1:8000",
) -> None:
    """Let a language model play at a house: an MCP server on standard input and output.

    The environment variable PARLOUR_TOKEN has a token of your account with both scopes; you make it on the page You of
    the house.

    Example: `PARLOUR_TOKEN=... parlour mcp --house https://games.example.org`
    """
    from parlour.cli.mcp_tools import House

    token = os.environ.get(TOKEN, "")
    if not token:
        raise BadSetup(f"Set {TOKEN} to a token of your account. You make one on the page You of the house (/me).")
    if not house.startswith(("http://", "https://")):
        raise BadSetup(f"{house!r} isn't the address of a house. It begins with http:// or https://.")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # as the protocol says, whatever the system uses
    there = House(house, token)
    for line in sys.stdin:
        if line.strip() and (answer := _answered(there, line)) is not None:
            print(json.dumps(answer), flush=True)  # in ASCII, which no stream spells otherwise


def _answered(house: House, line: str) -> dict[str, object] | None:
    """Return the answer to one message, None if it needs none."""
    try:
        call = msgspec.json.decode(line.encode(), type=_Call)
    except msgspec.ValidationError as error:
        return _error(None, _Fault(INVALID, f"This isn't a request: {error}."))
    except msgspec.DecodeError as error:
        return _error(None, _Fault(UNREADABLE, f"This isn't JSON: {error}."))
    if call.id is msgspec.UNSET:
        return None
    try:
        return {"jsonrpc": "2.0", "id": call.id, "result": _result(house, call)}
    except _Fault as fault:
        return _error(call.id, fault)


def _error(number: object, fault: _Fault) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": fault.code, "message": str(fault)}}


def _result(house: House, call: _Call) -> dict[str, object]:
    """Return the result of a request. Raises _Fault."""
    from parlour.cli import mcp_tools

    if call.method == "initialize":
        wanted = _read(call.params, _Begin).protocol
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "parlour", "version": __version__},
            "instructions": HELP,
        }
    if call.method == "ping":
        return {}
    if call.method == "tools/list":
        return {"tools": [mcp_tools.described(name) for name in mcp_tools.TOOLS]}
    if call.method != "tools/call":
        raise _Fault(UNKNOWN, f"There is no method {call.method!r}.")
    use = _read(call.params, _Use)
    if use.name not in mcp_tools.TOOLS:
        raise _Fault(BAD, f"There is no tool {use.name!r}. There are {', '.join(mcp_tools.TOOLS)}.")
    try:
        return _said(_read(use.arguments, mcp_tools.TOOLS[use.name]).run(house))
    except ParlourError as error:
        allowed = f"\n\nAllowed: {', '.join(error.allowed[:50])}" if error.allowed else ""
        clause = f" [{error.clause}]" if error.clause else ""
        return _said(f"{error.message}{clause}{allowed}", failed=True)


def _said(text: str, *, failed: bool = False) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _read(raw: msgspec.Raw, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise _Fault(BAD, f"The parameters don't fit: {error}.") from None
