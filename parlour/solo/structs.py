"""What scenes and records use of msgspec, in plain Python: in a browser this module has that name.

Only what needs no machine code is here, so a server never loads it. Structs are dataclasses: equal, printed and copied
like msgspec's, but nothing forbids to change one. `tests/solo/test_structs.py` compares both.
"""

from __future__ import annotations

import dataclasses
import json as standard
import sys
from collections.abc import Callable
from typing import TypeVar, dataclass_transform

T = TypeVar("T")
_HASH = "_hash"


class MsgspecError(Exception):
    """Something cannot be read."""


@dataclass_transform(field_specifiers=())
class Struct:
    """The base of structs: a class whose annotations are its fields."""

    def __init_subclass__(cls, *, frozen: bool = False, eq: bool = True, **_: object) -> None:
        for name in vars(cls).get("__annotations__", ()):
            default = vars(cls).get(name)
            if isinstance(default, list | dict | set):  # each struct gets its own
                setattr(cls, name, dataclasses.field(default_factory=default.copy))
        dataclasses.dataclass(eq=eq)(cls)
        if frozen and eq:
            cls.__hash__ = _hashed  # type: ignore[assignment]


def _hashed(one: Struct) -> int:
    """Return the hash of a struct's values, computed once."""
    kept: int | None = one.__dict__.get(_HASH)
    if kept is None:
        values = one.__dict__
        kept = hash((type(one), *(values[name] for name in _fields(one))))
        values[_HASH] = kept
    return kept


def _fields(one: object) -> dict[str, object]:
    """Return the fields of a struct by name."""
    found: dict[str, object] = one.__dataclass_fields__  # type: ignore[attr-defined]
    return found


def replace(struct: T, /, **changes: object) -> T:
    """Return a copy of a struct with other values in some fields."""
    fields = _fields(struct)
    if unknown := changes.keys() - fields.keys():
        raise TypeError(f"`{type(struct).__name__}` has no field {min(unknown)!r}")
    made = object.__new__(type(struct))
    values = vars(made)
    values.update(vars(struct))
    values.pop(_HASH, None)
    values.update(changes)
    return made


class json:
    """Positions and records as JSON."""

    @staticmethod
    def encode(value: object) -> bytes:
        """Return a value as JSON, without blanks."""
        return standard.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()

    @staticmethod
    def decode(text: str | bytes, *, type: Callable[..., object] | None = None) -> object:
        """Return the value that a JSON text has, as a struct of this type. Raises MsgspecError."""
        try:
            found = standard.loads(text)
            return found if type is None else type(**found)
        except (ValueError, TypeError) as error:
            raise MsgspecError(str(error)) from None


def stand_in() -> None:
    """Let `import msgspec` find this module."""
    here = sys.modules[__name__]
    for name in ("msgspec", "msgspec.structs", "msgspec.json"):
        sys.modules[name] = here
