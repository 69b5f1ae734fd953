"""Options: what is read as a value, what is refused, and in which rulesets a choice makes a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.analysis.shapes import shapes
from parlour.core.errors import BadSetup, ParlourError, UnknownName
from parlour.core.record import Record
from parlour.core.replay import verify
from parlour.engine.batch import Batch

FAMILY_TRADE = parlour.find("family-trade")
ROYALE = {"ruleset": "battle-royale"}
OLD = Path(__file__).with_name("honour-calls-in-battle-royale.parlour")


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("must_keep_one", True, "true"),
        ("must_keep_one", False, "false"),
        ("must_keep_one", "true", "true"),
        ("target", 5000, "5000"),
        ("target", np.int64(5000), "5000"),
        ("target", "5000", "5000"),
    ],
)
def test_a_value_may_be_given_as_what_it_says(name: str, value: Any, text: str) -> None:
    match = parlour.new("fortune", options={name: value}, seed=1)
    assert match.options[name] == text
    assert match.state == parlour.new("fortune", options={name: text}, seed=1).state
    assert Record.parse(match.record().to_text()).options[name] == text
    (first, *_) = shapes(match.game, options={name: value})
    assert first.options == {name: text}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("must_keep_one", 1),
        ("must_keep_one", "True"),
        ("must_keep_one", None),
        ("target", True),
        ("target", 5000.0),
        ("target", 5001),
        ("target", ["5000"]),
        ("round_limit", None),
    ],
)
def test_any_other_value_is_refused_with_those_there_are(name: str, value: Any) -> None:
    with pytest.raises(UnknownName, match=f"Option {name} cannot be ") as refused:
        parlour.new("fortune", options={name: value})
    (option,) = (option for option in parlour.find("fortune").facts.options if option.name == name)
    assert refused.value.allowed == option.values


@pytest.mark.parametrize("options", [["must_keep_one"], "target=5000", 5000])
def test_options_that_are_no_names_with_values_are_refused(options: Any) -> None:
    with pytest.raises(BadSetup, match="a mapping of names to values"):
        parlour.new("fortune", options=options)


def test_simulations_and_batches_read_options_alike() -> None:
    assert parlour.simulate("fortune", games=1, options={"target": 5000}).options["target"] == "5000"
    same = [Batch("fortune", 1, options={"must_keep_one": value}).states.tobytes() for value in (True, "true", False)]
    assert same[0] == same[1] != same[2]


def test_what_makes_no_difference_in_a_ruleset_cannot_be_chosen_there() -> None:
    with pytest.raises(BadSetup) as refused:
        parlour.new("family-trade", options={**ROYALE, "honour_calls": "on"})
    assert str(refused.value) == (
        "Option honour_calls makes no difference in battle-royale. (FT-19) Allowed: honour_calls=off."
    )
    assert parlour.new("family-trade", options={**ROYALE, "honour_calls": "off"}).options["honour_calls"] == "off"


def test_studies_leave_out_the_rulesets_in_which_an_option_makes_no_difference() -> None:
    assert [shape.ruleset for shape in shapes(FAMILY_TRADE, 2, "liverage-house")] == list(FAMILY_TRADE.rulesets)
    found = shapes(FAMILY_TRADE, 2, "liverage-house", {"honour_calls": "on"})
    assert [shape.ruleset for shape in found] == ["market-making", "god-of-the-market"]
    assert all(shape.start().honour == 1 for shape in found)
    with pytest.raises(ParlourError, match="makes no difference"):
        shapes(FAMILY_TRADE, options={**ROYALE, "honour_calls": "on"})


def test_an_old_record_with_such_an_option_is_still_read() -> None:
    text = OLD.read_text("utf-8")
    record = Record.parse(text)
    assert record.options == {**ROYALE, "honour_calls": "on"}
    match = verify(record, parlour.find)
    assert match.over
    assert {**ROYALE, "honour_calls": "off"}.items() <= match.options.items()  # options that came later are as usual
    assert match.history()[-1].after == match.state
    assert match.record().to_text() == text  # what its commitment may bind stays as it was written
