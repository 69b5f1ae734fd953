"""The rulebook's examples: each figure, reached by the rules where dice and cards fall as the example says."""

from __future__ import annotations

import re

import pytest

from parlour.core import book
from parlour.core.errors import IllegalMove
from parlour.core.scene import Piece
from parlour.games.facets_of_fortune import rules as r
from tests.games.facets_of_fortune.table import GAME, Table, colour, turn
from tests.games.facets_of_fortune.test_scene import pieces


def example(title: str) -> str:
    """Return the text of an example, without pictures and line breaks."""
    found = re.search(rf"^### {title}\n(.*?)(?=^##)", GAME.rulebook, re.MULTILINE | re.DOTALL)
    assert found, title
    return " ".join(book.plain(found[1]).split())


def says(title: str, *figures: object) -> None:
    """The example has these figures and words."""
    text = example(title)
    for figure in figures:
        said = f"{figure:,}" if isinstance(figure, int) else str(figure)
        assert re.search(rf"(?<![\d,]){re.escape(said)}(?![\d]|,\d)", text), (said, text)


def plate(picture: str, name: str, nth: int = 0) -> str:
    """Return what the picture of an example says of a market."""
    found = [piece.name for piece in pieces(GAME.pictures[picture]) if piece.key == f"plate-{name}"]
    return found[nth]


def owned(picture: str, nth: int = 0) -> dict[str, int]:
    """Return the gems that the picture shows, by seat and colour; of several positions in it the nth."""
    found: dict[str, list[int]] = {}
    for piece in pieces(GAME.pictures[picture]):
        if piece.key.startswith("own-"):
            found.setdefault(piece.key, []).append(piece.value or 0)
    return {key: values[nth] for key, values in found.items()}


def test_ff_09_ff_10_the_two_prices_of_a_sapphire() -> None:
    table = Table().gems(2, sapphire=5).price("sapphire", 500_000)
    says("Two prices of one gem", "Five", table.buys_at("sapphire"), table.sells_at("sapphire"))
    assert plate("prices", "sapphire") == "Sapphire: buy 100,000, sell 500,000, 5 on the board"


def test_ff_17_ff_18_ff_19_the_printed_turn() -> None:
    table = turn("free-emerald ruby-1 sapphire-2", "diamond -1").cash(10_000, 0)
    table.gems(1, sapphire=3).gems(2, ruby=1).price("sapphire", 100_000)
    ruby, brings = table.buys_at("ruby"), table.sells_at("ruby")
    table.do("play free-emerald", "play ruby-1", "buy 1 ruby")
    assert table.money[0] == 0
    table.do("play sapphire-2", "sell 2 sapphire")
    says("A turn with three cards", ruby, brings, 10_000, table.sells_at("sapphire"), table.money[0])
    assert table.owned(1) == [1, 1, 0, 1]
    assert table.do("end").state.due == 3
    assert plate("turn", "ruby") == "Ruby: buy 10,000, sell 5,000, 9 on the board"
    assert owned("turn") == {"own-0-0": 0, "own-0-1": 3, "own-0-2": 0, "own-0-3": 0}


def test_ff_18_a_card_buys_or_sells() -> None:
    for card, bought in (("ruby-2", 1), ("ruby-3", 2)):
        table = turn(card).gems(1, ruby=3).do(f"play {card}", f"buy {bought} ruby")
        assert not any(move.startswith(("sell", "buy 1 r")) for move in table.moves)
        says("Buy or sell, not both", f"buy {bought}" if bought > 1 else f"buy {bought} gem", "sell 1")


def test_ff_18_a_wild_for_three_keeps_to_one_colour() -> None:
    for move in ("buy 3 ruby", "sell 3 emerald"):
        table = turn("wild-3").gems(1, ruby=1, diamond=2, emerald=3).do("play wild-3")
        assert move in table.moves
        assert table.do(move).phase == r.PLAY
        assert not any(one.startswith(("buy 1", "sell")) for one in table.moves)
    table = turn("wild-3").gems(1, ruby=1, diamond=2).do("play wild-3", "sell 2 diamond")
    with pytest.raises(IllegalMove):
        table.do("sell 1 ruby")
    says("A Wild card keeps to one colour", "buy 3 rubies", "sell 3 emeralds", "2 diamonds and 1 ruby")
    assert owned("one-colour") == {"own-0-0": 1, "own-0-1": 0, "own-0-2": 2, "own-0-3": 3}


def test_ff_13_a_stop_lets_a_price_go_as_high_as_it_can() -> None:
    table = Table().lay_stop(2, "ruby").price("ruby", 750_000).roll("ruby +2")
    says("As high as a STOP lets it", 750_000, "two spaces", table.sells_at("ruby"))
    assert plate("stop-holds", "ruby") == "Ruby: buy 500,000, sell 1,000,000, 3 on the board, STOP of Ann"


def test_ff_11_ff_13_a_rise_that_nobody_gets() -> None:
    table = Table().lay_stop(2, "ruby").price("ruby", 1_000_000).roll("wild +2")
    before = list(table.state.marker)
    table.do("name ruby")
    assert list(table.state.marker) == before
    assert not table.state.closed[colour("ruby")]
    says("A rise without effect", "does not move")


def test_ff_21_two_prices_change_places() -> None:
    table = turn("switch").price("diamond", 25_000).price("emerald", 100_000)
    table.do("play switch", "switch diamond", "with emerald")
    says("Two prices change places", f"{table.sells_at('diamond'):,} for diamonds")
    says("Two prices change places", f"{table.sells_at('emerald'):,} for emeralds")
    assert [plate("switch", name, 1) for name in ("diamond", "emerald")] == [
        "Diamond: buy 10,000, sell 100,000, 9 on the board",
        "Emerald: buy 75,000, sell 25,000, 6 on the board",
    ]


def test_ff_22_a_heist_for_two() -> None:
    table = turn("heist").gems(2, ruby=2, diamond=3).do("play heist", "heist 2").heist(5, 3)
    says("A heist", "5", "3", f"takes {table.state.booty} gems")
    assert owned("heist")["own-1-0"] + owned("heist")["own-1-2"] >= table.state.booty


def test_ff_11_ff_13_ff_26_all_at_once() -> None:
    table = Table().gems(2, ruby=6, sapphire=4, diamond=5, emerald=1).lay_stop(2, "diamond")
    for name, price in (("ruby", 1_000_000), ("sapphire", 750_000), ("diamond", 1_000_000), ("emerald", 75_000)):
        says("All at once", price)
        table.price(name, price)
    lost = table.owned(2)
    table.roll("all +2")
    assert list(table.state.closed) == [1, 1, 0, 0]
    assert table.owned(2) == [0, 0, 5, 1]
    says(
        "All at once", f"{lost[0]} rubies and {lost[1]} sapphires", table.sells_at("diamond"), table.sells_at("emerald")
    )
    assert [plate("crash", name)[:24] for name in r.COLOURS] == [
        "Ruby: closed", "Sapphire: closed", "Diamond: buy 100,000, se", "Emerald: buy 10,000, sel",
    ]  # fmt: skip


def test_ff_21_a_market_comes_back() -> None:
    table = turn("switch", "diamond +1").close("ruby").gems(1, emerald=1).gems(2, emerald=2).price("emerald", 500_000)
    says("A market comes back", table.sells_at("emerald"), "seven gems", "1 emerald", "2")
    table.do("play switch", "switch ruby", "with emerald")
    assert list(table.state.closed) == [0, 0, 0, 1]
    assert (table.owned(1), table.owned(2)) == ([1, 0, 0, 0], [2, 0, 0, 0])
    assert table.state.board[0] == 7
    says("A market comes back", table.sells_at("ruby"), "seven rubies", "1 for you and 2 for Ann")
    assert plate("reopened", "ruby", 1) == "Ruby: buy 50,000, sell 500,000, 7 on the board"
    assert owned("reopened", 1) == {"own-0-0": 1, "own-0-3": 0, "own-1-0": 2, "own-1-3": 0}


def test_ff_25_what_three_of_a_colour_pay() -> None:
    text = re.sub(r"\[([^\[\]]+)\]\{\.ruling\}", r"\1", GAME.rulebook)
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ![Ruby 1]")]
    for before, after, pays, _ in rows:
        held, then = ([name.removeprefix("card-") for name, _ in book.pictures(cell)] for cell in (before, after))
        assert bool(then) != ("the same three" in after)
        table = turn(" ".join(held)).cash(0, 0).do("end").draw(" ".join(then[len(held) :]))
        assert then[: len(held)] == (held if then else [])
        assert table.cards(1) == (then or held)
        assert f"{table.money[0]:,}" == pays.strip()
    assert [pays.strip() for _, _, pays, _ in rows] == ["100,000", "0", "0"]


def test_every_picture_is_shown_and_has_something_to_see() -> None:
    used = {name for name, _ in book.pictures(GAME.rulebook)}
    for edition in GAME.editions.values():
        for name, part in edition.components.items():
            used |= {picture for picture, _ in book.pictures(GAME.component(name, part.value))}
    spare = {"up-3", "down-3"}  # for editions with such a die
    assert used == set(GAME.pictures) - spare
    assert all(any(piece.face for piece in pieces(picture)) for picture in GAME.pictures.values())
    assert all(isinstance(picture, Piece) for picture in GAME.pictures.values())


def test_ff_05_the_components_say_how_many_cards_there_are() -> None:
    deck = GAME.component("deck", GAME.edition().parts["deck"])
    counts = [int(n) for n in re.findall(r"\| (\d+) \|$", deck, re.MULTILINE)]
    each = [4 if "each colour" in line else 1 for line in deck.splitlines()[2:]]
    assert sum(n * colours for n, colours in zip(counts, each, strict=True)) == 109
    assert GAME.component("something new", 1) == ""
