"""docs/programs.md and examples/program.py, at a real house: its commands run, and the client needs no more than the
OpenAPI document publishes."""

from __future__ import annotations

import io
import json
import os
import re
import runpy
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from jsonschema import Draft202012Validator

from parlour.games import all_games
from tests.house.serving import Nursery

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "examples" / "program.py"
PAGE = (ROOT / "docs" / "programs.md").read_text("utf-8")
USUAL = "http://127.0.0.1:8000"  # the house of the page
RULESETS = [(game.name, ruleset) for game in all_games().values() for ruleset in game.rulesets]
SHORT = ("aces-and-faces",)  # the others are played by `scripts/nightly --whole`


@pytest.fixture(scope="module")
def house(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> str:
    """Return the address of a house; in the long form it has limits, for which the client waits."""
    limits = bool(request.config.getoption("--whole"))
    return nursery.start(database=f"sqlite:///{tmp_path_factory.mktemp('programs')}/parlour.db", limits=limits).url


@pytest.fixture(scope="module")
def token(house: str) -> str:
    with httpx.Client(base_url=house) as ann:
        ann.post("/api/me/claim", json={"name": "Ann", "password": "correct horse"}).raise_for_status()
        answer = ann.post("/api/me/tokens/new", json={"name": "Robot", "password": "correct horse"})
    return str(answer.raise_for_status().json()["secret"])


class Reader:
    """Opens addresses as `urlopen` does, and compares what is sent and answered with the house's document."""

    def __init__(self, house: str) -> None:
        self.open, self.document = urllib.request.urlopen, httpx.get(f"{house}/schema").json()
        self.seen: set[str] = set()
        self.lines: list[Any] = []

    def __call__(self, asked: urllib.request.Request) -> Any:
        path, method = urlsplit(asked.full_url).path, asked.get_method().lower()
        template, what = next(
            (template, methods[method])
            for template, methods in self.document["paths"].items()
            if method in methods and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path)
        )
        assert what["security"][-1] == {"token": []}, f"{template} is not for programs"
        self.seen.add(template)
        if asked.data:
            self.check(what["requestBody"]["content"], json.loads(asked.data))  # type: ignore[arg-type]
        answer = self.open(asked)
        content = next(one["content"] for status, one in what["responses"].items() if int(status) == answer.status)
        if "application/json" not in content:
            return self._each(answer, content)
        data = answer.read()
        self.check(content, json.loads(data))
        return io.BytesIO(data)

    def _each(self, answer: HTTPResponse, content: Any) -> Iterator[bytes]:
        for line in answer:
            self.lines.append(json.loads(line))
            self.check(content, self.lines[-1])
            yield line

    def check(self, content: Any, value: Any) -> None:
        """Check that a value fits what the document says of it."""
        ((_, described),) = content.items()
        Draft202012Validator({**described["schema"], "components": self.document["components"]}).validate(value)


@pytest.mark.parametrize(
    ("game", "ruleset"),
    [
        pytest.param(*one, marks=() if any(name in one for name in SHORT) else pytest.mark.whole, id="-".join(one))
        for one in RULESETS
    ],
)
def test_the_client_plays_a_whole_game(
    game: str, ruleset: str, house: str, token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(house)
    monkeypatch.setattr(urllib.request, "urlopen", reader)
    monkeypatch.setattr(sys, "argv", [str(CLIENT), house, game, *filter(None, [ruleset])])
    monkeypatch.setenv("PARLOUR_TOKEN", token)
    runpy.run_path(str(CLIENT), run_name="__main__")
    last = [line["position"] for line in reader.lines if "position" in line][-1]
    assert (last["status"], last["game"], last["ruleset"]) == ("over", game, ruleset)
    assert sum(last["result"]) == pytest.approx(1)
    assert last["players"][0]["program"]
    assert last["text"] in capsys.readouterr().out
    assert reader.seen == {
        "/api/games/{game}", "/api/tables", "/api/tables/{table_id}/positions", "/api/tables/{table_id}/moves"
    }  # fmt: skip
    record = httpx.get(f"{house}/t/{last['table']}/record").raise_for_status().text
    assert "Ann (program)" in record


def test_the_client_has_at_most_forty_lines() -> None:
    assert len(CLIENT.read_text("utf-8").splitlines()) <= 40
    assert "parlour" not in re.findall(r"^(?:import|from) (\w+)", CLIENT.read_text("utf-8"), re.M)


def test_a_wrong_token_is_said_in_a_sentence(house: str) -> None:
    environment = {**os.environ, "PARLOUR_TOKEN": "parlour_none"}
    done = subprocess.run(
        [sys.executable, str(CLIENT), house, "gatsby"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("This token isn't valid.")


def test_the_commands_of_the_page_run(house: str, token: str) -> None:
    """In the order of the page; each must succeed and print something."""
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PARLOUR_TOKEN": token, "PATH": f"{here}:{os.environ['PATH']}"}
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    assert len(blocks) == 3
    for block in blocks:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.replace(USUAL, house)], cwd=ROOT, env=environment, check=False,
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Ann" in done.stdout
