"""The documentation site: `scripts/docs` runs this, and MkDocs builds what it puts together (`mkdocs.yaml`).

The pages are those of the repository, so that they can also be read there. `stage` copies them to where the site has
them, and turns their links with them: rulebooks become ordinary Markdown whose clauses are anchors, and files that are
not pages are copied beside. `reference` writes the public names with their docstrings. After MkDocs, `finish` puts each
page's Markdown beside its HTML, and writes llms.txt.
"""

from __future__ import annotations

import inspect
import logging
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

import parlour
from parlour.core import book
from parlour.site import building, pyodide
from parlour.site.pages import OURS
from tests.docs import hook, notebooks
from tests.docs.docstrings import fenced

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "mkdocs.yaml"
BUILD = ROOT / "build/docs"
MOVED = {  # pages that are elsewhere in the repository; docs/site and docs are the top of the site
    "README.md": "index.md",  # links to it lead to the first page
    "tests/delivery/public.txt": "reference.md",  # the same names, with their docstrings
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changes.md",
    "LICENSE": "files/LICENSE.txt",
    "examples/bezel/README.md": "bezel.md",
    "examples/bezel/bezel/rulebook.md": "files/bezel-rulebook.txt",
}
BESIDE = ("security.md", "changes.md", "bezel.md")
BLOCKS = ("blocks.js", "blocks.css")  # of the blocks that run in the page
ADAPTERS = ("parlour.pettingzoo", "parlour.gymnasium", "parlour.open_spiel")
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?![a-z]+:)([^)\s#]*)(#[^)\s]*)?((?:\s+\"[^\"]*\")?)\)")
CODE = re.compile(r"^[ \t]*```.*?^[ \t]*```|`[^`\n]+`|^<!--.*?-->\n", re.DOTALL | re.MULTILINE)
CLAUSE = re.compile(r"\[([A-Z]{2}-\d+)\]")


class BadLink(Exception):
    """A page links to what is not there."""


def slug(heading: str, _separator: str = "-") -> str:
    """Return the anchor that GitHub gives a heading, as the links in the pages expect."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def place(file: Path) -> str:
    """Return where the site has a file of the repository."""
    name = file.relative_to(ROOT).as_posix()
    if name in MOVED:
        return MOVED[name]
    if found := re.fullmatch(r"parlour/games/(\w+)/rulebook\.md", name):
        return f"rules/{found[1].replace('_', '-')}.md"
    if name.startswith("docs/"):
        return name.removeprefix("docs/").removeprefix("site/").replace(".ipynb", ".md")
    return f"files/{name}"


def sources() -> list[Path]:
    """Return every page of the repository that the site has."""
    moved = [ROOT / name for name, there in MOVED.items() if name != "README.md" and there in BESIDE]
    rulebooks = sorted((ROOT / "parlour/games").glob("*/rulebook.md"))
    return [*sorted((ROOT / "docs").rglob("*.md")), *sorted(notebooks.FOLDER.glob("*.ipynb")), *moved, *rulebooks]


def stage(pages: Path) -> None:
    """Write all pages, and copy what they show, into a folder."""
    shutil.rmtree(pages, ignore_errors=True)
    for file in sources():
        text, needed = turned(file, prepared(file))
        target = pages / place(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".ipynb":
            shutil.copy(file, target.parent)
            text += f"\nThis page is a notebook: [{file.name}]({file.name}).\n"
        target.write_text(text, "utf-8")
        for one in needed:
            copy = pages / place(one)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(one, copy)
    (pages / "reference.md").write_text(reference(for_mkdocs=True), "utf-8")
    for name in BLOCKS:
        (pages / "assets").mkdir(exist_ok=True)
        shutil.copy(OURS / "static" / name, pages / "assets")


def prepared(file: Path) -> str:
    """Return the text of a page in the Markdown that MkDocs reads."""
    if file.suffix == ".ipynb":
        return notebooks.markdown(file)
    text = re.sub(r"\A<!--.*?-->\n", "", file.read_text("utf-8"))  # the title comes first
    if file.name == "rulebook.md":
        text = rulebook(file, text)
    text = re.sub(r"^(\s*```\w+) (\S+)$", r'\1 title="\2"', text, flags=re.MULTILINE)
    return "\n".join(indented(text.splitlines())) + "\n"


def rulebook(file: Path, text: str) -> str:
    """Return a rulebook as ordinary Markdown; each clause has an anchor."""
    game = parlour.find(file.parent.name.replace("_", "-"))
    text = book.plain(game.book())
    legend = book.legend(text)
    text = re.sub(r"^\*\*([A-Z]{2}-\d+)\*\*", lambda one: f'<a id="{one[1].lower()}"></a>{one[0]}', text, flags=re.M)
    return f"{text}\n\n## Sources\n\n{legend}\n" if legend else text


def indented(lines: list[str]) -> Iterator[str]:
    """Yield lines with what belongs to a list's item four blanks in, as Python's Markdown wants it."""
    width, code = 0, False
    for line in lines:
        if line.lstrip().startswith("```"):
            code = not code
        item = re.match(r"([-*]|\d+\.) +", line)
        if item and not code:
            width = len(item[0])
        elif line and line[0] != " " and not code:
            width = 0
        inside = width and line.startswith(" " * width) and not line.startswith(" " * 4)
        yield " " * 4 + line[width:] if inside else line


def turned(file: Path, text: str) -> tuple[str, set[Path]]:
    """Return a page with its links as the site needs them, and the files that it shows or offers. Raises BadLink."""
    needed: set[Path] = set()
    here = Path(place(file)).parent

    def turn(link: re.Match[str]) -> str:
        words, name, anchor, title = link[1], link[2], link[3] or "", link[4]
        if not name:
            return link[0]
        target = (file.parent / name).resolve()
        if not target.is_file():
            raise BadLink(f"{file.relative_to(ROOT)} links to {name}, which is not a file.")
        if target.name == "rulebook.md" and (clause := CLAUSE.fullmatch(words)):
            anchor = f"#{clause[1].lower()}"
        if not place(target).endswith(".md"):
            needed.add(target)
        return f"{words}({os.path.relpath(place(target), here)}{anchor}{title})"

    parts, at = [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(turn, text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, LINK.sub(turn, text[at:])]), needed


def public() -> Mapping[str, list[str]]:
    """Return the public names by module, those of `parlour` first."""
    found = {"parlour": sorted(parlour.__all__)}
    for name in ADAPTERS:
        module = import_module(name)
        found[name] = [one for one, value in vars(module).items() if ours(name, one, value)]
    return found


def ours(module: str, name: str, value: object) -> bool:
    """Return whether a module defines a name for others."""
    return not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module


def reference(*, for_mkdocs: bool) -> str:
    """Return the page of all public names: as orders for mkdocstrings, or written out as Markdown."""
    parts = [
        "# Reference\n",
        "Every public name, with what its docstring says. `tests/delivery/public.txt` has their signatures: a change\n"
        "of one is named in [the changes](changes.md).\n",
    ]
    for module, names in public().items():
        parts.append(f"## {module}\n")
        for name in names:
            if for_mkdocs:
                parts.append(f"::: {home(module, name)}\n    options:\n        heading_level: 3\n")
            else:
                parts += described(f"{module}.{name}", getattr(import_module(module), name))
    return "\n".join(parts)


def home(module: str, name: str) -> str:
    """Return the address of a public name where it is defined, which mkdocstrings finds without importing it."""
    value = getattr(import_module(module), name)
    return f"{value.__module__}.{value.__qualname__}"


def described(name: str, value: object) -> Iterator[str]:
    """Yield a name, its signature and docstring, and those of its methods."""
    yield f"### {name}\n\n```python\n{name}{signature(value)}\n```\n\n{fenced(inspect.getdoc(value) or '')}\n"
    if inspect.isclass(value):
        for attribute, found in vars(value).items():
            text = inspect.getdoc(found) if not attribute.startswith("_") else ""
            if text and (inspect.isfunction(found) or isinstance(found, property)):
                yield f"#### {name}.{attribute}\n\n`{attribute}{signature(found)}`\n\n{text}\n"


def signature(value: object) -> str:
    if not callable(value):
        return ""
    try:
        return re.sub(r"'([^']*)'", r"\1", str(inspect.signature(value)))
    except ValueError:
        return ""


def finish(pages: Path, site: Path, order: Iterable[tuple[str, str]]) -> None:
    """Put the Markdown of each page beside its HTML, and write llms.txt, with the pages in `order`: section, file."""
    for file in pages.rglob("*.md"):
        shutil.copy(file, site / file.relative_to(pages))
    (site / "reference.md").write_text(reference(for_mkdocs=False), "utf-8")
    lines, under = [], ""
    for section, name in order:
        title, about = summary((site / name).read_text("utf-8"))
        if not lines:
            lines += ["# Parlour\n", f"> {about}"]
        if section != under:
            lines.append(f"\n## {section}\n")
        under = section
        lines.append(f"- [{title}]({name}): {about}")
    (site / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def summary(text: str) -> tuple[str, str]:
    """Return the title of a page, and the first sentence of its first paragraph, without marks."""
    text = CODE.sub(lambda found: found[0].strip("`") if found[0].count("\n") == 0 else "", text)
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert title is not None
    paragraphs = re.split(r"\n\s*\n", text[title.end() :])
    plain = [" ".join(one.split()) for one in paragraphs if re.match(r"\s*[A-Za-z\"`\[]", one)]
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", plain[0] if plain else "")
    return title[1], re.split(r"(?<=[.:!?]) (?=[A-Z])", words)[0].replace("**", "").replace("*", "")


def had() -> dict[str, bytes] | None:
    """Return Python for browsers; None where it cannot be had, and a site without boards is built."""
    try:
        return pyodide.files()
    except pyodide.NoPyodide as problem:
        print(f"No board and no block runs in the pages: {problem}", file=sys.stderr)
        return None


def build(folder: Path) -> Path:
    """Build the site in a folder, and return where it is; a warning is an error."""
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config
    from mkdocs.structure.files import get_files
    from mkdocs.structure.nav import get_navigation

    pages, site = folder / "pages", folder / "site"
    stage(pages)
    config = load_config(str(CONFIG), docs_dir=str(pages), site_dir=str(site), strict=True)
    python = had()
    config.extra[hook.PLAY] = python is not None
    config.plugins.on_startup(command="build", dirty=False)
    build_site(config)
    config.plugins.on_shutdown()
    if python is not None:
        building.write(site / hook.PLAY, list(parlour.all_games().values()), python, programs=True)
    navigation = get_navigation(get_files(config), config)
    finish(
        pages,
        site,
        [(page.ancestors[-1].title if page.ancestors else "Start", page.file.src_uri) for page in navigation.pages],
    )
    return site


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    print(f"The site is in {build(Path(sys.argv[1]) if sys.argv[1:] else BUILD)}; begin with index.html.")
