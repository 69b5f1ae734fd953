"""Notifications on the page You: turned on, changed and turned off; with a service worker that shows what is pushed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, post
from tests.browser.test_me import fits
from tests.house.receiving import Inbox, plain
from tests.house.receiving import text as encoded
from tests.house.serving import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

# What the worker asks the browser to show: Chromium's headless shell shows no notifications, so it can't report them.
NOTED = """() => {
  self.noted = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, how) =>
    self.noted.push([title, how.body, how.tag, (how.actions ?? []).map((action) => action.title)]);
}"""


@pytest.mark.whole
def test_an_address_is_asked_confirmed_changed_and_ended(visit: Visit, house: Server, inbox: Inbox) -> None:
    inbox.got.clear()
    page = visit("/me", base=house.url)
    section = page.locator("#notifications")
    expect(section.locator(".places")).to_have_count(0)  # nothing before it was turned on
    section.get_by_text("By email").click()
    section.get_by_label("Email address").fill("ann@example.org")
    section.get_by_role("button", name="Send me email").click()
    expect(section.locator(".places")).to_contain_text("ann@example.org")
    expect(section.locator(".places")).to_contain_text("Notifications start once you confirm")
    for _ in range(600):
        if inbox.got:
            break
        page.wait_for_timeout(50)
    link = re.search(r"http://[\d.:]+(/told/\S+)", plain(inbox.got[-1]))
    assert link is not None
    page.goto(link[1])
    expect(page.get_by_role("heading", name="Confirm your email")).to_be_visible()
    check_access(page, "asked")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Notifications are on")).to_be_visible()
    page.goto(link[1])  # a second time, which ends nothing
    expect(page.get_by_role("button", name="Turn off")).to_be_visible()
    page.goto("/me")
    place = section.locator(".places li")
    expect(place.get_by_label("My turn")).to_be_checked()
    place.get_by_label("Chat").check()
    with page.expect_event("load"):  # reloaded from the house: the box is checked even before
        place.get_by_role("button", name="Save").click()
    expect(place.get_by_label("Chat")).to_be_checked()
    page.goto(link[1].partition("?")[0])  # a later email's link: one click is enough
    expect(page.get_by_role("heading", name="You’re unsubscribed")).to_be_visible()
    page.goto("/me")
    expect(section.locator(".places")).to_have_count(0)


@pytest.mark.whole
def test_the_places_fit_and_can_be_read(visit: Visit, house: Server) -> None:
    page = visit("/me", base=house.url, width=390)
    post(page, "/api/me/told", kind="hook", address="http://127.0.0.1:9/" + "a-long-way" * 9)
    page.reload()
    page.locator("#notifications").get_by_text("By email").click()
    page.locator("#notifications").get_by_text("By a webhook").click()
    expect(page.locator(".places li")).to_have_count(1)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        fits(page)
        check_access(page, f"places, {width}", themes=True)
    page.get_by_role("button", name="Turn off notifications: A webhook").press("Enter")
    expect(page.locator(".places")).to_have_count(0)


@pytest.mark.whole
def test_a_house_without_mail_shows_none(visit: Visit) -> None:
    page = visit("/me")
    expect(page.locator("#notifications")).to_be_visible()
    expect(page.get_by_text("By email")).to_have_count(0)


def test_this_browser_subscribes_and_its_worker_shows_what_is_pushed(visit: Visit, house: Server) -> None:
    """Only the push service is not real here: a browser uses only its own."""
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
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.locator(".places li")).to_contain_text("Chrom")
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda update: found.extend(
            one["registrationId"] for one in update["registrations"] if one["scopeURL"] == f"{house.url}/"
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
    worker = page.context.service_workers[0]
    worker.evaluate(NOTED)
    for _ in range(2):  # a repetition replaces the first, by its tag
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": f"{house.url}/", "registrationId": found[0], "data": json.dumps(data)},
        )
    for _ in range(200):
        if len(noted := worker.evaluate("() => self.noted")) == 2:
            break
        page.wait_for_timeout(25)
    assert noted == [["Your turn: Kuhn", "It is your turn with Bob.", "turn-x", ["Turn off"]]] * 2


def _point() -> list[int]:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    return list(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


POINT = _point()


CHANGED = """async ([before, address, p256dh, auth]) => {
  const asked = [];
  const real = self.fetch;
  self.fetch = (...all) => (asked.push(real(...all)), asked.at(-1));
  const event = new Event("pushsubscriptionchange");
  event.waitUntil = (work) => { event.work = work; };
  event.oldSubscription = { endpoint: before };
  event.newSubscription = { toJSON: () => ({ endpoint: address, keys: { p256dh, auth } }) };
  self.dispatchEvent(event);
  await event.work;
  self.fetch = real;
  return (await asked[0]).status;
}"""


@pytest.mark.whole
def test_a_browser_that_changes_its_subscription_says_so_by_itself(visit: Visit, house: Server) -> None:
    """The test sends the worker the event; its request to the house, and the answer, are real."""
    page = visit("/me", base=house.url, service_workers="allow")
    keys = {"p256dh": encoded(bytes(POINT)), "auth": encoded(bytes(16))}
    post(page, "/api/me/told", kind="push", address="http://127.0.0.1:9/old", chat=True, turn=False, **keys)
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 0)")
    (worker,) = page.context.service_workers
    worker.evaluate(NOTED)
    ways = [("old", "new", 200), ("old", "new", 200), ("old", "third", 404)]  # repeating it works; the old one is gone
    for before, address, status in ways:
        change = [f"http://127.0.0.1:9/{before}", f"http://127.0.0.1:9/{address}", keys["p256dh"], keys["auth"]]
        assert worker.evaluate(CHANGED, change) == status
        shown = worker.evaluate("() => self.noted.map(([title]) => title)")
        assert shown == ([] if status == 200 else ["Notifications have stopped"])  # the player must know it
    page.goto("/me")
    expect(page.locator(".places li")).to_have_count(1)
    expect(page.locator(".places").get_by_label("Chat")).to_be_checked()  # the choice is kept
    expect(page.locator(".places").get_by_label("My turn")).not_to_be_checked()


@pytest.mark.whole
def test_a_webhooks_secret_is_shown_as_it_is_set_up_and_never_again(visit: Visit, house: Server) -> None:
    page = visit("/me", base=house.url)
    page.get_by_text("By a webhook").click()
    form = page.locator("#notifications details", has=page.get_by_text("By a webhook"))
    form.get_by_label("Address").fill("http://127.0.0.1:9/hook")
    form.get_by_role("button", name="Turn on").click()
    expect(form.get_by_label("Secret of the webhook")).to_have_value(re.compile(r"^whsec_[\w+/]{43}=$"))
    page.reload()
    expect(page.locator(".places")).to_contain_text("A webhook")
    assert "whsec_" not in page.content()
