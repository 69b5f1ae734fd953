"""The public names of `import parlour`, with their signatures: public.txt holds them as they were agreed on.

`python -m tests.delivery.public --write` writes the file anew, for a change that is meant and is in CHANGELOG.md.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import parlour

FILE = Path(__file__).parent / "public.txt"
MODULES = ("parlour",)


def lines() -> Iterator[str]:
    """Yield each public name, a function with its signature, a class with its public attributes, sorted."""
    for module in MODULES:
        home = import_module(module)
        for name in sorted(home.__all__):
            yield from _described(f"{module}.{name}", getattr(home, name))


def _described(name: str, value: object) -> Iterator[str]:
    if not inspect.isclass(value):
        yield f"{name}{inspect.signature(value)}" if callable(value) else name  # type: ignore[arg-type]
        return
    yield f"{name}{_signature(value)}"
    for attribute in sorted(vars(value)):
        found = inspect.getattr_static(value, attribute)
        if attribute.startswith("_"):
            continue
        if isinstance(found, staticmethod | classmethod):
            found = found.__func__
        shown = str(inspect.signature(found)) if inspect.isfunction(found) else ""
        yield f"{name}.{attribute}{shown}"


def _signature(kind: type) -> str:
    try:
        return str(inspect.signature(kind))
    except ValueError:
        return ""


def main() -> None:
    if "--write" in sys.argv:
        FILE.write_text("\n".join(lines()) + "\n", "utf-8")
    else:
        print("\n".join(lines()))


if __name__ == "__main__":
    assert parlour.__version__
    main()
