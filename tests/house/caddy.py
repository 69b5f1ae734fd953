"""A real Caddy with deploy/Caddyfile, if one is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.house.serving import free_port

FILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
NONE = pytest.mark.skipif(not shutil.which("caddy"), reason="no Caddy is installed, so nothing is run behind it")
WAIT = 60.0  # seconds


class Caddy:
    """A proxy for processes at these ports, with its own certificate for `localhost`."""

    def __init__(self, ports: list[int], folder: Path) -> None:
        self._folder, self.port = folder, free_port()
        self.url = f"https://localhost:{self.port}"
        self._environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder),
            "PARLOUR_HOST": f"localhost:{self.port}",
            "PARLOUR_UPSTREAMS": " ".join(f"127.0.0.1:{port}" for port in ports),
        }  # fmt: skip

    async def __aenter__(self) -> Caddy:
        config = self._folder / "caddy.json"
        config.write_text(json.dumps(self._config()))
        with (self._folder / "caddy.log").open("w") as log:
            self._process = await asyncio.create_subprocess_exec(
                "caddy", "run", "--config", config, env=self._environment, stdout=log, stderr=log
            )
        root = self._folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        end = time.monotonic() + WAIT
        while not (root.exists() and await self._answers(root)):
            assert self._process.returncode is None, (self._folder / "caddy.log").read_text()
            assert time.monotonic() < end, (self._folder / "caddy.log").read_text()
            await asyncio.sleep(0.05)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._process.kill()  # a graceful stop would wait for every open stream
        await self._process.wait()

    def _config(self) -> dict[str, Any]:
        """Return the file as Caddy reads it, but with our ports, and without touching the machine's certificates."""
        done = subprocess.run(
            ["caddy", "adapt", "--config", FILE, "--adapter", "caddyfile"],
            env=self._environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        config: dict[str, Any] = json.loads(done.stdout)
        config["admin"] = {"disabled": True}
        server = next(iter(config["apps"]["http"]["servers"].values()))
        server["automatic_https"] = {"disable_redirects": True}  # otherwise it also listens for plain HTTP
        config["apps"].setdefault("pki", {})["certificate_authorities"] = {"local": {"install_trust": False}}
        return config

    async def _answers(self, root: Path) -> bool:
        """Return whether it has a trusted certificate."""
        try:
            self.trusting = ssl.create_default_context(cafile=root)
            _, writer = await asyncio.open_connection("localhost", self.port, ssl=self.trusting)
        except OSError:  # includes ssl.SSLError
            return False
        writer.close()
        return True
