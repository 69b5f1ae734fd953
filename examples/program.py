"""Play a whole game at a house of Parlour, knowing only what its OpenAPI document (GET /schema) publishes.

PARLOUR_TOKEN=parlour_... python examples/program.py http://127.0.0.1:8000 GAME [RULESET]
"""

import json
import os
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

HOUSE, GAME, *RULESET = sys.argv[1:]
HEADERS = {"Authorization": f"Bearer {os.environ['PARLOUR_TOKEN']}", "Content-Type": "application/json"}


def ask(path, body=None):
    try:
        return urlopen(Request(HOUSE + path, json.dumps(body).encode() if body else None, HEADERS))
    except HTTPError as refusal:
        if refusal.code == 429:  # too fast: the house says for how long to wait
            time.sleep(int(refusal.headers["Retry-After"]))
            return ask(path, body)
        said = json.load(refusal)["error"]
        return None if said["code"] == "stale-move" else sys.exit(said["message"])  # stale: the next line is newer


facts = json.load(ask(f"/api/games/{GAME}"))
seats = [{"kind": "me"}] + [{"kind": "bot", "bot": "greedy"}] * (facts["players"][0] - 1)
options = {"ruleset": RULESET[0]} if RULESET else {}
table = {"game": GAME, "options": options, "seats": seats, "pace": "instant", "programs": True}
address, position = f"/api/tables/{json.load(ask('/api/tables', table))['id']}", {"status": "", "version": 0}
while position["status"] not in ("over", "closed"):  # a stream that was cut off is opened again
    for line in ask(f"{address}/positions?since={position['version']}"):
        position = json.loads(line).get("position", position)
        if '"position"' in line.decode() and position["legal"]:  # other lines are heartbeats
            action = random.choice(position["legal"])["id"]
            ask(f"{address}/moves", {"action": action, "version": position["version"]})
print(position["text"], *(line["text"] for line in position["log"][-3:]), sep="\n")
