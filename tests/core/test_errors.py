"""Every refusal has a code of its own and a sentence for a person."""

from __future__ import annotations

from parlour.core import errors
from parlour.core.errors import IllegalMove, ParlourError


def every(cls: type[ParlourError]) -> list[type[ParlourError]]:
    here = [cls] if cls.__module__ == errors.__name__ else []
    return here + [found for sub in cls.__subclasses__() for found in every(sub)]


def test_codes_are_different_and_documented() -> None:
    kinds = every(ParlourError)
    assert len({kind.code for kind in kinds}) == len(kinds) > 10
    assert all(kind.__doc__ for kind in kinds)


def test_the_sentence_names_the_clause_and_what_is_allowed() -> None:
    error = IllegalMove("Re-roll at least two dice.", clause="FO-6", allowed=(name for name in ("stop", "re-roll 1 2")))
    assert str(error) == "Re-roll at least two dice. (FO-6) Allowed: stop, re-roll 1 2."
    assert error.allowed == ("stop", "re-roll 1 2")
    assert str(IllegalMove("No.")) == "No."
