"""A small reverse proxy with TLS, like deploy/Caddyfile: it uses any process that answers, forwards streams at once,
and reports the client's address."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import ssl
import subprocess
from pathlib import Path

TRY_FOR = 10.0  # seconds
HIDDEN = b"/metrics"


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Create a certificate for `localhost`; return the server's context and one that trusts it."""
    key, made = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
               "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(made)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(made, key)
    return ours, ssl.create_default_context(cafile=made)


class Proxy:
    """A proxy that forwards requests to processes in turn, and skips one that does not answer."""

    def __init__(self, ports: list[int], folder: Path) -> None:
        self._ports = itertools.cycle(ports)
        self._context, self.trusting = certificate(folder)
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._context)
        self.url = f"https://localhost:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await self._answer(head, reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = head[:-4].split(b"\r\n")
        if first.split(b" ")[1].partition(b"?")[0] == HIDDEN:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        added = {b"x-forwarded-for": b"192.0.2.7", b"x-forwarded-proto": b"https", b"connection": b"close"}
        kept = [line for line in lines if line.partition(b":")[0].lower() not in added]
        length = next((int(line.partition(b":")[2]) for line in kept if line.lower().startswith(b"content-length:")), 0)
        body = await reader.readexactly(length)
        there, back = await self._connect()
        with contextlib.closing(back):
            back.write(b"\r\n".join([first, *kept, *(b": ".join(one) for one in added.items())]) + b"\r\n\r\n" + body)
            while data := await there.read(65536):
                writer.write(data)
                await writer.drain()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the next process that accepts; a request that no process has taken can go to another."""
        end = asyncio.get_running_loop().time() + TRY_FOR
        while True:
            try:
                return await asyncio.open_connection("127.0.0.1", next(self._ports))
            except OSError:
                if asyncio.get_running_loop().time() > end:
                    raise
                await asyncio.sleep(0.05)
