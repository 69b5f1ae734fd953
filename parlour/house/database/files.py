"""The file of an SQLite database: only its owner can read it, one server uses it under any name, and its loss is
noticed."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import struct
import sys
from pathlib import Path

from filelock import FileLock, Timeout

from parlour.house.errors import DatabaseUnreachable

log = logging.getLogger(__name__)
SECRET = 0o600  # it holds the keys of cookies, seeds and hidden cards
FOLDER = 0o700
BESIDE = ("-wal", "-shm", "-journal", ".lock")  # the suffixes of the files beside it
MAGIC = b"SQLite format 3\x00"
MB = 2**20
ROOM = 8 * MB  # bytes that must be free on the disk: the log of SQLite alone grows to 4 MB
# A byte far behind the end of any database, and behind those that SQLite itself locks.
_FAR = 2**62


def make_folder(folder: Path) -> None:
    """Create a folder that only its owner can enter, and its parents; an existing one stays as it is."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(FOLDER, exist_ok=True)
    folder.chmod(FOLDER)  # whatever the umask is


def make_secret(path: Path, *, new: bool = False) -> int:
    """Open a file that only its owner can read, for reading and writing; return its descriptor. With `new` it must not
    exist. Raises OSError."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | (os.O_EXCL if new else 0), SECRET)
    narrow(path)
    return handle


def narrow(path: Path) -> None:
    """Remove everyone else's permissions from an existing file, and log it."""
    if os.name != "posix":  # elsewhere the folder of the person protects it
        return
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(SECRET)
            log.warning("Other users could read %s (%03o). Now only its owner can (%03o).", path, mode, SECRET)
        elif mode != SECRET and not path.stat().st_size:  # just made, under an odd umask
            path.chmod(SECRET)
    except FileNotFoundError:
        pass
    except PermissionError:
        log.warning("%s contains secrets but belongs to another user, who controls access to it.", path)


class HeldFile:
    """A database's file that this process holds exclusively until `release` or its own end, however it ends. Raises
    DatabaseUnreachable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None
        if "\0" in str(path):
            raise DatabaseUnreachable("A file name can't contain the character NUL.")
        real = Path(os.path.realpath(path))  # `Path.resolve` fails at links in a circle
        try:
            make_folder(real.parent)
            self._lock = self._lock_name(real)
        except OSError as error:
            raise _cannot_open(path, error) from None
        try:
            self._take(real)
        except OSError as error:
            self.release()
            raise _cannot_open(path, error) from None
        except BaseException:
            self.release()
            raise

    def _lock_name(self, real: Path) -> FileLock:
        lock = FileLock(f"{real}.lock", timeout=0, thread_local=False, mode=SECRET, fallback_to_soft=False)
        try:
            lock.acquire()
        except Timeout:
            raise DatabaseUnreachable(_taken(self.path)) from None
        except (OSError, NotImplementedError) as error:
            if isinstance(error, NotImplementedError) or error.errno in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP):
                raise DatabaseUnreachable(
                    f"{real.parent} is on a file system without locks, such as some network drives. SQLite isn't safe "
                    "there, and two servers could open the same file. Choose a file on a local disk, or use "
                    "PostgreSQL."
                ) from None
            raise
        return lock

    def _take(self, real: Path) -> None:
        """Open the file and lock it itself: a name that is mounted elsewhere leads to the same file, but not to the
        same lock file."""
        if real.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if real.exists() and real.stat().st_nlink > 1:
            raise DatabaseUnreachable(
                f"{self.path} has other names (hard links). A server using another name wouldn't find the log next to "
                "it, and moves would be lost. Remove the other names, or copy the file and serve the copy."
            )
        self._handle = make_secret(real)
        for end in BESIDE:
            narrow(Path(f"{real}{end}"))
        if not _lock_inode(self._handle):
            raise DatabaseUnreachable(_taken(self.path))
        found = os.fstat(self._handle)
        self._identity, self._size = (found.st_dev, found.st_ino), found.st_size

    def release(self) -> None:
        """Release the file. SQLite must have closed it before, because closing our handle drops its locks."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        self._lock.release()

    def trouble(self) -> str:
        """Return why a write now would be lost, as a sentence; "" as long as the file is the same. Only the writer may
        call it, because a write in progress changes the file."""
        assert self._handle is not None
        try:
            found = os.stat(self.path)
        except OSError as error:
            return f"The house's database {self.path} is missing ({error.strerror}). {_MEND}"
        if (found.st_dev, found.st_ino) != self._identity:
            return f"The house's database {self.path} was replaced by another file. {_MEND}"
        if found.st_size < self._size and _cut_off(os.pread(self._handle, 32, 0), found.st_size):
            return f"The house's database {self.path} was truncated by another program. {_MEND}"
        self._size = found.st_size
        return ""

    def lack(self) -> str:
        """Return why the database can't grow, as a sentence; "" as long as the disk has space. (A short write may still
        work, because SQLite reuses its log.)"""
        free = shutil.disk_usage(self.path.parent).free
        if free >= ROOM:
            return ""
        return (
            f"The disk of {self.path} is full: {free // MB} MB are free, but {ROOM // MB} MB are needed. Free some "
            "space."
        )


_MEND = "Nothing is saved until the file is back or the house is restarted."


def _taken(path: Path) -> str:
    return (
        f"Another Parlour is already serving {path}. Stop it first, or choose another file. Several processes can "
        "share a PostgreSQL database."
    )


def _cannot_open(path: Path, error: OSError) -> DatabaseUnreachable:
    return DatabaseUnreachable(f"{path}: unable to open the database file: {error.strerror or error}.")


def _cut_off(header: bytes, size: int) -> bool:
    """Return whether a file of this size lacks pages that its header counts. (Another program may also have shrunk it
    properly, with VACUUM.)"""
    if not header.startswith(MAGIC) or len(header) < 32:
        return True
    page, pages = struct.unpack(">H", header[16:18])[0], struct.unpack(">I", header[28:32])[0]
    return bool(size < pages * (65536 if page == 1 else page))


def _lock_inode(handle: int) -> bool:
    """Lock the file itself, where the system has locks that belong to an open file and not to a process: the latter end
    when anything in the process closes the file. Return False if another process has it."""
    if sys.platform != "linux":
        return True
    import fcntl

    wanted = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, _FAR, 1, 0)
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, wanted)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)  # other errors: no such locks there
    return True
