"""Hostile clients at a real server: partial requests, slow ones, endless ones, and connections without any."""

from __future__ import annotations

import itertools
import json
import os
import re
import resource
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from parlour.core.errors import ParlourError
from parlour.house.app import STREAMS
from parlour.house.http import door, places
from parlour.house.http.descriptors import RESERVED
from parlour.house.http.refusals import MAX_BODY
from parlour.house.serve import run
from parlour.house.settings import Settings
from tests.house.serving import Nursery, Server

WAIT = 30  # seconds
HALF = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
QUICK = {"HEAD_WITHIN": 1.0, "BODY_WITHIN": 1.0, "TAKEN_WITHIN": 1.0, "LINGER": 0.5, "IDLE": 3}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("door") / "log"
    made.touch()
    return made


@pytest.fixture(scope="module", params=[
    pytest.param((), id="httptools"), pytest.param(("httptools", "uvloop"), id="h11", marks=pytest.mark.whole),
])  # fmt: skip
def nursery(cradle: Nursery, request: pytest.FixtureRequest) -> Iterator[Nursery]:
    made, first = (Nursery(missing=request.param), 0) if request.param else (cradle, len(cradle.servers))
    yield made
    made.clear(first)
    if made is not cradle:
        made.close()


@pytest.fixture(scope="module")
def server(nursery: Nursery, log: Path, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Start a server with the default limits and short timeouts."""
    database = f"sqlite:///{tmp_path_factory.mktemp('door') / 'parlour.db'}"
    return nursery.start(database=database, limits=True, deadlines=QUICK, said=str(log))


@pytest.fixture(autouse=True)
def nothing_goes_wrong(log: Path) -> Iterator[None]:
    """Check after the test that the server made no error, and logged only a few lines."""
    before = log.stat().st_size
    yield
    said = log.read_bytes()[before:]
    assert b"Traceback" not in said, said.decode()
    assert len(said) < 4096, said.decode()


@pytest.fixture
def knock(server: Server) -> Iterator[Callable[..., socket.socket]]:
    """Yield a function that opens connections: knock(what is sent at once, the sender's address)."""
    with ExitStack() as stack:

        def one(sent: bytes = b"", whence: str = "127.0.0.1", house: Server = server) -> socket.socket:
            there = ("127.0.0.1", int(house.url.rpartition(":")[2]))
            made = stack.enter_context(socket.create_connection(there, WAIT, (whence, 0)))
            made.sendall(sent)
            return made

        yield one


def heard(connection: socket.socket) -> bytes:
    """Return everything until the other side closes."""
    received = b""
    while True:
        try:
            more = connection.recv(65536)
        except ConnectionResetError:
            return received
        if not more:
            return received
        received += more


def refusal(received: bytes) -> tuple[int, str]:
    """Return the status and the sentence of a refusal by the server itself."""
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    return int(head.split()[1]), json.loads(body)["error"]["message"]


def descriptors(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def connections(server: Server) -> int:
    """Count its sockets, without the files of the database and of the log."""
    folder, found = f"/proc/{server.pid}/fd", 0
    for name in os.listdir(folder):
        with suppress(OSError):
            found += os.readlink(f"{folder}/{name}").startswith("socket:")
    return found


def memory(server: Server) -> int:
    """Return its memory, or the most it ever had, in kilobytes."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text("ascii"))
    assert found
    return int(found[1])


def until(good: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not good():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_tables_in_the_modules_say_what_is_so() -> None:
    listed = [line.split("|")[2].strip() for line in (door.__doc__ or "").splitlines() if line.startswith("| ")][1:]
    assert listed == [
        f"{door.HEAD_WITHIN:g} s",
        f"{door.BODY_WITHIN:g} s",
        f"{door.MAX_HEAD // 1024} KB",
        f"{MAX_BODY // 1024} KB",
        f"{door.PIPELINED}",
        f"{door.TAKEN_WITHIN:g} s",
        f"{door.FROM_AN_ADDRESS}",
        f"{Settings().connections:,}",
    ]
    assert f"less {RESERVED})" in (door.__doc__ or "")
    listed = [line.split("|")[2].strip() for line in (places.__doc__ or "").splitlines() if line.startswith("| ")][1:]
    assert listed == [str(places.OF_A_GUEST), str(places.AT_AN_ADDRESS), "three quarters of the connections"]
    assert STREAMS == 75


# Partial requests ------------------------------------------------------------------------------
def test_who_does_not_finish_a_request_is_sent_away(knock: Callable[..., socket.socket]) -> None:
    silent, *knocking = [knock(sent) for sent in (b"", b"G", HALF, b"GET / HTTP/1.1\r\nHost: x\r\n")]
    for connection in knocking:
        assert refusal(heard(connection)) == (408, "The rest of the request didn't arrive in time.")
    assert heard(silent) == b""


def test_who_says_a_word_now_and_then_is_sent_away_too(knock: Callable[..., socket.socket]) -> None:
    """uvicorn restarts its timeout with each byte, or has none."""
    connection = knock(HALF)
    connection.settimeout(0.1)
    began, received = time.monotonic(), b""
    while time.monotonic() < began + WAIT:
        try:
            connection.sendall(b"a")
            received += connection.recv(65536)
            if received:
                break
        except TimeoutError:
            continue
        except OSError:
            break
    assert refusal(received)[0] == 408


def test_the_next_request_has_its_own_time(knock: Callable[..., socket.socket]) -> None:
    connection = knock(b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    connection.sendall(HALF)
    assert refusal(b"HTTP" + heard(connection).rpartition(b"HTTP")[2])[0] == 408


def test_a_body_that_does_not_come_is_not_waited_for(knock: Callable[..., socket.socket]) -> None:
    head = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    lengths = (b"Content-Length: 50", b"Transfer-Encoding: chunked")
    for connection in [knock(head + length + b"\r\n\r\n") for length in lengths]:
        assert refusal(heard(connection))[0] == 408


def test_what_comes_after_the_answer_keeps_no_connection_open(
    knock: Callable[..., socket.socket], server: Server
) -> None:
    """If a body arrives after its request was answered, uvicorn forgets to end the connection."""
    knocking = []  # all at once: each lasts until its timeout
    for later in (b"y", b"y" * 9, b"y" * 9 + HALF):
        knocking.append(connection := knock(b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx"))
        assert connection.recv(65536).startswith(b"HTTP/1.1 404")
        connection.sendall(later)
    for connection in knocking:
        assert b"HTTP/1.1 200" not in heard(connection)  # returns only if the connection ends
    with httpx.Client(base_url=server.url, timeout=WAIT) as client:
        for _ in range(3):  # and honest requests still use the connection
            assert client.post("/nowhere", content=b"x" * 60_000).status_code == 404


def test_a_long_body_that_comes_after_its_answer_is_no_head(knock: Callable[..., socket.socket]) -> None:
    connection = knock(b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}}"):
        answer += connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 404")
    for _ in range(60):
        connection.sendall(b"y" * 1_000)
    connection.sendall(b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200")


def test_a_body_is_no_request(knock: Callable[..., socket.socket]) -> None:
    """A proxy that forwards the request for another protocol, as Caddy does, takes what follows for a body. If we
    answered it, the proxy would send that answer to the next client on the connection, and theirs to the one after."""
    inner = b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n"
    lengths = (b"Content-Length: %d" % len(inner), b"Transfer-Encoding: chunked")
    knocking = []  # all at once: each is listened to until its time is up
    for protocol, length in itertools.product((b"websocket", b"h2c"), lengths):
        head = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n"
        connection = knock(head + length + b"\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 404")
        with suppress(OSError):
            connection.sendall(b"%x\r\n%b\r\n0\r\n\r\n" % (len(inner), inner) if b"chunked" in length else inner)
        knocking.append((protocol, length, connection))
    for protocol, length, connection in knocking:
        assert b"HTTP/1.1" not in heard(connection), (protocol, length)


# Too much --------------------------------------------------------------------------------------
def test_a_hundred_megabytes_are_cut_off(knock: Callable[..., socket.socket], server: Server) -> None:
    size = 100_000_000

    def heap(path: bytes, chunked: bool) -> None:
        length = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % size if chunked else b"Content-Length: %d\r\n\r\n" % size
        connection = knock(path + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + length)
        sent = 0
        with suppress(OSError):
            while sent < size:
                sent += connection.send(b"a" * 65536)
        assert sent < size / 4  # what fits into the system's buffers on both sides
        received = heard(connection)
        statuses = [int(line.split()[1]) for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
        assert statuses in ([413], [200], [404])

    ways = list(itertools.product((b"POST /api/me", b"GET /", b"POST /nowhere"), (False, True)))
    with ThreadPoolExecutor(len(ways)) as pool:  # all at once: each is read until its timeout
        list(pool.map(lambda way: heap(*way), ways))
    until(lambda: descriptors(server) < 60)


def test_what_is_a_little_too_large_is_refused_in_words(server: Server) -> None:
    for size, status in ((60_000, 400), (70_000, 413), (3_000_000, 413)):
        answer = httpx.post(
            f"{server.url}/api/me", content=b'"' + b"x" * size + b'"', headers={"content-type": "application/json"}
        )
        assert answer.status_code == status
        assert answer.json()["error"]["message"].endswith(".")


def test_headers_without_end_are_refused(knock: Callable[..., socket.socket]) -> None:
    for sent in (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: " + b"a" * 100_000, b"GET /" + b"a" * 100_000):
        assert refusal(heard(knock(sent))) == (431, "The headers are too long: the limit is 32 KB.")
    whole = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"a" * 1000) for i in range(60)) + b"\r\n"
    assert refusal(heard(knock(whole)))[0] == 431


def test_ten_thousand_requests_at_once_are_not_kept_in_memory(
    knock: Callable[..., socket.socket], server: Server, request: pytest.FixtureRequest
) -> None:
    """httptools reads ahead, so the connection ends after some answers. h11 reads one request at a time, and answers
    them all."""
    number = 1000 if request.node.callspec.params["nursery"] else 10_000
    before = memory(server)
    connection = knock()
    connection.settimeout(WAIT)
    with suppress(OSError):
        connection.sendall(b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n" * (number - 1))
        connection.sendall(b"GET /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    received = heard(connection)
    assert 1 <= received.count(b"HTTP/1.1 ") <= number
    assert b"HTTP/1.1 5" not in received
    assert memory(server) < before + 20_000


# Invalid requests ------------------------------------------------------------------------------
NO_REQUESTS = [
    b"hello\r\n\r\n",
    b"\x00" * 100,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)),
    b"GET / HTTP/1.1\r\nHost: x\r\nHost\x00: y\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\x01y\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET \xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET x HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http://[/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /%zz HTTP/1.1\r\nHost: x:abc\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
    b"GET http://other.test/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n",
]


def test_whatever_comes_is_answered_or_ended(knock: Callable[..., socket.socket], server: Server) -> None:
    knocking = [(sent, knock(sent)) for sent in NO_REQUESTS]  # all at once: most last until their timeout
    for sent, connection in knocking:
        received = heard(connection)
        print(sent[:60], received[:60])
        assert not received or 100 <= int(received.split()[1]) < 500, (sent, received[:200])
    assert httpx.get(f"{server.url}/api/me").status_code == 200


def test_tls_on_the_plain_port_is_refused(server: Server) -> None:
    with pytest.raises(httpx.ConnectError):
        httpx.get(server.url.replace("http:", "https:"), verify=ssl.create_default_context())


@pytest.mark.parametrize("times", [300])
def test_nonsense_by_the_hundred_has_a_line_a_second(knock: Callable[..., socket.socket], times: int) -> None:
    for _ in range(times):
        with knock(b"nonsense\r\n\r\n") as connection:
            heard(connection)


def test_a_client_that_shuts_its_side_or_breaks_off_does_no_harm(
    knock: Callable[..., socket.socket], server: Server
) -> None:
    for sent in (
        b"",
        HALF,
        b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab",
    ):
        half = knock(sent)
        half.shutdown(socket.SHUT_WR)
        assert b"HTTP/1.1 5" not in heard(half)
        torn = knock(sent)
        torn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        torn.close()  # a reset, not a normal close
    assert httpx.get(f"{server.url}/api/me").status_code == 200


# Too many --------------------------------------------------------------------------------------
@pytest.fixture
def narrow(nursery: Nursery, log: Path, tmp_path: Path) -> Server:
    """Start a house in a system with few descriptors: its limit is half of 512 at first, which it raises."""
    return nursery.start(
        database=f"sqlite:///{tmp_path}/parlour.db", limits=True, said=str(log),
        descriptors=512, deadlines={"HEAD_WITHIN": 5.0},
    )  # fmt: skip


@pytest.mark.parametrize("addresses", [pytest.param(1, marks=pytest.mark.whole), 100])
def test_eleven_hundred_half_requests_keep_nobody_out(narrow: Server, log: Path, addresses: int) -> None:
    before, size = descriptors(narrow), log.stat().st_size
    assert resource.prlimit(narrow.pid, resource.RLIMIT_NOFILE) == (512, 512)
    port = int(narrow.url.rpartition(":")[2])
    source = httpx.HTTPTransport(local_address="127.0.1.1")
    with ExitStack() as stack, httpx.Client(base_url=narrow.url, transport=source, timeout=WAIT) as ann:
        table = ann.post("/api/tables", json={"game": "fortune", "seats": [{"kind": "me"}, {"kind": "here"}]}).json()[
            "id"
        ]
        stream = stack.enter_context(ann.stream("GET", f"/api/tables/{table}/events"))
        page = stream.iter_lines()
        assert next(page)
        knocking = []
        for number in range(1100):
            half = stack.enter_context(socket.socket())
            half.settimeout(WAIT)
            half.bind((f"127.0.0.{2 + number % addresses}", 0))
            with suppress(OSError):
                half.connect(("127.0.0.1", port))
                half.sendall(HALF)
            knocking.append(half)
            if number % 50 == 0:  # others come, and can play
                seen = ann.get(f"/api/tables/{table}").json()
                move = {"move": seen["legal"][0], "version": seen["table"]["version"]}
                assert ann.post(f"/api/tables/{table}/moves", json=move).status_code == 200
                with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.2.2"), timeout=WAIT) as bob:
                    assert bob.get(narrow.url).status_code == 200
        assert descriptors(narrow) < 512 - 30  # and some are left for the house itself
        assert any("update" in next(page) for _ in range(20))
        until(lambda: descriptors(narrow) <= before + 30)  # the deadline has passed
        assert ann.get("/").status_code == 200
    assert log.stat().st_size - size < 4096


def test_a_browser_s_worth_of_connections_is_one_address_s_due(
    knock: Callable[..., socket.socket], server: Server
) -> None:
    crowd = [knock(whence="127.0.3.1") for _ in range(210)]
    received = [heard(one) for one in crowd[200:]]
    assert {refusal(one)[0] for one in received} == {503}
    assert b"retry-after" in received[0]
    assert httpx.get(server.url).status_code == 200  # another address


def test_without_descriptors_it_backs_off_and_says_so_once_a_second(narrow: Server, log: Path) -> None:
    """Other programs may use them up. Open connections continue, and new ones too once some are free again."""
    size, soft = log.stat().st_size, descriptors(narrow) + 3
    port = int(narrow.url.rpartition(":")[2])
    with ExitStack() as stack, httpx.Client(base_url=narrow.url, timeout=WAIT) as ann:
        assert ann.get("/api/me").status_code == 200
        resource.prlimit(narrow.pid, resource.RLIMIT_NOFILE, (soft, 512))
        for _ in range(100):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port), WAIT))
            with suppress(OSError):
                half.sendall(HALF)
        for _ in range(30):
            assert ann.get("/api/me").status_code == 200
            time.sleep(0.05)
        resource.prlimit(narrow.pid, resource.RLIMIT_NOFILE, (512, 512))
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.2.2"), timeout=WAIT) as bob:
            assert bob.get(narrow.url).status_code == 200
    assert log.stat().st_size - size < 4096


def test_who_takes_nothing_of_what_they_are_sent_is_ended(server: Server) -> None:
    """A page that does not read fills the buffers of both systems; then the server notices."""
    port = int(server.url.rpartition(":")[2])
    before = connections(server)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(WAIT)
        deaf.bind(("127.0.4.1", 0))
        deaf.connect(("127.0.0.1", port))
        asked = b"GET /rules/fortune HTTP/1.1\r\nHost: x\r\n\r\n"
        ended = time.monotonic() + WAIT
        with suppress(OSError):
            while time.monotonic() < ended:
                deaf.sendall(asked * 4)
                time.sleep(0.05)
        until(lambda: connections(server) <= before)


def unread(server: Server, stack: ExitStack, deaf: int, least: int) -> None:
    """Chat at a table that `deaf` pages have open without reading, until each has been sent `least` bytes. Another page
    does read: it gets every line before the next is sent."""
    port = int(server.url.rpartition(":")[2])
    ann = stack.enter_context(httpx.Client(base_url=server.url, timeout=WAIT))
    table = ann.post("/api/tables", json={"game": "fortune", "seats": [{"kind": "me"}, {"kind": "here"}]}).json()["id"]
    for _ in range(deaf):
        page = stack.enter_context(socket.socket())
        page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        page.settimeout(WAIT)
        page.connect(("127.0.0.1", port))
        page.sendall(b"GET /api/tables/%b/events HTTP/1.1\r\nHost: x\r\n\r\n" % table.encode())
    reader = stack.enter_context(ann.stream("GET", f"/api/tables/{table}/events", headers={"Accept-Encoding": ""}))
    lines, sent, number = reader.iter_lines(), 0, 0
    while sent < least:  # a page that takes no changes gets the whole chat each time
        number += 1
        assert ann.post(f"/api/tables/{table}/chat", json={"text": f"({number})" + "<" * 290}).is_success
        for line in lines:
            sent += len(line)
            if f"({number})" in line:
                break


def test_pages_that_are_not_read_take_little_memory_and_hold_up_nobody(
    nursery: Nursery, tmp_path: Path, size: Callable[[int, int], int]
) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")
    with ExitStack() as stack:
        unread(server, stack, deaf=1, least=2_000_000)
        before = memory(server)
        # 96 MB together, in the long form 240 MB; some of it is in the system's buffers.
        unread(server, stack, deaf=size(12, 30), least=8_000_000)
        assert memory(server) < before + 30_000


def test_pages_that_are_not_read_are_ended(nursery: Nursery, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", deadlines=QUICK)
    before = connections(server)
    with ExitStack() as stack:
        unread(server, stack, deaf=size(4, 10), least=8_000_000)
        until(lambda: connections(server) <= before + 2)  # those of the player, whose page reads


@pytest.fixture
def behind(nursery: Nursery, log: Path, tmp_path: Path) -> Server:
    """Start a house behind proxies in one network."""
    database = f"sqlite:///{tmp_path}/parlour.db"
    return nursery.start(database=database, limits=True, proxies=["127.0.5.0/24"], said=str(log))


def test_a_proxy_s_connections_are_not_one_address_s(knock: Callable[..., socket.socket], behind: Server) -> None:
    for number in range(210):
        asked = b"GET /api/me HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.%d\r\n\r\n" % (number % 200)
        assert knock(asked, "127.0.5.7", behind).recv(65536).startswith(b"HTTP/1.1 200"), number


def test_what_a_proxy_says_is_believed_and_what_others_say_is_not(behind: Server) -> None:
    with ExitStack() as stack:

        def visitor(whence: str) -> httpx.Client:
            transport = httpx.HTTPTransport(local_address=whence)
            return stack.enter_context(httpx.Client(base_url=behind.url, transport=transport, timeout=WAIT))

        def used_up(client: httpx.Client, form: str) -> int:
            """Return how many hints new guests could request until the address's budget was used up."""
            for number in range(1000):
                client.cookies.clear()
                answer = client.post("/api/tables/x/hint", headers={"X-Forwarded-For": form.format(number % 250)})
                if answer.status_code == 429:
                    return number
            raise AssertionError("each counts as an address of its own")

        proxy, other = visitor("127.0.5.7"), visitor("127.0.6.1")
        # A client that is not a proxy counts as one address, with any header.
        assert used_up(other, "198.51.100.{}") >= 60
        # Behind the proxy each client has its own address; a forged one comes before the one that the proxy adds.
        assert used_up(proxy, "198.51.100.{}, 203.0.113.9") >= 60
        proxy.cookies.clear()
        assert proxy.post("/api/tables/x/hint", headers={"X-Forwarded-For": "203.0.113.10"}).status_code == 400
        for client, secure in ((proxy, True), (other, False)):
            client.cookies.clear()
            cookie = client.get("/api/me", headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"]
            assert ("; secure" in cookie.lower()) == secure


def test_a_proxy_that_is_no_address_is_said() -> None:
    with pytest.raises(ParlourError, match="'caddy' isn't a valid proxy address"):
        run(Settings(port=0, proxies=("127.0.0.1", "caddy")))
