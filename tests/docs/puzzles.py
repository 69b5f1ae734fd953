"""Write the table of docs/puzzles.md: the puzzles that Parlour ships, and the commands that mined them.

python -m tests.docs.puzzles --write
"""

from __future__ import annotations

from parlour.core.puzzle import puzzles_of
from parlour.games import all_games
from parlour.house.site.titles import title_of
from tests.docs.written import Written


def written() -> str:
    """Return a row for each ruleset that has puzzles."""
    rows = ["| ruleset | puzzles | ratings | simulations of the check | command |", "|---|--:|---|--:|---|"]
    for name, game in sorted(all_games().items()):
        for ruleset in game.rulesets:
            if (found := puzzles_of(game, ruleset)) is not None:
                rated = [one.rating for one in found.puzzles]
                searched = f"{found.simulations:,}" if found.simulations else "exact"
                rows.append(
                    f"| {title_of(name, ruleset)} | {len(rated)} | {min(rated):.0f} to {max(rated):.0f} | {searched} "
                    f"| `{found.command}` |"
                )
    return "\n".join(rows)


PAGE = Written("puzzles", written)

if __name__ == "__main__":
    PAGE.main()
