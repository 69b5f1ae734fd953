"""A smaller version of the nightly inspection for every game; and it finds what is wrong."""

# ruff: noqa: ARG001, ARG005  (functions that replace others)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour.analysis.shapes import Shape, shapes
from parlour.conformance import inspecting
from parlour.conformance.faults import Fault
from parlour.conformance.inspecting import Inspected
from parlour.core.rng import random_below
from parlour.core.struct import copiers
from parlour.engine import interpret
from parlour.engine.interpreted import Engine, bind
from parlour.engine.link import Linker
from tests.conformance import nightly
from tests.conformance.cases import every_game, pig
from tests.conformance.nightly import inspect

GAMES = 128


def parameters() -> list[Any]:
    """Every shape. The suite has those of Fortune, Pig and Kuhn: this loop takes half a minute to compile for the
    others, which `scripts/nightly` inspects at length, and test_lockstep.py compares plain and compiled."""

    def extra(shape: Shape) -> bool:
        further = shape.edition != shape.game.edition().name and shape.players < shape.game.facts.players[1]
        return further or shape.game.name not in ("fortune", "pig", "kuhn")

    every = [shape for game in every_game() for shape in shapes(game)]
    return [pytest.param(shape, marks=[pytest.mark.whole] * extra(shape), id=str(shape)) for shape in every]


@pytest.mark.slow
@pytest.mark.parametrize("shape", parameters())
@pytest.mark.suite("fortune shafir-35 4p", "kuhn*", "pig standard 2p")
def test_random_games_keep_their_word_compiled(shape: Shape) -> None:
    done = inspect(shape, GAMES, seed=2)
    assert len(done.rows) == GAMES
    plain = inspect(shape, 1, seed=2, engine=interpret(shape.game), threads=1)
    assert plain.rows == done.rows[:1], "plain and compiled differ, events.py included"


def wrong(**changed: Any) -> Engine:
    """Pig's plain engine with some of its rules replaced."""

    def same(value: Any) -> Any:
        return value

    bound = bind(pig(), Linker(same, same), copiers(pig().rules.State).assign)
    vars(bound[0]).update(changed)
    return Engine(pig(), *bound)


def look(engine: Engine, **more: Any) -> Inspected:
    return inspect(shapes(pig(), 2)[0], 4, threads=1, engine=engine, **more)


honest = pig().rules


def two(state: Any, out: Any) -> int:
    out[0], out[1] = 1, 0
    return 0 if state.over or state.rolling else 2


def over_the_edge(state: Any, out: Any) -> int:
    n = honest.legal_actions(state, out)
    if n:
        out[honest.MAX_LEGAL] = 1
    return n


def weightless(state: Any, out: Any, weights: Any) -> int:
    n = honest.chance_outcomes(state, out, weights)
    if n:
        weights[2] = 0
    return n


def roll(state: Any, rng: Any) -> int:
    return random_below(rng, state.faces)


def long_chance(state: Any, out: Any, weights: Any) -> int:
    weights[honest.MAX_OUTCOMES] = 0
    return honest.chance_outcomes(state, out, weights)


def cheat(state: Any, player: int, rng: Any) -> None:
    state.total += 1 if player == state.player else 0


def shift(state: Any, player: int, rng: Any) -> None:
    state.player = 1 - state.player


def greedy_returns(state: Any, out: Any) -> None:
    out[0] = out[1] = 1.0 if state.over else 0.0


def tiring(state: Any, action: int) -> None:
    honest.apply(state, action)
    state.scores[0] = state.scores[1] = state.turns = 0


def long_sight(state: Any, player: int, out: Any) -> int:
    out[honest.OBSERVATION_SIZE] = 0
    return honest.observation(state, player, out)


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("gives no seat", {"current_player": lambda state: 2}),
        ("legal_actions gives nothing where", {"legal_actions": lambda state, out: 0}),
        (
            "legal_actions gives something where no seat",
            {"legal_actions": lambda state, out: 1, "current_player": lambda state: -1},
        ),
        ("gives more than MAX_LEGAL", {"legal_actions": lambda state, out: 3}),
        ("do not ascend", {"legal_actions": two}),
        ("beyond MAX_LEGAL", {"legal_actions": over_the_edge}),
        (
            "chance_outcomes gives nothing where",
            {"chance_outcomes": lambda state, out, weights: 0, "sample_chance": roll},
        ),
        ("gives something where no chance", {"chance_outcomes": lambda state, out, weights: 1}),
        ("not above 0", {"chance_outcomes": weightless}),
        ("beyond MAX_OUTCOMES", {"chance_outcomes": long_chance, "sample_chance": roll}),
        ("does not list", {"sample_chance": lambda state, rng: 17}),
        ("numbers", {"observation": lambda state, player, out: 0}),
        ("beyond OBSERVATION_SIZE", {"observation": long_sight}),
        ("changes whose turn", {"resample": shift}),
        ("changes what the seat observes", {"resample": cheat}),
        ("before the end", {"returns": lambda state, out: out.__setitem__(0, 1.0)}),
        ("sum to 1", {"returns": greedy_returns}),
        ("does not end", {"apply": tiring}),
    ],
)
def test_what_is_wrong_is_found(words: str, changed: dict[str, Callable[..., Any]], monkeypatch: Any) -> None:
    monkeypatch.setattr(inspecting, "MOST", 500)
    look(interpret(pig()))
    with pytest.raises(Fault, match=rf"pig standard 2p, seed 1, game \d+, step \d+: .*{words}"):
        look(wrong(**changed))


def test_a_game_longer_than_its_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pig().rules, "bound", lambda state: 20)
    with pytest.raises(Fault, match=r"step 20: rules\.py: bound is lower than the steps of the game"):
        look(interpret(pig()))


def test_pieces_that_vanish_are_found() -> None:
    with pytest.raises(Fault, match="pieces were lost or added"):
        look(interpret(pig()), conserved=lambda state: (state.turns,))


def test_the_command_says_what_it_played_and_what_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["nightly", "kuhn", "--games", "100"])
    assert nightly.main() == 0
    assert "kuhn standard 2p" in capsys.readouterr().out
    monkeypatch.setitem(nightly.CONSERVED, "kuhn", lambda state: (state.moves,))
    assert nightly.main() == 1
    assert "BROKEN kuhn standard 2p" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("a bit that EVENTS", {"events": lambda state, action: 1}),
        ("none of ENDINGS", {"ending": lambda state: 1}),
        ("starter gives no seat", {"starter": lambda state: 2}),
    ],
)
def test_what_is_wrong_in_events_is_found(words: str, changed: dict[str, Callable[..., Any]]) -> None:
    engine = wrong()
    engine.inspection.watched.__dict__.update(changed)
    with pytest.raises(Fault, match=words):
        look(engine)
