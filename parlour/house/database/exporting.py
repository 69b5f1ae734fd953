"""What the subjects share where they give their part of a person's export (`exported`)."""

from __future__ import annotations

import time


def when(seconds: float) -> str:
    """Return a moment as exports have it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
