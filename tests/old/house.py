"""The server of a commit, and what people do there: the same requests for every commit, as far as it has them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

PEOPLE = ("Ann", "Bob", "Cem", "Dée", "Eve <&>", "Fay")
PASSWORD = "correct horse battery staple"
WEEK = {"delay": 604800.0}
LIVE = {"bank": 36000.0, "increment": 5.0}
GREEDY = {"kind": "bot", "bot": "greedy"}
LONGEST = 90.0  # seconds until the bots of a table have played it out
SERVE = """
import dataclasses, json, sys
try:
    from parlour.house.settings import Settings
    from parlour.house.serve import run
except ImportError:  # a commit before its folders were subjects
    from parlour.table.settings import Settings
    try:
        from parlour.table.web.serve import run
    except ImportError:
        from parlour.table.serve import run
        import parlour.table.asking
        if hasattr(parlour.table.asking, "patience"):  # it cannot be set there, and questions would take a minute each
            parlour.table.asking.patience = lambda pace: json.loads(sys.argv[1])["patience"]
known = {field.name for field in dataclasses.fields(Settings)}
settings = {name: value for name, value in json.loads(sys.argv[1]).items() if name in known}
run(Settings(**settings), lambda url: print(url, flush=True))
"""
SHAPES = """
import json
try:
    from parlour.games import all_games
except ImportError:
    from parlour.games import games as all_games
found = []
for name, game in all_games().items():
    facts = game.facts if hasattr(game, "facts") else None
    options, players = (facts.options, facts.players) if facts else (game.rules.OPTIONS, game.rules.PLAYERS)
    rulesets = next((option.values for option in options if option.name == "ruleset"), [""])
    for ruleset in rulesets:
        for number in range(players[0], players[1] + 1):
            edition = list(game.editions)[number % len(game.editions)]
            found.append([name, edition, ruleset, number])
print(json.dumps(found))
"""


class Shape(NamedTuple):
    """What is played at a table."""

    game: str
    edition: str
    ruleset: str
    players: int

    def body(self) -> dict[str, Any]:
        """Return the body of a request for such a table."""
        chosen = {"ruleset": self.ruleset} if self.ruleset else {}
        return {"game": self.game, "edition": self.edition, "options": chosen}


def python(tree: Path, code: str, *arguments: str) -> subprocess.Popen[str]:
    """Run code with the modules of a work tree, by its own Python where it has one (`scripts/install`)."""
    environment, own = os.environ | {"PYTHONPATH": str(tree)}, tree / ".venv" / "bin" / "python"
    command = [str(own) if own.exists() else sys.executable, "-W", "ignore", "-c", code, *arguments]
    return subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True)


def shapes(tree: Path) -> list[Shape]:
    """Every ruleset with every number of players; the editions take turns."""
    said, _ = python(tree, SHAPES).communicate()
    return [Shape(*one) for one in json.loads(said)]


@contextmanager
def serving(tree: Path, database: Path, patience: float) -> Iterator[str]:
    """Serve a database with a commit's own server, and kill it at the end; its address."""
    wanted = {
        "port": 0, "pace": 0, "limits": False, "engine": "plain", "outside": "any", "grace": 3600.0,
        "patience": patience, "database": f"sqlite:///{database}",
    }  # fmt: skip
    with python(tree, SERVE, json.dumps(wanted)) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        if not url:
            raise RuntimeError(f"The server of {tree} does not start.")
        try:
            yield url
        finally:
            process.send_signal(signal.SIGKILL)


class Company:
    """People with a cookie jar each."""

    def __init__(self, url: str, cookies: dict[str, dict[str, str]]) -> None:
        self.people = {
            name: httpx.Client(base_url=url, cookies=cookies.get(name), timeout=60) for name in PEOPLE
        }  # fmt: skip
        self._chance = random.Random(24)

    def cookies(self) -> dict[str, dict[str, str]]:
        """Return what their browsers keep, by name."""
        return {name: dict(one.cookies) for name, one in self.people.items()}

    def post(self, name: str, path: str, /, **body: Any) -> Any:
        """POST /api/PATH as this person; return None if the commit has no such path, or refuses it."""
        answer = self.people[name].post(f"/api/{path}", json=body)
        if answer.status_code >= 500:
            raise RuntimeError(f"{path}: {answer.text}")
        return answer.json() if answer.is_success else None

    def see(self, name: str, table: str) -> Any:
        """Return a table as this person sees it."""
        return self.people[name].get(f"/api/tables/{table}").raise_for_status().json()

    def sit(self, shape: Shape, **more: Any) -> str | None:
        """Begin a game with the people of this shape; return None if the commit cannot."""
        made = self.post("Ann", "tables", seats=_seats(shape), **shape.body(), **more)
        if made is None:
            return None
        for name in PEOPLE[1 : shape.players]:
            self.post(name, f"tables/{made['id']}/sit")
        self.post("Ann", f"tables/{made['id']}/start")
        return str(made["id"])

    def play(self, shape: Shape, table: str, moves: int, *, until_asked: bool = False) -> None:
        """Let its people make this number of moves, or until some of them are asked in secret."""
        quiet = 0  # looks at which no one was asked
        while moves > 0 and quiet < 100:
            seen = self.see("Ann", table)
            if seen["table"]["status"] != "playing":
                return
            turn = seen["scene"]["to_move"]
            asked = self._asked(table, PEOPLE[turn : turn + 1] if turn is not None else PEOPLE[: shape.players])
            asked = asked or self._asked(table, PEOPLE[: shape.players])
            quiet = 0 if asked else quiet + 1
            if until_asked and (len(asked) > 1 or quiet > 2):
                return
            for name, one in asked.items():
                self._move(name, table, one)
                moves -= 1
            if not asked:
                time.sleep(0.02)

    def _asked(self, table: str, names: Sequence[str]) -> dict[str, Any]:
        """Return those of them who may decide now, and what they see."""
        seen = {name: self.see(name, table) for name in names}
        return {name: one for name, one in seen.items() if one["legal"]}

    def _move(self, name: str, table: str, seen: Any) -> None:
        choices = seen["legal"]
        move = choices[0] if self._chance.random() < 0.6 else self._chance.choice(choices)
        self.post(name, f"tables/{table}/moves", move=move, version=seen["table"]["version"])
        if self._chance.random() < 0.1:  # most are refused: it has shown something
            self.post(name, f"tables/{table}/undo", version=seen["table"]["version"] + 1)

    def watch(self, shape: Shape) -> str:
        """A game that bots play to its end, after its only person has left it; "" where it took too long."""
        seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
        table = str(self.post("Ann", "tables", seats=seats, **shape.body())["id"])
        self.post("Ann", f"tables/{table}/leave")
        with self.people["Bob"].stream("GET", f"/api/tables/{table}/events"):
            end = time.monotonic() + LONGEST
            while time.monotonic() < end:
                if self.see("Bob", table)["table"]["status"] == "over":
                    return table
                time.sleep(0.1)
        return ""

    def live_there(self, all_shapes: list[Shape], tables: list[str]) -> None:
        """What else people do: names, accounts, talk, notices, clocks, lessons, waiting."""
        first = all_shapes[0]
        for name in PEOPLE:
            self.post(name, "me", name=name)
        for name in PEOPLE[:3]:
            self.post(name, "me/claim", name=name, password=PASSWORD)
        self.post("Ann", "me/preferences", name="theme", value="dark")
        self.post("Bob", "me/told", kind="webhook", address="http://127.0.0.1:9/", turn=True, chat=True)
        self.post("Ann", "me/told", kind="mail", address="ann@example.org", password=PASSWORD)
        for table in tables[:3]:
            self.post("Ann", f"tables/{table}/chat", text="Is “re-roll” new? <b>No</b> 🎲")
        two = next(shape for shape in all_shapes if shape.players == 2)
        for more in ({"tempo": WEEK}, {"tempo": LIVE}, {"tempo": "usual", "rated": True}, {"public": False}):
            if table := self.sit(two, **more):
                self.play(two, table, 5)
        self.post("Ann", "tables", seats=[{"kind": "me"}, {"kind": "open"}], **two.body())
        self.post("Ann", "tables", seats=[{"kind": "me"}, {"kind": "link"}], **two.body())
        self.post("Bob", "tables", seats=[{"kind": "me"}, {"kind": "here"}], **two.body())
        self.post("Cem", "tables", seats=[{"kind": "me"}, GREEDY], hints=True, **two.body())
        for game, ruleset in {(shape.game, shape.ruleset): None for shape in all_shapes}:
            self.post("Dée", "lessons", game=game, ruleset=ruleset)
        self.post("Bob", "me/mute", table=tables[0], seat=0)
        self.post("Ann", "me/block", name="Cem")
        self.post("Bob", "me/report", table=tables[0], seat=0, reason="insults", words="As an example.")
        self.post("Ann", f"tables/{tables[1]}/end", agree=True)
        self.post("Fay", "play", game=first.game)
        played = {"game": two.game, "options": two.body()["options"]}
        if made := self.post("Ann", "playtests", name="More gold", editions=[{}], **played):
            token = made["link"].rpartition("/")[2]
            for name in PEOPLE[3:5]:
                table = self.post(name, "playtests/join", token=token, agree=name == PEOPLE[3])["id"]
            self.post(PEOPLE[3], f"tables/{table}/chat", text="Who begins?")

    def close(self) -> None:
        """Let go of all connections."""
        for one in self.people.values():
            one.close()


def _seats(shape: Shape) -> list[dict[str, str]]:
    return [{"kind": "me"}, *[{"kind": "open"}] * (shape.players - 1)]
