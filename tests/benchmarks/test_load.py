"""The load client: its counts agree with a real house, and it notices what a house does wrong."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.load import table
from benchmarks.load.__main__ import app
from benchmarks.load.bench import Plan, measure
from benchmarks.load.measure import percentile
from tests.house.serving import lives

ROOT = Path(__file__).parents[2]

# A real house in which one thing is wrong.
LIAR = """
import asyncio, json, sys
from parlour.house.settings import Settings
from parlour.house.app import create_app, open_house
from parlour.house.serve import bind
import uvicorn

fault, database = sys.argv[1:]
app = create_app(Settings(database=database, pace=0))
moves = {}

async def lying(scope, receive, send):
    path = scope.get("path", "")
    if path.endswith("/moves"):
        count = moves[path] = moves.get(path, 0) + 1
        if fault == "fails" and count == 3:
            await send({"type": "http.response.start", "status": 500, "headers": []})
            return await send({"type": "http.response.body", "body": b"{}"})
        if fault == "loses" and count == 3:  # it says that a move was made, and tells the pages so
            sent = json.loads((await receive())["body"])
            lost[path] = sent["version"] + 1
            await send({"type": "http.response.start", "status": 200, "headers": []})
            return await send({"type": "http.response.body", "body": b'{"version": %d}' % lost[path]})
    async def telling(message):
        count = moves.get(path.replace("/events", "/moves"), 0)
        if fault == "drops" and path.endswith("/events") and count >= 3 and message.get("body"):
            message = {**message, "body": b""}
        await send(message)
    await app(scope, receive, telling)

lost = {}

async def run():
    await open_house(app)
    listening = bind("127.0.0.1", 0)
    config = uvicorn.Config(lying, lifespan="off", log_level="critical", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    print("http://127.0.0.1:%d" % listening.getsockname()[1], flush=True)
    await server.serve([listening])

asyncio.run(run())
"""


@pytest.fixture
def liar(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Yield a function that starts a house with a fault and returns its address."""
    started: list[subprocess.Popen[str]] = []

    def start(fault: str) -> str:
        command = [sys.executable, "-c", LIAR, fault, f"sqlite:///{tmp_path}/{fault}.db"]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout is not None
        return started[-1].stdout.readline().strip()

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.whole
def test_the_counts_add_up() -> None:
    done = CliRunner().invoke(app, ["--tables", "6", "--seconds", "3", "--spectators", "5", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["errors"], found["error_texts"]) == (0, [])
    assert (found["tables"], found["spectators"], len(found["games"])) == (6, 5, 5)
    assert found["moves"] > 0  # the number depends on the machine's other work
    assert found["moves_per_second"] == pytest.approx(found["moves"] / found["seconds"], rel=0.1)
    assert 0 < found["answer_p50_ms"] <= found["answer_p99_ms"]
    assert 0 < found["update_p50_ms"] <= found["update_p99_ms"]
    assert 0 < found["stranger_p50_ms"] <= found["stranger_most_ms"]
    assert found["bytes_per_move"] > found["bytes_received_per_move"] > 1000
    assert found["server_ms_per_move"] > found["workers_ms_per_move"] == 0  # people play: no bot thinks
    # Both are slower on a busy machine. It was 17 before drawings were shared; it is 8 to 11 in so short a run.
    assert found["server_ms_per_move"] < 20 * found["client_ms_per_move"]
    assert found["memory_per_table"] > 0


@pytest.mark.whole
def test_a_pace_is_kept() -> None:
    found = measure(Plan([("fortune", 2)], tables=4, every=1.0, seconds=5))
    assert found["errors"] == 0
    assert 8 <= found["moves"] <= 24  # four tables, a move a second, five seconds, on a machine that may be busy


@pytest.mark.parametrize(
    ("fault", "said"), [("fails", "got status 500"), ("drops", "didn't receive a move"), ("loses", "didn't receive")]
)
@pytest.mark.suite("loses*")
def test_a_house_that_does_wrong_is_found_out(
    fault: str, said: str, liar: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "UPDATED_WITHIN", 2.0)
    command = ["fortune", "--players", "2", "--tables", "1", "--seconds", "4", "--url", liar(fault)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1
    assert said in done.stdout


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.whole
def test_whoever_ends_it_leaves_no_process(sent: signal.Signals, status: int) -> None:
    command = [sys.executable, "-m", "benchmarks.load", "--tables", "3", "--seconds", "60"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (started := children.read_text().split()):
        assert process.poll() is None
    process.send_signal(sent)
    assert process.wait(30) == status
    process.stdout.close()
    assert not any(lives(int(pid)) for pid in started)


def test_percentiles_are_of_the_values() -> None:
    values = [one / 1000 for one in range(1, 101)]
    assert [percentile(values, share) for share in (0.5, 0.99, 1.0)] == [51.0, 100.0, 100.0]
    assert percentile([], 0.5) == 0.0
