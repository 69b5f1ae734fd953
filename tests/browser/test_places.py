"""The page You: where one is told, set up, changed and ended; with a worker that shows what is pushed."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, post
from tests.browser.test_me import fits
from tests.table.receiving import Letters, mail_server
from tests.table.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
  (one) => [one.title, one.body, one.tag, one.actions.map((action) => action.title)])"""


@pytest.fixture(scope="module")
def letters() -> Iterator[Letters]:
    """A mail server in a thread of its own, as the browser's tests have no loop."""
    ready, end = threading.Event(), threading.Event()
    made: list[Letters] = []

    async def serve() -> None:
        async with mail_server() as server:
            made.append(server)
            ready.set()
            await asyncio.to_thread(end.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait(30)
    yield made[0]
    end.set()
    thread.join()


@pytest.fixture(scope="module")
def house(cradle: Nursery, tmp_path_factory: pytest.TempPathFactory, letters: Letters) -> Server:
    """A house that sends mail, at once, and webhooks to anywhere."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return cradle.start(
        database=f"sqlite:///{tmp_path_factory.mktemp('told') / 'parlour.db'}", mail=letters.url, port=port,
        mail_from="house@house.test", base_url=f"http://127.0.0.1:{port}", grace=0.05, outside="any",
    )  # fmt: skip


def test_a_mailbox_is_asked_confirmed_changed_and_ended(visit: Visit, house: Server, letters: Letters) -> None:
    letters.got.clear()
    page = visit("/me", base=house.url)
    told = page.locator("#told")
    expect(told.locator(".places")).to_have_count(0)  # nothing before it is asked for
    told.get_by_text("By mail").click()
    told.get_by_label("Mailbox").fill("ann@example.org")
    told.get_by_role("button", name="Tell me there").first.click()
    expect(told.locator(".places")).to_contain_text("ann@example.org")
    expect(told.locator(".places")).to_contain_text("A letter asks you there")
    for _ in range(600):
        if letters.got:
            break
        page.wait_for_timeout(50)
    link = re.search(r"http://[\d.:]+(/told/\S+)", letters.got[-1].get_content())
    assert link is not None
    page.goto(link[1])
    expect(page.get_by_role("heading", name="To be told here?")).to_be_visible()
    check_access(page, "asked")
    page.get_by_role("button", name="Yes, tell me there").click()
    expect(page.get_by_role("heading", name="You are told here")).to_be_visible()
    page.goto(link[1])  # once more, which ends nothing
    expect(page.get_by_role("button", name="No more of it")).to_be_visible()
    page.goto("/me")
    place = told.locator(".places li")
    expect(place.get_by_label("My turn")).to_be_checked()
    place.get_by_label("Chat").check()
    place.get_by_role("button", name="Save").click()
    page.wait_for_load_state()
    expect(place.get_by_label("Chat")).to_be_checked()
    page.goto(link[1].partition("?")[0])  # a later letter's link: one click is enough
    expect(page.get_by_role("heading", name="Nothing more is sent")).to_be_visible()
    page.goto("/me")
    expect(told.locator(".places")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_places_fit_and_can_be_read(visit: Visit, house: Server, width: int, scheme: str) -> None:
    page = visit("/me", base=house.url, width=width, color_scheme=scheme)
    post(page, "/api/me/told", kind="hook", address="http://127.0.0.1:9/" + "a-long-way" * 9)
    page.reload()
    page.locator("#told").get_by_text("By mail").click()
    page.locator("#told").get_by_text("By a webhook").click()
    expect(page.locator(".places li")).to_have_count(1)
    fits(page)
    check_access(page, "places")
    page.get_by_role("button", name="Tell nothing more to A webhook").press("Enter")
    expect(page.locator(".places")).to_have_count(0)


def test_a_house_without_mail_shows_none(visit: Visit) -> None:
    page = visit("/me")
    expect(page.locator("#told")).to_be_visible()
    expect(page.get_by_text("By mail")).to_have_count(0)


def test_this_browser_subscribes_and_its_worker_shows_what_is_pushed(visit: Visit, house: Server) -> None:
    """The push service is the one part that is not real here: a browser has its own, and no other."""
    page = visit("/me", base=house.url, permissions=["notifications"], service_workers="allow")
    page.add_init_script(
        """
      const key = Uint8Array.from(KEY), auth = new Uint8Array(16);
      PushManager.prototype.subscribe = async function (how) {
        window.asked = [how.userVisibleOnly, how.applicationServerKey.length];
        return { endpoint: "http://127.0.0.1:9/push", getKey: (name) => (name === "auth" ? auth : key).buffer };
      };
    """.replace("KEY", json.dumps(POINT))
    )
    page.goto("/me")
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.locator(".places li")).to_contain_text("Chrom")
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(
            one["registrationId"] for one in told["registrations"] if one["scopeURL"] == f"{house.url}/"
        ),
    )
    session.send("ServiceWorker.enable")
    for _ in range(200):
        if found:
            break
        page.wait_for_timeout(25)
    data = {
        "title": "Your turn: Kuhn",
        "text": "It is your turn with Bob.",
        "path": "/t/x",
        "tag": "turn-x",
        "end": "y",
    }
    for _ in range(2):  # the same once more takes its place
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": f"{house.url}/", "registrationId": found[0], "data": json.dumps(data)},
        )
    for _ in range(200):
        if shown := page.evaluate(SHOWN):
            break
        page.wait_for_timeout(25)
    assert shown == [["Your turn: Kuhn", "It is your turn with Bob.", "turn-x", ["No more of these"]]]


def _point() -> list[int]:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    return list(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


POINT = _point()
