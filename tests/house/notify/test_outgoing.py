"""Requests to addresses that strangers name: only to public ones, and only by https."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.house.errors import BadInput
from parlour.house.notify import outgoing, public
from tests.house.receiving import Service, service

INSIDE = [
    "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "255.255.255.255", "224.0.0.1", "240.0.0.1", "198.18.0.1", "192.0.2.1", "::", "::1",
    "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a9fe:a9fe", "2002:7f00:1::",
    "2001:0:1::1", "no address", "",
    "fec0::1", "3fff::1", "192.88.99.1", "192.0.0.8", "192.0.0.170", "192.31.196.1", "192.175.48.6", "203.0.113.1",
    "198.51.100.1", "198.19.255.255", "0.1.2.3", "3ffe::1", "5f00::1", "100::1", "4000::1", "2001:20::1", "127.1",
]  # fmt: skip


@pytest.fixture
async def world() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_not_public_is_known_however_it_is_written(address: str) -> None:
    assert not public.is_public(address)


def test_what_is_public_may_be_reached() -> None:
    assert all(map(public.is_public, ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"]))


@given(st.integers(0, 2**32 - 1))
def test_an_address_of_ipv4_is_no_more_public_for_being_written_in_ipv6(number: int) -> None:
    plain = IPv4Address(number)
    assert public.is_public(f"::ffff:{plain}") == public.is_public(str(plain))
    for translated in (IPv6Address((0x64FF9B << 96) | number), IPv6Address((0x2002 << 112) | (number << 80))):
        assert not public.is_public(str(translated))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "https:///x", "https://127.0.0.1/",
        "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/latest/", "https://example.org:22/",
        "https://user@example.org/", "https://a:b@example.org/", "https://a.org\\@127.0.0.1/", "https://ex ample/",
        "https://example.org/\r\nHost: x", "https://exämple.org/", "//example.org", "javascript:alert(1)", "", "x",
        "https://example.org:99999/", "https://[::1", "https://127.1:8443/", "https://2130706433/", "https://0x7f.1/", "https://0x7f000001/",
        "https://017700000001/", "https://127.0.0.1./", "https://10.0.0.1.:8443/", "https://1.2.3.4.5/",
        f"https://example.org/{'x' * 1024}",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_meant_is_refused_by_its_text(url: str) -> None:
    with pytest.raises(BadInput):
        public.checked_url(url, "public")


@given(st.text())
def test_any_text_is_an_address_or_is_refused(text: str) -> None:
    for where in ("public", "any"):
        with contextlib.suppress(BadInput):
            assert public.checked_url(text, where)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.1", "017700000001", "0"])
async def test_a_name_that_leads_inside_is_not_connected_to(host: str) -> None:
    """The addresses that the system resolves are checked, before any connection to the port."""
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.setblocking(False)
        connector = outgoing._Checked("public")
        with pytest.raises(OSError):  # noqa: PT011 - Refused, or no such name
            await connector.resolve(host, trap.getsockname()[1])
        with pytest.raises((OSError, BadInput)):
            await outgoing.send(f"https://{host}/", b"x", {}, "public")
        with pytest.raises(BlockingIOError):
            trap.accept()


async def test_one_address_of_several_that_is_not_public_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves differently the second time doesn't help: it is resolved once for each request."""
    asked = []

    async def answer(host: str, port: int, **_: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in ("1.1.1.1", "127.0.0.1")]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", answer, raising=False)
    with pytest.raises(OSError, match="Cannot connect"):
        await outgoing.send("https://rebinding.example/", b"x", {}, "public")
    assert asked == ["rebinding.example"]


async def test_a_certificate_must_be_that_of_the_name(world: Service) -> None:
    """No one in between can pose as a push service: plain HTTP in place of TLS is refused."""
    port = world.url.rpartition(":")[2]
    with pytest.raises(OSError, match="SSL"):
        await outgoing.send(f"https://127.0.0.1:{port}/hook", b"{}", {}, "any")
    assert world.asked == 0


async def test_a_redirect_is_an_answer(world: Service) -> None:
    assert await outgoing.send(f"{world.url}/away", b"{}", {}, "any") == 307
    assert (world.asked, world.hooked) == (1, [])


async def test_whoever_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One server accepts the connection and sends nothing; another sends a byte now and then."""
    monkeypatch.setattr(outgoing, "WITHIN", 0.3)

    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(100):
            await asyncio.sleep(0.05)
            writer.write(b"x: y\r\n")
            try:
                await writer.drain()
            except OSError:
                break
        writer.close()
        done.set()

    done = asyncio.Event()
    async with await asyncio.start_server(drip, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(TimeoutError):
            await outgoing.send(f"http://127.0.0.1:{port}/", b"x", {}, "any")
        await done.wait()


async def test_what_is_answered_is_not_read() -> None:
    """A server that sends without end costs nothing."""
    sent = 0

    async def flood(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                await writer.drain()
                sent += 65536
        except OSError:
            writer.close()
            done.set()

    done = asyncio.Event()
    async with await asyncio.start_server(flood, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await outgoing.send(f"http://127.0.0.1:{port}/", b"x", {}, "any") == 200
        await done.wait()
    assert sent < 64 * 1024 * 1024
