"""The checks find what is wrong: games that are wrong on purpose must fail them."""

# ruff: noqa: ARG001, ARG005  (functions that replace others)

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from parlour.conformance import knowledge, positions, scenes, teaching
from parlour.conformance.cases import random_steps
from parlour.core.contract import Step
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.scene import SPECTATOR, Line, Piece, Scene
from tests.fixtures.kuhn import rules, scene, text


def kuhn(**wrong: Any) -> Game:
    """Kuhn poker with some of its functions replaced."""
    game = Game("kuhn", "tests.fixtures.kuhn")
    game.rules  # noqa: B018 - completed with what they leave out
    modules: dict[str, ModuleType] = {"rules": rules, "text": text, "scenes": scene}
    for name, module in modules.items():
        game.__dict__[name] = SimpleNamespace(**{**vars(module), **wrong})
    return game


def look(game: Game, check: Callable[[Match, Step, int, list[int]], None]) -> None:
    for seed in range(20):
        match = Match(game, 2, seed=seed, auto=False)
        rng = [0] * RNG_SIZE
        seed_rng(rng, seed, 0)
        for step in random_steps(match, seed, 20):
            for viewer in (SPECTATOR, 0, 1):
                check(match, step, viewer, rng)


def leak(match: Match, step: Step, viewer: int, rng: list[int]) -> None:
    knowledge.check_no_leak(match.game, step, viewer, match.names, rng)


def test_an_honest_game_passes() -> None:
    look(kuhn(), leak)


def test_a_scene_that_shows_a_hidden_card_is_found() -> None:
    def leaking(state: Any, viewer: int, names: Sequence[str]) -> Scene:
        shown = scene.scene(state, viewer, names)
        return replace(shown, prompt=f"{shown.prompt} {state.hand[0]}")

    with pytest.raises(AssertionError, match=r"the scene leaks .*: prompt of the scene is '.* \d' or '.* \d'"):
        look(kuhn(scene=leaking), leak)


def test_the_piece_that_shows_a_hidden_card_is_named() -> None:
    def leaking(state: Any, viewer: int, names: Sequence[str]) -> Scene:
        shown = scene.scene(state, viewer, names)
        mark = Piece("mark", "card", "A mark", text=str(state.hand[0]))
        return replace(shown, board=replace(shown.board, children=(*shown.board.children, mark)))

    words = r"to seat \d what they cannot know, after (chance|seat \d): .+: text of piece 'mark' is '\d' or '\d'\."
    with pytest.raises(AssertionError, match=words):
        look(kuhn(scene=leaking), leak)


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        (Piece("far", "space", "Far", at=(3, 65)), "'far' has column 65; there can be 1 to 64"),
        (Piece("far", "space", "Far", at=(0, 1)), "'far' has row 0; there can be 1 to 64"),
        (Piece("wide", "group", layout="grid", limit=80), "'wide' has columns 80; there can be 1 to 64"),
        (
            Piece("t", "group", layout="rows", children=(Piece("r", "group", children=tuple(
                Piece(f"c{i}", "label", text="x") for i in range(65)
            )),)),
            "'t' has cells 65; there can be 1 to 64",
        ),
    ],
)  # fmt: skip
def test_a_piece_that_lies_where_no_page_has_a_place_is_named(piece: Piece, words: str) -> None:
    """Pages have a rule for each place, and none beyond."""

    def spread(state: Any, viewer: int, names: Sequence[str]) -> Scene:
        shown = scene.scene(state, viewer, names)
        return replace(shown, board=replace(shown.board, children=(*shown.board.children, piece)))

    match = Match(kuhn(scene=spread), 2, seed=1)
    with pytest.raises(AssertionError, match=words):
        scenes.check_scene(match, match.current_player, {"KU-1", "KU-2", "KU-3"})


def test_a_piece_that_lies_there_for_a_hidden_card_is_named() -> None:
    def leaking(state: Any, viewer: int, names: Sequence[str]) -> Scene:
        shown = scene.scene(state, viewer, names)
        marks = tuple(Piece(f"mark-{i}", "card", "A mark") for i in range(state.hand[0]))
        return replace(shown, board=replace(shown.board, children=marks))

    with pytest.raises(AssertionError, match=r": the number of children of piece 'board' is \d or \d\."):
        look(kuhn(scene=leaking), leak)


def test_a_log_that_tells_a_hidden_card_is_found() -> None:
    def leaking(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
        return (*scene.tell(step, viewer, names), Line(f"{step.after.hand[1]}"))

    with pytest.raises(AssertionError, match="the log leaks"):
        look(kuhn(tell=leaking), leak)


def test_a_log_that_tells_what_is_dealt_is_found() -> None:
    def leaking(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
        return (Line(str(step.action)),)

    with pytest.raises(AssertionError, match=r"the log leaks .*, after chance: .*: text of the log is '\d' or '\d'"):
        look(kuhn(tell=leaking), leak)


def test_an_observation_of_a_hidden_card_is_found() -> None:
    def leaking(state: Any, player: int, out: Any) -> int:
        n = rules.observation(state, player, out)
        out[0] = state.hand[0]
        return n

    def resample(match: Match, _: Step, viewer: int, rng: list[int]) -> None:
        knowledge.check_resample(match, viewer, rng)

    with pytest.raises(AssertionError):
        look(kuhn(observation=leaking), resample)


def test_an_observation_that_leaves_a_number_unwritten_is_found() -> None:
    def short(state: Any, player: int, out: Any) -> int:
        return 5

    with pytest.raises(AssertionError, match="as many numbers as it returns"):
        knowledge.observe(kuhn(observation=short), Match(kuhn(), 2, seed=1).state, 0)


def test_a_resample_that_changes_what_was_seen_is_found() -> None:
    def careless(state: Any, player: int, rng: Any) -> None:
        state.hand[0] = (state.hand[0] + 1) % 3

    def resample(match: Match, _: Step, viewer: int, rng: list[int]) -> None:
        knowledge.check_resample(match, viewer, rng)

    with pytest.raises(AssertionError):
        look(kuhn(resample=careless), resample)


def test_chance_that_is_sampled_wrongly_is_found() -> None:
    game = kuhn(
        sample_chance=lambda state, rng: 0 if rules.random_below(rng, 5) < 2 else 1 + rules.random_below(rng, 2)
    )
    with pytest.raises(AssertionError):
        positions.check_sampling(Match(game, 2, seed=1, auto=False))


def test_moves_that_are_said_alike_are_found() -> None:
    match = Match(kuhn(format_action=lambda state, action: "pass"), 2, seed=1)
    with pytest.raises(AssertionError, match="two share"):
        positions.check_moves(match, 1)


def test_a_move_that_does_nothing_is_found() -> None:
    match = Match(kuhn(), 2, seed=1)
    match.game.rules.__dict__["apply"] = lambda state, action: None
    with pytest.raises(AssertionError, match="does nothing"):
        positions.check_moves(match, 1)


def test_a_scene_that_offers_what_is_not_legal_is_found() -> None:
    def generous(state: Any, viewer: int, names: Sequence[str]) -> Scene:
        return scene.scene(state, rules.current_player(state) if state.dealt == 2 else viewer, names)

    match = Match(kuhn(scene=generous), 2, seed=1)
    with pytest.raises(AssertionError):
        scenes.check_scene(match, 1, {"KU-1", "KU-2", "KU-3"})


@pytest.mark.parametrize(
    ("laid", "why"),
    [
        (
            lambda bet: Piece("bag", "group", "Bag", action="pass", children=(bet,)),
            "'bag' can be pressed, so pieces on it must not",
        ),
        (lambda bet: Piece("bag", "panel", "Bag", action="pass", children=(bet,)), "a panel cannot be pressed: 'bag'"),
        (lambda bet: Piece("bag", "group", children=[bet]), "children of 'bag' must be tuples"),  # type: ignore[arg-type]
    ],
)
def test_a_piece_that_cannot_be_pressed_where_it_lies_is_found(laid: Callable[[Piece], Piece], why: str) -> None:
    """It is on another that is pressed, or of a kind that never is, or in a list."""

    def stacked(state: Any, viewer: int, names: Sequence[str]) -> Scene:
        shown = scene.scene(state, viewer, names)
        bag = laid(Piece("bet", "token", "Bet", action="bet"))
        more = (bag,) if shown.buttons else ()
        return replace(shown, buttons=(), board=replace(shown.board, children=(*shown.board.children, *more)))

    match = Match(kuhn(scene=stacked), 2, seed=1)
    with pytest.raises(AssertionError, match=why):
        scenes.check_scene(match, match.current_player, {"KU-1", "KU-2", "KU-3"})


@pytest.mark.parametrize(
    ("guide", "why"),
    [
        ((), "0 first steps"),
        ((("card", "Look.", "FO-4"),) * 7, "7 first steps"),
        ((("card", "Look.", "FO-4"),) * 2 + (("parlour", "Look.", "FO-4"),), "nothing on the opening board of 2"),
        ((("card", "Look.", "FO-4"),) * 2 + (("", "Look.", "FO-99"),), "no clause FO-99"),
        ((("card", "Look.", "FO-4"),) * 2 + (("", "Look. Then roll.", "FO-4"),), "one sentence, with"),
        ((("card", "Look.", "FO-4"),) * 2 + (("", "Look, " * 30 + "roll.", "FO-4"),), "has 31 words, more than 25"),
    ],
)
def test_first_steps_that_lead_nowhere_are_found(guide: tuple[tuple[str, str, str], ...], why: str) -> None:
    game = Game("fortune", "parlour.games.fortune")
    teaching.check_guide(game)
    game.__dict__["guide"] = lambda _ruleset: guide
    with pytest.raises(AssertionError, match=why):
        teaching.check_guide(game)


def test_a_random_action_that_the_list_would_not_give_is_found() -> None:
    def right(state: Any, rng: Any, out: Any) -> int:
        return int(out[random_below(rng, rules.legal_actions(state, out))])

    def last(state: Any, rng: Any, out: Any) -> int:
        return int(out[rules.legal_actions(state, out) - 1 - random_below(rng, 1)])

    def wasteful(state: Any, rng: Any, out: Any) -> int:
        chosen = right(state, rng, out)
        random_below(rng, 2)
        return chosen

    look(kuhn(random_action=right), lambda match, step, viewer, rng: positions.check_random_action(match, rng[0]))
    for wrong in (last, wasteful):
        with pytest.raises(AssertionError):
            look(
                kuhn(random_action=wrong), lambda match, step, viewer, rng: positions.check_random_action(match, rng[0])
            )
