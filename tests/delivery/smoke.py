"""What an installed Parlour must do: run by the Python of an environment, far from the checkout, with nothing else.

usage: python smoke.py FOLDER     (FOLDER: where the package must come from)
It may neither connect to anything nor write beside itself: the home is not a folder, and so is the cache.
"""

import socket
import subprocess
import sys
from pathlib import Path


def refuse(*_: object) -> None:
    raise AssertionError("Parlour tried to connect to something.")


socket.socket.connect = refuse  # type: ignore[assignment]

import parlour  # noqa: E402 - what it imports must not connect either

assert Path(parlour.__file__).is_relative_to(Path(sys.argv[1])), parlour.__file__
match = parlour.new("gatsby", names=["Zoë", "李"], seed=7)
while not match.over:
    match.play(match.legal_actions()[0])
text = match.record().to_text()
record = Path("a record, é.txt")
record.write_text(text, "utf-8")
assert parlour.load(record).scores == match.scores
assert "Zoë" in str(match)
assert "iframe" in match._repr_html_()
for game in parlour.all_games().values():
    state = parlour.new_initial_state(game)
    assert len(state.observation_tensor(0)) > 50
    assert game.rulebook.startswith("# ")
batch = parlour.Batch("facets-of-fortune", 8, seed=1)
for _ in range(20):
    batch.step(batch.random_actions())
assert parlour.simulate("facets-of-fortune", bots=["greedy", "random"], games=20).returns.sum() == 20
said = subprocess.run([sys.executable, "-m", "parlour", "games"], capture_output=True, text=True)
assert said.returncode == 1, said.stdout
assert "pip install 'parlour[cli]'" in said.stderr, said.stderr
print("ok", sys.version.split()[0])
