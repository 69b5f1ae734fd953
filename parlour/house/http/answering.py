"""Compressed answers: pages, data, and files that are the same for everyone.

Large ones are compressed in a thread, so that no other request waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from litestar import Response
from litestar.enums import MediaType

from parlour.house.http.compression import FILES, QUICK, SMALL, chosen, packed, strung, takes_gzip
from parlour.house.http.hosts import AnyConnection
from parlour.house.http.page import Part

Parts = Sequence[tuple[bytes, bool]]
TINY = 256  # bytes; what is smaller gains nothing, though it is compressed only once
LARGE = 64 * 1024  # bytes, some 2 ms; what is larger is compressed in a thread
KEPT = 2_000  # compressed answers: three codings of some hundred files, books and summary sheets
SAME = "no-cache"  # may be kept, and is asked for again each time
FOREVER = "public, max-age=31536000, immutable"
PACKED = ("image/png",)  # already compressed
UNLIKE = {"Vary": "Accept-Encoding"}


def accepts(request: AnyConnection) -> str:
    """Return the codings that the sender of a request accepts."""
    return request.headers.get("accept-encoding", "")


async def page(request: AnyConnection, parts: tuple[Part, ...]) -> Response[bytes]:
    """Return a page for one guest, with each part compressed separately."""
    return await apart(request, _encoded(parts), MediaType.HTML)


def short_page(request: AnyConnection, parts: tuple[Part, ...], status: int) -> Response[bytes]:
    """Return the same without a thread, for a page that is never large."""
    answer = _apart(request, _encoded(parts), MediaType.HTML)
    answer.status_code = status
    return answer


async def apart(request: AnyConnection, parts: Parts, kind: str) -> Response[Any]:
    """Return an answer that may contain secrets next to what others wrote: each part is compressed separately. A part
    with True is the same for everyone."""
    if sum(len(data) for data, common in parts if not common) > LARGE:
        return await asyncio.to_thread(_apart, request, parts, kind)
    return _apart(request, parts, kind)


def _encoded(parts: tuple[Part, ...]) -> Parts:
    return [(part.text.encode(), part.common) for part in parts]


def _apart(request: AnyConnection, parts: Parts, kind: str) -> Response[bytes]:
    if sum(len(data) for data, _ in parts) < SMALL or not takes_gzip(accepts(request)):
        return Response(b"".join(data for data, _ in parts), media_type=kind, headers=UNLIKE)
    return Response(strung(parts), media_type=kind, headers=UNLIKE | {"Content-Encoding": "gzip"})


async def open_data(request: AnyConnection, data: bytes, kind: str) -> Response[Any]:
    """Return an answer without secrets, made for this request."""
    coding = chosen(accepts(request), QUICK) if len(data) >= SMALL else ""
    body = await asyncio.to_thread(packed, data, coding) if len(data) > LARGE else packed(data, coding)
    return Response(body, media_type=kind, headers=UNLIKE | ({"Content-Encoding": coding} if coding else {}))


async def same(request: AnyConnection, data: bytes, kind: str, caching: str = SAME) -> Response[bytes]:
    """Return an answer that is the same for everyone: compressed once for each coding, and not sent to a browser that
    has it."""
    coding = chosen(accepts(request), FILES) if len(data) >= TINY and kind not in PACKED else ""
    if (made := _made.get((data, coding))) is None:
        made = _remember((data, coding), await asyncio.to_thread(_make, data, coding))
    tag, body = made
    headers = UNLIKE | {"Cache-Control": caching, "ETag": tag}
    if tag in (one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")):
        return Response(b"", status_code=304, media_type=kind, headers=headers)
    return Response(body, media_type=kind, headers=headers | ({"Content-Encoding": coding} if coding else {}))


async def tagged(request: AnyConnection, data: bytes, kind: str) -> Response[bytes]:
    """Return an answer that programs ask for again and again: not sent to one that has it. It is made for this request,
    and not kept as in `same`."""
    tag = f'W/"{sha256(data).hexdigest()[:16]}"'
    headers = UNLIKE | {"Cache-Control": f"private, {SAME}", "ETag": tag}
    if tag in (one.strip() for one in request.headers.get("if-none-match", "").split(",")):
        return Response(b"", status_code=304, media_type=kind, headers=headers)
    answer: Response[bytes] = await open_data(request, data, kind)
    answer.headers.update(headers)
    return answer


_made: dict[tuple[bytes, str], tuple[str, bytes]] = {}  # by data and coding: its tag, and it compressed


def _remember(name: tuple[bytes, str], made: tuple[str, bytes]) -> tuple[str, bytes]:
    _made[name] = made
    if len(_made) > KEPT:
        del _made[next(iter(_made))]
    return made


def _make(data: bytes, coding: str) -> tuple[str, bytes]:
    return f'"{sha256(data).hexdigest()[:16]}{coding}"', packed(data, coding, best=True)
