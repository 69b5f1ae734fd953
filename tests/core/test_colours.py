"""The colours of a board without chosen ones, and the covers of games without a drawn one."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from parlour.core import colours, html
from parlour.core.colours import CLOTHS, board, contrast, mix
from parlour.core.scene import Piece, Scene
from parlour.core.symbols import CUTS, SHAPES, chosen, cover, stone


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#767676", "#ffffff") == contrast("#fff", "#767676") == pytest.approx(4.54, abs=0.005)
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    with pytest.raises(ValueError, match="'red' is not a colour"):
        colours.channels("red")


@pytest.mark.parametrize(
    "cloth", [*CLOTHS, "#ffffff", "#000000", "#808080", "#7f8a5a", "#ff0000", "#00ff00", "#0000ff"]
)
def test_what_is_written_on_any_cloth_can_be_read(cloth: str) -> None:
    made = board({"--cloth": cloth}, "#123456")
    assert made["--cloth"] == cloth
    for ink in ("--cloth-ink", "--cloth-soft", "--danger"):
        for ground in ("--cloth", "--cloth-deep"):
            assert contrast(made[ink], made[ground]) >= 4.5, (ink, ground)


def test_what_a_game_says_is_never_changed() -> None:
    said = {"--cloth": "#101010", "--cloth-ink": "#111111", "--own": "1px"}
    made = board(said, "#ffffff")
    assert {name: made[name] for name in said} == said
    assert board({"--cloth": "oklch(50% 0 0)"}, "#ffffff") == {"--cloth": "oklch(50% 0 0)"}


def test_a_cover_is_a_picture_of_the_title_in_colours_of_its_own() -> None:
    drawn = {name: cover(name, f"The <{name}> & co") for name in ("pig", "kuhn", "satchel", "go")}
    for name, symbol in drawn.items():
        root = ElementTree.fromstring(symbol)
        assert root.attrib["id"] == f"{name}-cover"
        assert "".join(text for text in root.itertext()) == f"The <{name}> & co"
        assert _written(symbol) >= 4.5
    assert len({symbol.replace(name, "") for name, symbol in drawn.items()}) == len(drawn)
    assert cover("pig", "Pig") == cover("pig", "Pig")


def test_a_cover_has_the_cloth_the_ink_and_the_metal_of_its_board() -> None:
    said = {"--cloth": "#204060", "--cloth-ink": "#ffeecc", "--metal": "#c0a060"}
    symbol = cover("pig", "Pig", said)
    assert all(colour in symbol for colour in said.values())
    for cloth in ("#f4e9d0", "#101820", "#cc8844"):  # a light board has dark letters
        assert _written(cover("pig", "Pig", {"--cloth": cloth})) >= 4.5
    assert _written(cover("pig", "Pig", {**said, "--cloth-ink": "#335577"})) >= 4.5  # an ink that no one could read


def _written(symbol: str) -> float:
    """Return the worst contrast of the title on its board."""
    ink = ElementTree.fromstring(symbol).find("text")
    assert ink is not None
    return min(contrast(ink.attrib["fill"], ground) for ground in re.findall(r'stop-color="(#\w{6})"', symbol))


def test_gems_are_as_they_are_called() -> None:
    assert stone("Ruby") == stone("a red gem") != stone("Sapphire")
    assert 0 <= stone("Moon") == stone("moon") < CUTS
    assert {chosen(str(n), CUTS) for n in range(60)} == set(range(CUTS))
    symbols = {node.attrib["id"] for node in ElementTree.fromstring(SHAPES).iter() if "id" in node.attrib}
    assert {f"pips-{n}" for n in range(1, 7)} | {f"gem-{n}" for n in range(CUTS)} <= symbols


def test_a_stone_face_down_has_the_same_back_whatever_it_is_called() -> None:
    def drawn(name: str, *marks: str) -> str:
        gem = Piece("gem", "gem", name, marks=marks)
        return html.render(Scene("pig", 0, "", Piece("board", "board", children=(gem,)))).replace(name, "")

    assert drawn("Ruby") != drawn("Sapphire")
    assert drawn("Ruby", "down") == drawn("Sapphire", "down")
