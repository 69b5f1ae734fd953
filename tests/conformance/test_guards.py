"""A game that does what compiled code cannot is reported in one sentence with its line, and takes no
process down."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from parlour.analysis.shapes import shapes
from parlour.conformance import kit
from parlour.conformance.faults import Fault
from parlour.core.game import Game
from parlour.engine import cache, compiled, guarded, interpret
from parlour.games import outside
from tests.cli.conftest import Cli, cli
from tests.conformance.cases import pig
from tests.docs.pig import write_pig

__all__ = ["cli"]
Spoil = Callable[..., Game]
CACHE = cache.root()
KEPT = Path(__file__).parents[2] / "build" / "tests" / "spoilt"  # stays where it is, so that it is compiled once


@pytest.fixture
def spoilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spoil:
    """Pig with a passage of its rules replaced; compiled code is kept in a folder of this test's
    own."""
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "_made", {})
    own = write_pig(tmp_path / "games")

    def spoil(old: str, new: str, folder: Path = own) -> Game:
        monkeypatch.setenv(outside.VARIABLE, str(folder))
        file = folder / "rules.py"
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
        return Game("pig", outside.package(folder))

    return spoil


APPLY = "state.scores[state.player] += state.total"
FAULTS = [
    ("MAX_LEGAL = 2", "MAX_LEGAL = 1", "in legal_actions: IndexError: the buffer of MAX_LEGAL has 1 places"),
    ("    out[1] = ROLL", "    out[-1] = ROLL", "in legal_actions: IndexError: .* none numbered -1"),
    ("    out[1] = ROLL", "    out[1] = 1.5", "in legal_actions: TypeError: the buffer of MAX_LEGAL.1. holds whole"),
    ("return state.faces", "return 30", "rules.py, in sample_chance: IndexError"),
    (
        "weights[face] = 1",
        "weights[face + 15] = 1",
        "in chance_outcomes: IndexError",
    ),
    (
        "out[4] = state.total",
        "out[6] = state.total",
        "in observation: IndexError: the buffer of OBSERVATION_SIZE has 6",
    ),
    (APPLY, APPLY.replace("player]", "player + 1]"), "in apply: IndexError: state.scores has 4 places from 0 on"),
    (APPLY, APPLY.replace("player]", "player - 1]"), "in apply: IndexError: state.scores .* none numbered -1"),
    (APPLY, "state.scores[state.player] += 1 << 31", "in apply: OverflowError: state.scores.\\d. has 32 bits"),
    ("N_ACTIONS = 2", "N_ACTIONS = 1", "legal_actions gives actions that do not ascend from 0 to N_ACTIONS - 1"),
    (
        "        return 1\n",
        "        return 3\n",
        "legal_actions gives more than MAX_LEGAL .4 players, game 0 of seed 1, step 0",
    ),
    (APPLY, "state.scores = [0] * 4", "in apply: TypeError: state.scores is a whole list: copy it item by item"),
    (APPLY, "state.total = 1 << 31", "in apply: OverflowError: state.total has 32 bits, and cannot hold 2147483648"),
    (APPLY, "state.total /= 1", "in apply: TypeError: state.total holds whole numbers, and cannot be \\d+.0"),
    (APPLY, "state.total = stat.total", "in apply: NameError: name 'stat' is not defined"),
    (APPLY, "state.sum = 1", "in apply: AttributeError: .*sum"),
    (
        "    return State(players=players,",
        "    return State(scores=[0] * 3, players=players,",
        "setup: state.scores must be",
    ),
    (
        "    return State(players=players,",
        "    return State(total=1.5, players=players,",
        "setup: state.total holds whole",
    ),
]


@pytest.mark.parametrize(("old", "new", "why"), FAULTS)
def test_the_first_look_finds_the_line(spoilt: Spoil, old: str, new: str, why: str) -> None:
    with pytest.raises(guarded.Unplayable, match=r"^The game pig cannot be played: rules.py.*\.$") as found:
        guarded.look(spoilt(old, new))
    assert re.search(why, found.value.why), found.value.why
    assert "\n" not in found.value.why


def test_the_first_look_goes_deeper_each_round(spoilt: Spoil) -> None:
    """Only after the fortieth turn, which is beyond the decisions of the first round."""
    game = spoilt(APPLY, APPLY.replace("player]", "player + 4 * (state.turns > 40)]"))
    with pytest.raises(guarded.Unplayable, match=r"in apply: IndexError: state\.scores has 4 places"):
        guarded.look(game, 60)


def test_the_first_look_lets_the_games_own_bots_play(spoilt: Spoil, tmp_path: Path) -> None:
    policy = "def value(state, player):\n    return 1.0 * state.scores[player + 4]\n"
    (tmp_path / "games" / "pig" / "policy.py").write_text(policy, "utf-8")
    with pytest.raises(guarded.Unplayable, match=r"policy\.py, line 2, in value: IndexError: state\.scores has 4 pl"):
        guarded.look(spoilt("MAX_LEGAL = 2", "MAX_LEGAL = 2"), 0)  # however slow they are


def test_an_honest_game_is_let_pass_and_looked_at_once(spoilt: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Game] = []
    look = guarded.look
    monkeypatch.setattr(guarded, "look", lambda game: looks.append(game) or look(game, 0.1))
    game = spoilt("MAX_LEGAL = 2", "MAX_LEGAL = 2")
    for _ in range(2):
        compiled.compile(game)
        compiled._made.clear()
    assert looks == [game]


def test_the_same_rules_are_looked_at_again_with_other_facts_or_parts(
    spoilt: Spoil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine code is the same, and would write beyond its arrays."""
    game = spoilt("not 2 <= faces <= MAX_OUTCOMES", "faces < 2")
    compiled.compile(game)
    monkeypatch.setattr(compiled, "_made", {})
    more = Game(game.name, game.package)
    monkeypatch.setitem(vars(more), "facts", replace(game.facts, players=(2, 6)))
    with pytest.raises(guarded.Unplayable, match=r"state\.scores has 4 places"):
        compiled.compile(more)
    edition = tmp_path / "games" / "pig" / "editions" / "standard.toml"
    edition.write_text(edition.read_text("utf-8").replace("most = 20\nvalue = 6", "value = 30"), "utf-8")
    with pytest.raises(guarded.Unplayable, match="in chance_outcomes: IndexError"):
        compiled.compile(Game(game.name, game.package))


def test_rows_are_guarded_as_lists_are() -> None:
    from tests.core.test_struct import Thing

    state = guarded.state(Thing())
    state.table[1][2] = -7
    assert state.table == [[0, 0, 0], [0, 0, -7]]
    for wrong, why in (
        ("state.table[2][0] = 1", "state.table has 2 places"),
        ("state.table[-1][0] = 1", "none numbered -1"),
        ("state.table[0][3] = 1", r"state.table\[0\] has 3 places"),
        ("state.table[0][1] = 1 << 15", r"state.table\[0\]\[1\] has 16 bits"),
        ("state.table[0] = state.table[1]", r"state.table\[0\] is a whole row: copy it item by item"),
        ("state.table = [[0] * 3] * 2", "state.table is a whole list"),
    ):
        with pytest.raises((IndexError, OverflowError, TypeError), match=why):
            exec(wrong)


@pytest.mark.parametrize("bot", ["random", "easy"])
def test_the_commands_say_it_on_one_line(cli: Cli, spoilt: Spoil, bot: str) -> None:
    spoilt("MAX_LEGAL = 2", "MAX_LEGAL = 1")
    why = (
        "parlour: The game pig cannot be played: rules.py, line 57, in legal_actions: IndexError: the buffer of "
        "MAX_LEGAL has 1 places from 0 on, and none numbered 1.\n"
    )
    done = cli("arena", "pig", "--bots", "random,easy", "--games", "2") if bot == "easy" else cli("simulate", "pig")
    assert (done.status, done.err) == (1, why)


def test_rules_that_fail_when_people_play_are_reported_on_one_line(cli: Cli, spoilt: Spoil) -> None:
    spoilt(APPLY, "state.total //= state.turns - state.turns")
    done = cli("play", "pig", "--bots", "random", "--seed", "1", input="roll\nhold\n" * 9)
    assert done.status == 1
    assert re.fullmatch(
        r"parlour: The game pig cannot be played: rules.py, line \d+, in apply: ZeroDivisionError: .*\.\n", done.err
    )


def test_the_kit_finds_the_line_in_compiled_games_too(spoilt: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are too rare for the first look: they are played with bounds checked, and again
    plain."""
    monkeypatch.setattr(guarded, "look", lambda _game: None)
    monkeypatch.setenv("PARLOUR_CACHE", str(CACHE))
    game = spoilt(APPLY, APPLY.replace("player]", "player + 3 * (state.turns > 30)]"), write_pig(KEPT))
    why = r"pig standard 2p, seed 1, game \d+: rules.py, line \d+, in apply: IndexError: state.scores has 4 places"
    with pytest.raises(Fault, match=why):
        kit.compiled(shapes(game)[0])


def test_a_difference_between_plain_and_compiled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = interpret(pig())
    monkeypatch.setattr(kit, "interpret", lambda _game: plain)
    kit.compiled(shapes(pig())[0])
    ended = plain.plain

    def wrong(state: object) -> object:
        made = ended(state)
        made.shown += 1
        return made

    monkeypatch.setattr(type(plain), "plain", lambda _self, state: wrong(state))
    with pytest.raises(Fault, match="plays differently when compiled"):
        kit.compiled(shapes(pig())[0])


def test_what_does_not_compile_is_reported_with_its_line(cli: Cli, spoilt: Spoil) -> None:
    spoilt(APPLY, "state.scores[state.player] += max(n for n in (0, state.total))")
    done = cli("simulate", "pig", "--games", "2")
    assert done.status == 1
    assert re.match(r"parlour: The game pig cannot be played: rules.py, line \d+: this does not compile: ", done.err)
    assert done.err.count("\n") == 1


def test_the_sentence_comes_from_another_process() -> None:
    error = pickle.loads(pickle.dumps(guarded.Unplayable(pig(), "rules.py: so it is.")))
    assert str(error) == "The game pig cannot be played: rules.py: so it is."
    assert error.why == "rules.py: so it is."
