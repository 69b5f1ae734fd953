"""Segments that are compressed separately and joined into one gzip stream."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.house.http.compression import HEAD, end, segment, takes_gzip


@given(st.lists(st.binary(max_size=400), max_size=5))
def test_segments_are_one_gzip_stream(parts: list[bytes]) -> None:
    whole = b"".join(parts)
    assert gzip.decompress(HEAD + b"".join(map(segment, parts)) + end(whole)) == whole


@given(st.lists(st.binary(min_size=1, max_size=400), min_size=1, max_size=5))
def test_each_segment_can_be_read_as_soon_as_it_has_come(parts: list[bytes]) -> None:
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    reader.decompress(HEAD)
    assert [reader.decompress(segment(part)) for part in parts] == parts


def test_a_secret_is_not_shorter_beside_a_guess_at_it() -> None:
    secret, guess, other = b"token=8fq2lxWb91", b"token=8fq2lxWb91", b"token=zzK41pQm77"
    assert len(segment(secret) + segment(guess)) == len(segment(secret) + segment(other))


@pytest.mark.parametrize(
    ("accept", "taken"),
    [
        ("gzip, deflate, br, zstd", True),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.5", True),
        ("*", True),
        ("", False),
    ],
)
def test_what_a_browser_takes(accept: str, taken: bool) -> None:
    assert takes_gzip(accept) is taken
