"""Which extra of the package brings a module that is not installed.

`pip install parlour` has what the library needs, and the command line and the house need more.
"""

from __future__ import annotations

MODULES = {  # extra -> the modules that it brings, as `pyproject.toml` names their packages
    "cli": ("openskill", "rich", "typer"),
    "table": (
        "aiohttp", "aiosmtplib", "alembic", "argon2", "asyncpg", "brotli", "cryptography", "httptools", "icalendar",
        "itsdangerous", "jinja2", "litestar", "markdown_it", "mdit_py_plugins", "prometheus_client", "py4swiss",
        "py_vapid", "pywebpush", "redis", "segno", "sqlalchemy", "uvicorn", "uvloop", "webauthn", "zstandard",
    ),
    "data": ("polars",),
    "rl": ("gymnasium", "pettingzoo"),
    "open-spiel": ("pyspiel",),
    "ray": ("ray",),
}  # fmt: skip


def missing(error: BaseException) -> str:
    """Return what to install where a module of an extra is missing, in one sentence; "" for any other error."""
    if not isinstance(error, ModuleNotFoundError):
        return ""
    name = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in MODULES.items() if name in modules), "")
    return f"This needs {name}, which is not installed; pip install 'parlour[{extra}]' installs it." if extra else ""
