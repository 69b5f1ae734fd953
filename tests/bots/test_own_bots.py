"""Bots of your own: classes, objects and programs, what they may know, and what becomes of their faults."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import shlex
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import parlour
from parlour.analysis.arena import Contest, Crew, play, run
from parlour.bots import View, outside, own, program
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.mechanics import Mechanics
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.state import State
from parlour.core.struct import copy, flatten
from parlour.engine.simulate import Interrupted, Simulation
from parlour.games import find

DOC = Path(__file__).parents[2] / "docs" / "write-a-bot.md"
PRINTED = re.findall(r"^```python\n(.*?)^```", DOC.read_text("utf-8"), re.DOTALL | re.MULTILINE)
HELLO = """
    import json, sys, time
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            print(json.dumps({"type": "hello"}), flush=True)
        elif asked["type"] == "choose":
            legal = asked["legal_actions"]
"""
Write = Callable[[str], str]


class Last(parlour.Bot):
    """Makes the last decision of the list."""

    def choose(self, view: own.SeatView) -> int:
        return view.legal_actions()[-1]


class Pausing(Last):
    """Takes a moment."""

    def choose(self, view: own.SeatView) -> int:
        time.sleep(0.2)
        return super().choose(view)


class Drawn(parlour.Bot):
    """Chooses at random, from numbers of the view."""

    def choose(self, view: own.SeatView) -> int:
        return view.rng.choice(view.legal_actions())


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a program whose decisions end with this code, and names it."""

    def written(code: str) -> str:
        file = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        file.write_text(textwrap.dedent(HELLO) + textwrap.indent(textwrap.dedent(code).strip(), " " * 8) + "\n")
        return "program:" + shlex.join((sys.executable, str(file)))

    return written


ANSWER = 'print(json.dumps({"action": legal[-1]}), flush=True)'


# What it may know --------------------------------------------------------------------------------
def view_of(match: parlour.Match, seat: int) -> own.SeatView:
    mechanics = Mechanics(match.game, len(match.names), match.edition, match.options)
    return own.SeatView(mechanics, View.of(match, seat))


def middle(name: str, steps: int) -> parlour.Match:
    """Return a game of as many players as may be, after some random decisions."""
    match, rng = parlour.new(name, find(name).facts.players[1], seed=3), random.Random(5)
    for _ in range(steps):
        match.play(rng.choice(match.legal_action_ids()))
    return match


@pytest.mark.parametrize("name", list(parlour.all_games()))
def test_a_view_is_comfortable(name: str) -> None:
    match = middle(name, 3)
    seat = match.current_player
    view = view_of(match, seat)
    assert view.legal_actions() == match.legal_action_ids()
    assert [view.action_to_string(one) for one in view.legal_actions()] == match.legal_actions()
    assert view.string_to_action(match.legal_actions()[0]) == view.legal_actions()[0]
    assert (view.seat, view.num_players, view.edition, view.options) == (
        seat, len(match.names), match.edition.name, match.options,
    )  # fmt: skip
    assert view.observation_dict()["you"] == seat
    assert len(view.observation()) == match.game.rules.OBSERVATION_SIZE
    assert len(view.observation_tensor()) >= len(view.observation())
    assert str(view)
    assert "seat" in repr(view)
    for state in (view.state, view.sample(), view.sample(7), view.sample(random.Random(1))):
        assert isinstance(state, State)
        assert state.observation(seat) == view.observation()
        state.apply_action(state.legal_actions()[0])
    assert view.state.observation(seat) == view.observation(), "each state is a copy"
    assert view.sample(7).serialize() == view.sample(7).serialize()


@pytest.mark.parametrize("name", list(parlour.all_games()))
def test_hidden_cards_never_reach_a_program(name: str) -> None:
    """What it is sent is the same in positions that its seat cannot tell apart, though the truth differs."""
    match, choice, differ = middle(name, 0), random.Random(2), 0
    start = copy(match.state)
    for number in range(60):
        if match.over:
            break
        seat, other = match.current_player, match.__copy__()
        words = [0] * RNG_SIZE
        seed_rng(words, number, 0)
        match.game.rules.resample(other.state, seat, words)
        differ += flatten(other.state) != flatten(match.state)
        assert program.question(view_of(other, seat)) == program.question(view_of(match, seat))
        match.play(choice.choice(match.legal_action_ids()))
    assert bool(differ) == match.game.rules.hidden_information(start)


def test_the_seed_of_the_drawing_is_not_told() -> None:
    """With it a bot could compute the drawing backwards."""
    match = middle("gatsby", 2)
    view = View.of(match, match.current_player)
    told = view_of(match, match.current_player).seed
    assert told not in (view.seed, view.origin)


# Python ------------------------------------------------------------------------------------------
def test_games_follow_from_seed_and_number() -> None:
    def played(games: int, seed: int = 4) -> list[list[int]]:
        return parlour.simulate("gatsby", bots=[Drawn, "random"], games=games, seed=seed).scores.tolist()

    three = played(3)
    assert played(3) == three
    assert played(2) == three[:2]
    assert played(3, 5) != three
    done: list[tuple[int, int]] = []
    result = parlour.simulate("fortune", 3, bots=Drawn(), games=2, progress=lambda *one: done.append(one))
    assert (result.games, result.bots) == (2, (f"{__name__}:Drawn",) * 3)
    assert done == [(0, 2), (1, 2), (2, 2)]
    assert result == parlour.simulate("fortune", 3, bots=[Drawn], games=2)


def test_a_class_is_made_for_each_game_and_an_object_plays_all() -> None:
    made: list[str] = []

    class Counted(Last):
        name = "counted"

        def __init__(self) -> None:
            made.append("made")

        def new_game(self) -> None:
            made.append("game")

        def close(self) -> None:
            made.append("closed")

    assert parlour.simulate("gatsby", bots=[Counted, "random"], games=2).bots == ("counted", "random")
    assert made == ["made", "game", "closed"] * 2
    made.clear()
    parlour.simulate("gatsby", bots=[Counted(), "random"], games=2)
    assert made == ["made", "game", "game", "closed"]


def test_ctrl_c_leaves_the_games_so_far() -> None:
    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        parlour.simulate("gatsby", bots=Last, games=5, progress=stop)
    assert stopped.value.games == 2
    assert stopped.value.result == parlour.simulate("gatsby", bots=Last, games=2)


def failing(what: Callable[[own.SeatView], object]) -> type[parlour.Bot]:
    return type("Failing", (parlour.Bot,), {"choose": lambda _, view: what(view), "name": "it"})


def late(_: object) -> int:
    while True:
        pass


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (lambda _: 1 / 0, "it failed (choose): ZeroDivisionError: division by zero."),
        (lambda _: sys.exit(3), "it failed (choose): SystemExit: 3."),
        (lambda _: "stop", "it answered stop, which is not the number of a legal action."),
        (lambda _: True, "it answered True, which is not the number of a legal action."),
        (lambda _: 10**9, "it answered 1000000000, which is not the number of a legal action."),
        (late, "it took longer than 0.1 s (choose)."),
    ],
)
def test_a_fault_loses_the_game_and_the_next_is_played(what: Callable[[own.SeatView], object], said: str) -> None:
    result = parlour.simulate("fortune", 3, bots=["random", failing(what), "random"], games=2, clock=0.1)
    assert result.faults == ((0, 1, said), (1, 1, said))
    assert result.returns.tolist() == [[0.5, 0.0, 0.5]] * 2
    assert result.finished.all()


def test_without_an_alarm_a_late_bot_is_found_out_afterwards() -> None:
    slow = failing(lambda view: threading.Event().wait(0.05) or view.legal_actions()[0])
    results: list[tuple[tuple[int, int, str], ...]] = []
    thread = threading.Thread(
        target=lambda: results.append(parlour.simulate("fortune", bots=slow, games=1, clock=0.01).faults)
    )
    thread.start()
    thread.join()
    assert [[why for _, _, why in faults] for faults in results] == [["it took longer than 0.01 s (choose)."]]


@pytest.mark.parametrize("wrong", [late, [late, "random"], 3, [None, "random"], [str, str]])
def test_what_is_no_bot_is_told_what_one_is(wrong: object) -> None:
    with pytest.raises(BadSetup, match=r"`module:Class` or `program:COMMAND`, or a parlour\.Bot.*, not "):
        parlour.simulate("fortune", bots=wrong, games=1)  # type: ignore[arg-type]


def test_a_number_of_bots_and_a_clock_must_fit() -> None:
    with pytest.raises(BadSetup, match="2 bots were named for 3 seats"):
        parlour.simulate("fortune", 3, bots=[Last, Last])
    with pytest.raises(BadSetup, match="Seconds must be a number above 0"):
        parlour.simulate("fortune", bots=Last, clock=0)
    with pytest.raises(UnknownName, match="has no bot"):
        parlour.simulate("fortune", bots=[Last, "stupid"])


# Texts -------------------------------------------------------------------------------------------
def test_a_text_names_a_class_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_bots_here.py").write_text(PRINTED[0].split("\n\n\nresult")[0] + "\nnumber = 3\n")
    (tmp_path / "own_bots_broken.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert parlour.simulate("fortune", bots=["own_bots_here:Careful", "random"], games=1).faults == ()
    for name, error, said in (
        ("own_bots_here:Nothing", UnknownName, "no attribute 'Nothing'"),
        ("own_bots_here:number", BadSetup, "must be a class with the base parlour.Bot, not 3"),
        ("own_bots_nowhere:A", UnknownName, "No module named 'own_bots_nowhere'"),
        ("own_bots_broken:A", BadSetup, "cannot be loaded: ZeroDivisionError"),
        ("own_bots_here:", UnknownName, "is written `module:Class`"),
        ("program:", BadSetup, "names no program"),
        ("program:'", BadSetup, "cannot be read"),
        ("program:no-such-program", UnknownName, "There is no program 'no-such-program'"),
    ):
        with pytest.raises(error, match=re.escape(said)):
            parlour.simulate("fortune", bots=name, games=1)


def test_a_bot_may_play_some_games_only() -> None:
    class Gatsby(Last):
        games = ("gatsby",)

    with pytest.raises(BadSetup, match="does not play fortune, only gatsby"):
        parlour.simulate("fortune", bots=Gatsby)


def test_a_name_from_a_page_runs_no_code() -> None:
    with pytest.raises(UnknownName):
        parlour.bots.find(find("fortune"), f"{__name__}:Last")


# Programs ----------------------------------------------------------------------------------------
def test_a_program_plays_as_a_class_does(write: Write) -> None:
    told = parlour.simulate("gatsby", bots=[write(ANSWER), "random"], games=3)
    assert told.faults == ()
    assert told.scores.tolist() == parlour.simulate("gatsby", bots=[Last, "random"], games=3).scores.tolist()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.exit('broken')", "ended (exit status 1): broken"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended (signal 9)."),
        ("time.sleep(60)", "gave no answer in 0.5 s."),
        ("print('nonsense', flush=True)", "answered nonsense, which is not a JSON object."),
        ("print('[3]', flush=True)", "answered [3], which is not a JSON object."),
        ("print('{}', flush=True)", 'answered {}, which has no "action".'),
        ('print(\'{"action": "stop"}\', flush=True)', "answered stop, which is not the number of a legal action."),
        ("print('{\"action\": 0}\\nmore', flush=True)", "answered with more than one line: more."),
        ("print('x' * 10**6, flush=True)", "answered a line of more than 65536 bytes."),
        ("sys.stdout.close(); import os; os.close(1); time.sleep(9)", "closed its output."),
        ("bytearray(1 << 33)", "ended (exit status 1): MemoryError"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="signals and limits of memory")
def test_a_program_that_fails_loses_and_is_started_again(
    write: Write, code: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "MEMORY", 1 << 30)
    name = write(code)
    result = parlour.simulate("fortune", bots=["random", name], games=2, clock=0.5)
    assert result.faults == ((0, 1, f"{name} {said}"), (1, 1, f"{name} {said}"))
    assert result.returns.tolist() == [[1, 0], [1, 0]]


def test_a_program_that_writes_unasked_is_not_believed_later(write: Write) -> None:
    """Its line would be taken for the answer to the next question."""
    name = write(ANSWER + "\ntime.sleep(0.02)\nprint('{\"action\": 0}', flush=True)")
    ((_, _, why),) = parlour.simulate("gatsby", bots=[name, Pausing], games=1).faults
    assert re.search("wrote something before it was asked|more than one line|not the number of a legal", why), why


def test_a_program_that_writes_many_errors_is_not_stopped_by_them(write: Write) -> None:
    result = parlour.simulate("gatsby", bots=[write("sys.stderr.write('x' * 200000)\n" + ANSWER), "random"], games=1)
    assert result.faults == ()


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ('{"type": "hello", "games": ["gatsby"]}', "does not play fortune, only gatsby."),
        ('{"type": "hi"}', "answered {'type': 'hi'} instead of"),
    ],
)
def test_a_hello_says_what_it_plays(tmp_path: Path, hello: str, said: str) -> None:
    file = tmp_path / "bot.py"
    file.write_text(f"import sys\nsys.stdin.readline()\nprint({hello!r}, flush=True)\nsys.stdin.readline()\n")
    ((_, _, why),) = parlour.simulate(
        "fortune", bots=[f"program:{shlex.join((sys.executable, str(file)))}", "random"], games=1
    ).faults
    assert said in why


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc says whether a process runs")
def test_what_a_program_started_ends_with_it(write: Write, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"""
        import subprocess
        child = subprocess.Popen(["sleep", "60"])
        open({str(pid)!r}, "w").write(str(child.pid))
        print("nonsense", flush=True)
        time.sleep(60)
    """
    parlour.simulate("fortune", bots=[write(code), "random"], games=1)
    for _ in range(500):
        if not runs(pid.read_text()):
            return
        time.sleep(0.01)
    pytest.fail("it still runs")


def runs(pid: str) -> bool:
    """Return whether a process is there, and not only its number."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def test_an_arena_goes_on_after_a_fault(write: Write) -> None:
    name = write("sys.exit('broken')")
    contest = Contest(find("fortune"), (name, f"{__name__}:Last"), 2, "classic-35", clock=5)
    games = [play(job) for job in contest.jobs(0)]
    assert [game.fault for game in games] == [f"{name} ended (exit status 1): broken"] * 2
    assert [game.returns for game in games] == [tuple(float(one != name) for one in game.seats) for game in games]
    assert contest.settings()["clock"] == 5
    for one in (outside.chooser(find("fortune"), bot) for bot in contest.bots):
        assert isinstance(one, outside.OwnBot)
        one.close()


class Counting(Last):
    """Says what it hears."""

    name = "counting"

    def __init__(self) -> None:
        self.heard: list[str] = []

    def new_game(self) -> None:
        self.heard.append("game")

    def close(self) -> None:
        self.heard.append("closed")


def test_an_arena_takes_classes_and_objects() -> None:
    game, counting = find("gatsby"), Counting()
    contest = Contest.between(game, [Drawn, counting], 2, "house-4", clock=5)
    assert contest.bots == (f"{__name__}:Drawn", "counting")
    assert not contest.sendable, "there is one object"
    with Crew(2) as crew:
        result = run(contest, 2, crew)
    assert [sorted(one.seats) for one in result.blocks[0]] == [sorted(contest.bots)] * 2
    assert counting.heard == ["game", "game", "closed"]
    assert contest.settings()["clock"] == 5
    named = Contest(game, (f"{__name__}:Drawn", f"{__name__}:Last"), 2, "house-4")
    given = Contest.between(game, (Drawn, Last), 2, "house-4")
    assert given.sendable
    assert (given, given.settings()) == (named, named.settings())
    job = pickle.loads(pickle.dumps(given.jobs(0)[0]))
    assert play(job)._replace(seconds=()) == play(named.jobs(0)[0])._replace(seconds=())


def test_an_arena_says_which_bots_it_cannot_have() -> None:
    game = find("gatsby")
    assert not Contest.between(game, (failing(late), Last), 2, "house-4").sendable, "no other process can import it"
    with pytest.raises(BadSetup, match="a name of its own"):
        Contest.between(game, (Last, Last()), 2, "house-4")
    with pytest.raises(BadSetup, match="'greedy' is the name of a known bot"):
        Contest.between(game, (type("Same", (Last,), {"name": "greedy"}), "random"), 2, "house-4")
    with pytest.raises(BadSetup, match=r"or a parlour\.Bot"):
        Contest.between(game, (3, "random"), 2, "house-4")  # type: ignore[arg-type]


# The page ----------------------------------------------------------------------------------------
@contextmanager
def model() -> Iterator[str]:
    """A server that answers with the first legal action."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps({"action": asked["legal_actions"][0]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_classes_of_the_page_run_as_printed(
    monkeypatch: pytest.MonkeyPatch, size: Callable[[int, int], int]
) -> None:
    assert len(PRINTED) == 4
    assert "games=20)" in PRINTED[0]
    with model() as address:
        monkeypatch.setenv("ADDRESS", address)
        for code in PRINTED[:3]:
            names: dict[str, object] = {"__name__": "printed"}
            exec(compile(code.replace("games=20)", f"games={size(4, 20)})"), str(DOC), "exec"), names)
            result = names["result"]
            assert isinstance(result, Simulation)
            assert result.faults == ()


def test_the_program_of_the_page_runs_as_printed(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(PRINTED[3])
    name = f"program:{shlex.join((sys.executable, str(file)))}"
    first = parlour.simulate("fortune", bots=[name, "random"], games=2)
    assert first.faults == ()
    assert first == parlour.simulate("fortune", bots=[name, "random"], games=2), "the seed that it is sent repeats"


def test_a_bot_sees_the_values_of_an_edition_of_ones_own() -> None:
    seen: list[tuple[str, object]] = []

    class Looking(Last):
        def choose(self, view: own.SeatView) -> int:
            seen.append((view.edition, view.state.edition.parts["deck"]))
            return view.legal_actions()[0]

    mine = find("fortune").edition().changed({"deck.gold": 5})
    result = parlour.simulate("fortune", 2, bots=Looking, edition=mine, games=1)
    assert result.edition == "shafir-35, changed"
    assert {name for name, _ in seen} == {"shafir-35, changed"}
    assert all(deck == mine.parts["deck"] for _, deck in seen)
    match = parlour.new("fortune", edition=mine, seed=1)
    view = View.of(match, match.current_player)
    assert view.changed == mine
    assert pickle.loads(pickle.dumps(view)) == view
    assert View.of(parlour.new("fortune", seed=1), 0).changed is None
