"""What MkDocs does with each page besides: a button for each block that runs, and a link to the board of a ruleset."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from parlour.games import all_games
from parlour.site.pages import rulesets
from tests.docs import blocks

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

PLAY = "play"  # the folder of the site in which games and programs run; `config.extra` says whether it is there


def on_page_markdown(markdown: str, page: Page, config: Any, **_: Any) -> str:
    """Return a page as MkDocs draws it; the Markdown beside it stays as it is."""
    if not config.extra.get(PLAY):
        return markdown
    return linked(blocks.mark(markdown), page.file.src_uri)


def linked(text: str, name: str) -> str:
    """Return a page with a link to its board below the title, if it is about a ruleset, or about all."""
    boards = {f"rulesets/{one.ruleset or one.game.name}.md": one for one in rulesets(list(all_games().values()))}
    if name not in boards and name != "play.md":
        return text
    up, page, words = "../" * name.count("/"), "index.html", "Play a game in this browser"
    if name in boards:
        page, words = boards[name].page, f"Play {boards[name].title} in this browser"
    button = f'<p><a class="md-button" href="{up}{PLAY}/{page}">{words}</a></p>'
    return re.sub(r"^# .+\n", lambda title: f"{title[0]}\n{button}\n", text, count=1, flags=re.MULTILINE)
