"""The failures that the load client reports."""

from __future__ import annotations

from parlour.core.errors import ParlourError


class HouseFailed(ParlourError):
    """The house did not do what a page relies on; the message says what."""

    code = "house-failed"


def must(condition: bool, message: str) -> None:
    """Raise HouseFailed unless the condition holds."""
    if not condition:
        raise HouseFailed(message)
