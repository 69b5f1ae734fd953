"""Pig, made from the blocks of docs/add-a-game.md."""

from __future__ import annotations

import os
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "add-a-game.md"


def write_pig(folder: Path) -> Path:
    """Write the page's files into `folder`/pig, as a reader would; the folder of the game."""
    game = folder / "pig"
    for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S):
        file = game / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_text("utf-8") != text:  # a file that is touched is compiled again
            new = file.with_name(f"{file.name}.{os.getpid()}")
            new.write_text(text, "utf-8")
            new.replace(file)
    return game
