"""`parlour mcp`: a language model at a real house, message by message."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from tests.house.serving import Nursery


@pytest.fixture(scope="module")
def house(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> str:
    return nursery.start(database=f"sqlite:///{tmp_path_factory.mktemp('mcp')}/parlour.db").url


class Model:
    """What a language model's program does: it sends requests, one a line, and reads the answers."""

    def __init__(self, house: str) -> None:
        with httpx.Client(base_url=house) as ann:
            ann.post("/api/me/claim", json={"name": "Ann", "password": "correct horse"}).raise_for_status()
            body = {"name": "Model", "password": "correct horse"}
            token = ann.post("/api/me/tokens/new", json=body).raise_for_status().json()["secret"]
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "parlour", "mcp", "--house", house], text=True, encoding="utf-8",
            env={**os.environ, "PARLOUR_TOKEN": token, "LC_ALL": "C"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.number = 0

    def send(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request; return the whole answer."""
        self.number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        answer = self.read()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.number)
        return answer

    def use(self, tool: str, *, fails: bool = False, **arguments: Any) -> str:
        """Use a tool; return its text."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        ((kind, text),) = [(part["type"], part["text"]) for part in result["content"]]
        assert (kind, result["isError"]) == ("text", fails), text
        return str(text)


@pytest.fixture(scope="module")
def model(house: str) -> Iterator[Model]:
    made = Model(house)
    yield made
    made.process.communicate(timeout=20)
    assert made.process.returncode == 0, "it ends when its input does"


def test_it_begins_as_the_protocol_says(model: Model) -> None:
    known = model.ask("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "t"})["result"]
    assert (known["protocolVersion"], known["capabilities"]) == ("2025-03-26", {"tools": {}})
    assert model.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-06-18"
    model.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')  # gets no answer
    assert model.ask("ping")["result"] == {}
    for tool in model.ask("tools/list")["result"]["tools"]:
        assert tool["description"]
        assert tool["inputSchema"]["type"] == "object"
        Draft202012Validator.check_schema(tool["inputSchema"])


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("{", -32700),
        ('"ä♥"', -32600),
        ('{"method": "ping", "id": 1}', -32600),
        ('{"jsonrpc": "2.0", "method": "resources/list", "id": 1}', -32601),
        ('{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"name": "cheat"}}', -32602),
        ('{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"name": "play"}}', -32602),
        ('{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": []}', -32602),
        (
            '{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"name": "sit", "arguments": '
            '{"table": "x", "as": 1}}}',
            -32602,
        ),
    ],
)
def test_what_does_not_fit_gets_an_error_and_ends_nothing(model: Model, sent: str, code: int) -> None:
    model.send(sent)
    error = model.read()["error"]
    assert error["code"] == code
    assert error["message"].endswith(".")


def test_a_model_plays_a_whole_game_by_the_text_alone(model: Model) -> None:
    assert '"gatsby"' in model.use("list_games")
    assert "GA-1" in model.use("rulebook", game="gatsby")
    text, choice = model.use("new_table", game="gatsby"), random.Random(3)
    table = re.search(r"Table (\w+),", text)
    assert table
    for _ in range(400):
        if "the game is over" in text:
            break
        found = re.search(r"Your decisions, by number:\n((?:\d+: .*\n?)+)", text)
        if not found:
            text = model.use("position", table=table[1], wait=True)
            continue
        number = int(re.search(r"Position (\d+)", text)[1])  # type: ignore[index]
        decision = int(choice.choice(found[1].splitlines()).partition(":")[0])
        text = model.use("play", table=table[1], position=number, decision=decision)
    assert "Scores by seat:" in text
    assert "the game is over" in text


def test_a_refusal_quotes_the_rule_and_what_is_possible(model: Model) -> None:
    text = model.use("new_table", game="fortune", opponents=["open"])
    table = re.search(r"Table (\w+),", text)[1]  # type: ignore[index]
    assert "the game is waiting" in text
    assert "in the chat" in model.use("say", table=table, text="Hello!")
    text = model.use("start", table=table)
    assert "Ann (program): Hello!" in text
    while "Your decisions" not in text:
        text = model.use("position", table=table, wait=True)
    number = int(re.search(r"Position (\d+)", text)[1])  # type: ignore[index]
    said = model.use("play", fails=True, table=table, position=number, decision="re-roll 1")
    clause = re.search(r"FO-\d+", said)
    assert clause, said
    assert model.use("explain", game="fortune", clause=clause[0]) in said
    assert "fortune" in model.use("explain", fails=True, game="none", clause="FO-1")
    assert "There is no page" in model.use("position", fails=True, table="../me")
    assert "There is no table" in model.use("sit", fails=True, table="none")
    assert "take back" in model.use("take_back", fails=True, table=table, position=number)
    assert "after they've been away" in model.use("let_a_bot_play", fails=True, table=table, seat=0)
    assert "the game is closed" in model.use("end_without_result", table=table)


def test_without_a_token_or_a_house_it_says_what_is_missing(house: str) -> None:
    command = [sys.executable, "-m", "parlour", "mcp"]
    bare = {name: value for name, value in os.environ.items() if name != "PARLOUR_TOKEN"}
    done = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Set PARLOUR_TOKEN to a token of your account." in done.stderr
    ask = '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_games"}}\n'
    for address, said in (("http://127.0.0.1:9", "can't be reached"), (house, "This token isn't valid.")):
        done = subprocess.run(
            [*command, "--house", address], env={**bare, "PARLOUR_TOKEN": "x"}, input=ask, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        result = json.loads(done.stdout)["result"]
        assert result["isError"]
        assert said in result["content"][0]["text"]
