"""Some days of games by post (`tests.house.week`), small; `scripts/nightly --weeks` has 200 people and 1,000 tables."""

from __future__ import annotations

from pathlib import Path

from tests.house import week


# Its pages are real: on a busy machine one may seem to have vanished, and its person is then notified of what they saw.
async def test_every_game_by_post_ends_nobodys_time_is_wrong_by_a_second_and_all_are_notified(tmp_path: Path) -> None:
    seen = await week.live(tmp_path, people=4, tables=2, days=90, seed=3, every=30 * week.HOUR, hidden=2)
    print(seen.line())
    assert seen.over == seen.tables == 2
    assert seen.hidden == 2
    assert seen.worst <= 1.0
    assert seen.notified > 10
    assert all((seen.up, seen.restarts, seen.refused)), "what happens in the smallest week"
