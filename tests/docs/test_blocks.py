"""Which blocks of the documentation get a button, and which say why they have none."""

from __future__ import annotations

import json

from parlour.solo.program import Program
from tests.docs import blocks, hook, site

PAGE = """# Title

```python
import parlour

match = parlour.new("gatsby")
```

- An item

  ```python
  print(match)
  ```

```python rules.py
from . import numbers
```

```python
batch = parlour.Batch("gatsby", 2)
```

```python
print(batch, match)
```

```python
print(unknown)
```
"""


def test_blocks_build_on_those_that_they_need() -> None:
    found = blocks.blocks(PAGE)
    assert [(one.needs, one.lacks) for one in found] == [
        ((), ""), ((0,), ""), ((0,), "NumPy"), ((0, 2), "NumPy"), ((), "the rest of a program"),
    ]  # fmt: skip
    assert found[1].code == "print(match)\n"


def test_a_program_lacks_what_is_in_a_package_that_browsers_lack() -> None:
    text = "```python\nfrom parlour.analysis.batches import Batch\n```\n"
    assert [one.lacks for one in blocks.blocks(text)] == ["other processes"]


def test_a_page_says_after_each_program_whether_it_runs() -> None:
    text = blocks.mark(PAGE)
    assert '  ```\n\n  <div class="parlour-run" data-block="1" data-needs="0"></div>\n' in text
    assert text.count('class="parlour-run"') == 2
    assert text.count("Run this on your computer: it needs NumPy.") == 2
    assert blocks.BLOCK.sub("", text).count("```python rules.py") == 1


def test_most_programs_of_the_pages_run_in_them() -> None:
    found = {site.place(file): blocks.blocks(site.prepared(file)) for file in site.sources()}
    runs = [name for name, programs in found.items() if any(not one.lacks for one in programs)]
    assert {"library.md", "play.md", "make.md", "notation.md", "notebooks/play.md", "rulesets/gatsby.md"} <= {*runs}
    assert sum(not one.lacks for programs in found.values() for one in programs) > 15


def test_a_ruleset_s_page_leads_to_its_board() -> None:
    text = hook.linked("# Battle Royale\n\nText.\n", "rulesets/battle-royale.md")
    assert 'href="../play/family-trade-battle-royale.html">Play Battle Royale in this browser</a>' in text
    assert 'href="play/index.html"' in hook.linked("# Play\n", "play.md")
    assert hook.linked("# Bots\n", "bots.md") == "# Bots\n"


def test_programs_share_their_names_and_say_what_went_wrong() -> None:
    programs = Program()
    assert json.loads(programs.run("a = 1\nprint(a)")) == {"output": "1\n", "html": "", "done": True}
    assert json.loads(programs.run("a + 1"))["output"] == "2\n"
    wrong = json.loads(programs.run("a\nb"))
    assert wrong == {"output": "line 2: NameError: name 'b' is not defined\n", "html": "", "done": False}
    assert not json.loads(programs.run("def"))["done"]
    board = "class Board:\n    def _repr_html_(self):\n        return '<b>3</b>'\nBoard()"
    assert json.loads(programs.run(board)) == {"output": "", "html": "<b>3</b>", "done": True}
