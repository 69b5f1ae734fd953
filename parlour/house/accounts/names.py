"""Which names look alike, so that nobody sits down as somebody else.

Two names are alike where they have the same likeness: compatibility forms are one (ﬁ and fi, Ａ and A), accents,
spaces and punctuation do not count, nor does upper or lower case; Cyrillic and Greek letters that are drawn like
Latin ones are these; and so are 0 and o; 1, l, i and |; rn and m; vv and w. That is what a reader at a table may
mistake. It is much less than Unicode's own table of what can be confused (UTS 39), which would also keep apart people
who write in scripts of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MOST = 512  # characters of a likeness: one character of a name may stand for eighteen
_LIKE = str.maketrans(  # each above the Latin letter that it, or its capital, is drawn like
    "авеіјкмнорстухѕԁԛԝһѵӏү" + "αβεζηικμνορτυχϲω" + "01|ıɑɡ",
    "abeljkmhopctyxsdqwhvly" + "abezhlkmnoptyxcw" + "ollla" + "g",
)


def likeness(name: str) -> str:
    """Return what all names that look like this one have in common."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()).translate(_LIKE)
    kept = "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LNS")
    bare = kept.replace("i", "l").replace("rn", "m").replace("vv", "w")
    return (bare or plain)[:MOST]


def reserved(name: str) -> bool:
    """Return whether a name has another meaning at a table and can't belong to an account: Guest 1234, Somebody, Greedy
    bot."""
    alike = likeness(name)
    return (
        alike in {likeness(word) for word in ("Somebody", "You", "The house", "Parlour", "Bot")}
        or re.fullmatch(r"guest[0-9ol]*", alike) is not None
        or likeness(name.split()[-1]) == "bot"
    )


def others(name: str, most: int) -> Iterator[str]:
    """Yield similar names that may be free, of at most this many characters."""
    for end in (" 2", " 3", " 4", " the Second", " of the House", " 5", " 6", " 7", " 8", " 9", " 10", " 11"):
        yield name[: most - len(end)].rstrip() + end
