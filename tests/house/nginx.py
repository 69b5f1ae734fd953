"""A real nginx with deploy/nginx.conf, if one is installed."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import ssl
import time
from pathlib import Path

import pytest

from tests.house.proxy import certificate
from tests.house.serving import free_port

FILE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
PATH = f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin"  # Debian's place for it, which is in few users' PATH
PROGRAM = shutil.which("nginx", path=PATH)
NONE = pytest.mark.skipif(PROGRAM is None, reason="no nginx is installed, so nothing is run behind it")
WAIT = 60.0  # seconds
AROUND = """{user}daemon off; pid {folder}/pid; error_log {folder}/nginx.log; worker_processes 1;
events {{ worker_connections 4096; }}
http {{ access_log off; {temporary} include {folder}/parlour.conf; }}
"""


def adapted(folder: Path, ports: list[int], port: int) -> str:
    """Return the shipped file with our ports, name and certificate in place of an operator's."""
    text = FILE.read_text("utf-8")
    servers = "\n".join(f"\tserver 127.0.0.1:{one} max_fails=0;" for one in ports)
    for pattern, instead in (
        (r"^\tserver 127\.0\.0\.1:8000 max_fails=0;$", servers),
        (r"^\tlisten 443 ssl http2;$", f"\tlisten 127.0.0.1:{port} ssl http2;"),
        (r"^\tlisten 80;$", f"\tlisten 127.0.0.1:{free_port()};"),
        (r"^\tlisten \[::\]:.*\n", ""),
        (r"/etc/letsencrypt/live/games\.example/fullchain\.pem", f"{folder}/certificate.pem"),
        (r"/etc/letsencrypt/live/games\.example/privkey\.pem", f"{folder}/key.pem"),
        (r"(server_name) games\.example;", r"\1 localhost;"),
    ):
        text, number = re.subn(pattern, instead, text, flags=re.M)
        assert number, pattern
    return text


class Nginx:
    """A proxy for processes at these ports, with a certificate for `localhost`."""

    def __init__(self, ports: list[int], folder: Path) -> None:
        self._folder, self.port = folder, free_port()
        self.url = f"https://localhost:{self.port}"
        _, self.trusting = certificate(folder)
        (folder / "parlour.conf").write_text(adapted(folder, ports, self.port))
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        (folder / "nginx.conf").write_text(
            AROUND.format(user="user root;" * (os.getuid() == 0), folder=folder, temporary=temporary)
        )

    async def __aenter__(self) -> Nginx:
        assert PROGRAM is not None
        with (self._folder / "nginx.log").open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                PROGRAM, "-c", self._folder / "nginx.conf", "-e", self._folder / "nginx.log", stdout=log, stderr=log
            )
        end = time.monotonic() + WAIT
        while not await self._answers():
            assert self._process.returncode is None, (self._folder / "nginx.log").read_text()
            assert time.monotonic() < end, (self._folder / "nginx.log").read_text()
            await asyncio.sleep(0.05)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._process.terminate()  # at once: only SIGQUIT would make it wait for streams
        await self._process.wait()

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("localhost", self.port, ssl=self.trusting)
        except (OSError, ssl.SSLError):
            return False
        writer.close()
        return True
