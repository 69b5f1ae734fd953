"""Which names look alike, so that no player can pose as another.

Two names look alike if they have the same likeness. It ignores accents, spaces, punctuation, case and compatibility
forms (ﬁ and fi, Ａ and A). It replaces Cyrillic and Greek letters by similar Latin ones, and treats as equal: 0 and o;
1, l, i and |; rn and m; vv and w. These are easily confused by a reader at a table. Unicode's own table of confusable
characters (UTS 39) is much larger; it would also refuse different names of people who write in other scripts.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

SOMEBODY = "Somebody"  # the name of deleted accounts
MOST = 512  # characters of a likeness: one character of a name may become eighteen
_LIKE = str.maketrans(  # each is above the similar Latin letter; a capital may be what is similar
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
    """Return whether a name has another meaning at a table and can't belong to an account: Guest 1234, "Somebody",
    Greedy bot."""
    alike = likeness(name)
    return (
        alike in {likeness(word) for word in (SOMEBODY, "You", "The house", "Parlour", "Bot")}
        or re.fullmatch(r"guest[0-9ol]*", alike) is not None
        or likeness(name.split()[-1]) == "bot"
    )


def others(name: str, most: int) -> Iterator[str]:
    """Yield similar names that may be free, of at most this many characters."""
    for end in (" 2", " 3", " 4", " the Second", " of the House", " 5", " 6", " 7", " 8", " 9", " 10", " 11"):
        yield name[: most - len(end)].rstrip() + end


def default_name(guest: str) -> str:
    """Return "Guest 1234", always the same for the same guest."""
    return f"Guest {1000 + int(hashlib.sha256(guest.encode()).hexdigest(), 16) % 9000}"
