"""What programs rely on stays as it is: the public names and signatures are those of public.txt."""

from __future__ import annotations

import parlour
from tests.delivery.public import FILE, lines


def test_public_names_and_signatures_are_as_agreed() -> None:
    """A change that is meant is in CHANGELOG.md, and `python -m tests.delivery.public --write` notes it here."""
    assert [*lines()] == FILE.read_text("utf-8").splitlines()


def test_every_public_name_is_there_and_has_a_docstring() -> None:
    for name in parlour.__all__:
        assert (getattr(parlour, name).__doc__ or "").strip(), name
