"""Every page of docs can be reached from README.md, has a list of contents if it is long, and links that lead there."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / "SECURITY.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("**/*.md"))]
LONG = 100  # lines: about two screens
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?(?:\s+\"[^\"]*\")?\)")


def prose(page: Path) -> str:
    """Return a page without its code."""
    return re.sub(r"^\s*```.*?^\s*```|`[^`\n]*`", "`code`", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(page: Path) -> list[str]:
    """Return the text of each heading, with the code in it."""
    text = re.sub(r"^\s*```.*?^\s*```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head) for head in re.findall(r"^#{1,6} (.+)$", text, re.M)]


@cache
def anchors(page: Path) -> set[str]:
    """Return every anchor of a page; the second of two equal headings has a number."""
    seen: Counter[str] = Counter()
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", page.read_text("utf-8")))
    for head in headings(page):
        name = slug(head)
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def links(page: Path) -> list[tuple[Path, str]]:
    """Return the file and the anchor of each link inside the repository."""
    return [((page.parent / name).resolve() if name else page, anchor) for name, anchor in LINK.findall(prose(page))]


def reached(start: Path) -> set[Path]:
    """Return the pages that links lead to, from page to page."""
    found, todo = {start}, [start]
    while todo:
        for target, _ in links(todo.pop()):
            if target.suffix == ".md" and target.exists() and target not in found:
                found.add(target)
                todo.append(target)
    return found


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    return [
        f"{target.name}#{anchor}"
        for target, anchor in links(page)
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target))
    ]


def names(pages: set[Path]) -> list[str]:
    return sorted(page.relative_to(ROOT).as_posix() for page in pages)


def test_every_page_can_be_reached_from_the_readme() -> None:
    assert names(set(PAGES) - reached(README)) == []


def test_the_readme_says_what_each_page_of_docs_is_for() -> None:
    listed = re.findall(r"\]\((docs/[\w-]+\.md)\): \w+", README.read_text("utf-8"))
    pages = [page for page in PAGES if page.parent == ROOT / "docs"]
    assert sorted(listed) == names(set(pages))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_their_anchors_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


@pytest.mark.parametrize(
    "page", [page for page in PAGES[1:] if page.parent.name != "games"], ids=lambda page: page.name
)
def test_a_long_page_begins_with_its_contents(page: Path) -> None:
    """The contents are links to headings of the second level; one may be left out where a part has a list itself."""
    text = page.read_text("utf-8")
    parts = re.findall(r"^## (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.M)
    if len(text.splitlines()) <= LONG or len(parts) < 3:
        return
    top = "\n".join(text.splitlines()[:LONG]) if page.name != "decisions.md" else text
    missing = [part for part in parts if f"](#{slug(part)})" not in top and part != "Index"]
    assert missing == []


def test_the_index_of_the_decisions_has_each_one_in_order() -> None:
    page = ROOT / "docs/decisions.md"
    text = page.read_text("utf-8")
    index, body = text.split("\n## Index\n")[1].split("\n## ", 1)
    listed = re.findall(r"^- (20\d\d-\d\d-\d\d): \[(.+)\]\(#([^)]+)\)$", index, re.M)
    decided = re.findall(r"^### (20\d\d-\d\d-\d\d): (.+)$", body, re.M)
    assert [(date, title) for date, title, _ in listed] == decided
    assert [anchor for *_, anchor in listed] == [slug(f"{date}: {title}") for date, title in decided]
    for part in re.split(r"^## ", body, flags=re.M):
        dates = re.findall(r"^### (20\d\d-\d\d-\d\d)", part, re.M)
        assert dates == sorted(dates), part.splitlines()[0]


def test_a_struck_decision_names_the_one_that_replaced_it() -> None:
    text = (ROOT / "docs/decisions.md").read_text("utf-8").split("\n## Index\n")[1].split("\n## ", 1)[1]
    struck = [part for part in re.split(r"^### ", text, flags=re.M) if re.match(r"[\d-]+: ~~", part)]
    assert len(struck) >= 4
    assert [part.splitlines()[0] for part in struck if not re.search(r"Replaced\s+by\s+\[", part)] == []


def test_a_wrong_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n## A `b` c\n\n[good](#a-b-c) [bad](#a-c) [gone](none.md)\n\n```\n[code](#none)\n```\n")
    assert broken(page) == ["page.md#a-c", "none.md#"]
