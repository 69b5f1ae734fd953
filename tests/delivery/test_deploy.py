"""compose.yaml and deploy/: as their formats demand, without passwords, closed where they should be."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from parlour.house.http.door import FROM_AN_ADDRESS
from parlour.house.http.refusals import MAX_BODY
from parlour.house.serve import IDLE_BEHIND_PROXY
from parlour.house.table.web.stream import HEARTBEAT

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
DEPLOY = ROOT / "deploy"
SERVICES: dict[str, Any] = COMPOSE["services"]
HOUSES = [name for name in SERVICES if name.startswith("parlour")]
UNIT = (DEPLOY / "parlour.service").read_text("utf-8")


def test_the_file_is_as_compose_demands() -> None:
    tool = Path(sys.executable).with_name("check-jsonschema")
    command = [tool, "--builtin-schema", "vendor.compose-spec", ROOT / "compose.yaml"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_two_houses_and_what_they_need() -> None:
    assert len(HOUSES) == 2
    assert set(SERVICES) == {*HOUSES, "postgresql", "redis", "caddy"}
    for name, service in SERVICES.items():
        assert "healthcheck" in service, name
        assert service["restart"] == "unless-stopped", name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in COMPOSE["volumes"] or (ROOT / source).exists(), volume
        for other in service.get("depends_on", ()):
            assert service["depends_on"][other]["condition"] == "service_healthy"
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"caddy"}
    assert {name for name, service in SERVICES.items() if "outside" in service["networks"]} == {"caddy"}
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_houses_reach_the_internet_and_who_comes_that_way_is_not_believed() -> None:
    """Notices leave by a network in which nothing else is; only who is in the other one, as Caddy is, is a proxy."""
    networks = COMPOSE["networks"]
    assert [name for name, network in networks.items() if (network or {}).get("internal")] == ["inside"]
    assert {name for name, service in SERVICES.items() if "outgoing" in service["networks"]} == set(HOUSES)
    for name, service in SERVICES.items():
        assert "inside" in service["networks"], name
        if name in ("postgresql", "redis"):
            assert set(service["networks"]) == {"inside"}
    ranges = {name: ip_network(networks[name]["ipam"]["config"][0]["subnet"]) for name in ("inside", "outgoing")}
    assert not ranges["inside"].overlaps(ranges["outgoing"])
    for name in HOUSES:
        believed = [part.partition("=")[2] for part in SERVICES[name]["command"] if part.startswith("--proxy=")]
        assert [ip_network(one) for one in believed] == [ranges["inside"]]


def test_there_is_no_password_but_the_operators() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    for line in text.splitlines():
        if re.search(r"password|secret|token", line, re.IGNORECASE) and not line.lstrip().startswith("#"):
            assert "${POSTGRES_PASSWORD:?" in line, line
    asked = set(re.findall(r"\$\{(\w+)", text))
    mail = {"PARLOUR_MAIL", "PARLOUR_MAIL_FROM"}  # a house without a mail server sends no letters
    assert asked == {"PARLOUR_HOST", "POSTGRES_PASSWORD"} | mail
    assert set(re.findall(r"\$\{(\w+):-\}", text)) == mail
    must = re.sub(r"\$\{PARLOUR_MAIL(_FROM)?:-\}", "", text)
    assert not re.search(r"\$\{\w+(?!:\?)[^}\w]", must)  # the others must be set: nothing has a default
    assert "/.env" in (ROOT / ".gitignore").read_text("utf-8").splitlines()


def test_a_house_has_few_rights() -> None:
    for name in HOUSES:
        house = SERVICES[name]
        assert house["read_only"] is True
        assert house["cap_drop"] == ["ALL"]
        assert house["ulimits"]["nofile"] >= 65536
    docker = (DEPLOY / "Dockerfile").read_text("utf-8")
    users = re.findall(r"^USER (\w+)$", docker, re.M)
    assert users == ["parlour"]
    assert docker.index("useradd") < docker.index("\nUSER") < docker.index("CMD [")
    assert "--require-hashes --requirement requirements/run.txt" in docker
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    copied = {name for line in re.findall(r"^COPY (.+) \S+$", docker, re.M) for name in line.split()}
    assert copied == let_in
    assert all((ROOT / name).exists() for name in copied)


def test_the_door() -> None:
    """What Caddy passes on, and what not."""
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert re.search(r"^\trespond /metrics 404$", text, re.M)
    assert re.search(r"^\t\tflush_interval -1$", text, re.M)
    assert re.search(r"^\t\thealth_uri /health$", text, re.M)
    named = SERVICES["caddy"]["environment"]["PARLOUR_UPSTREAMS"].split()
    assert named == [f"{name}:8000" for name in HOUSES]
    assert text.count("{") == text.count("}")
    asked = set(re.findall(r"\{\$(\w+)", text))
    assert asked == set(SERVICES["caddy"]["environment"])
    # With one process, everyone waits for the time until Caddy tries it again.
    for name in ("health_interval", "lb_try_interval"):
        (waited,) = re.findall(rf"^\t\t{name} (\d+)ms$", text, re.M)
        assert int(waited) <= 250, name
    # What one client breaks off says nothing of the house, and is not tried again.
    assert not re.search(r"^\t*fail_duration", text, re.M)
    assert re.search(r"^\t\tlb_retry_match \{\n\t\t\tmethod NONE\n\t\t\}$", text, re.M)
    # It keeps a connection to a house open for two minutes, unless told otherwise. The house must not close it first.
    assert "keepalive" not in text
    assert IDLE_BEHIND_PROXY > 120


def test_the_other_door() -> None:
    """What nginx passes on, and what not."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    headers = dict(re.findall(r"^\tproxy_set_header (\S+) (\S+);$", text, re.M))
    assert headers == {
        "Connection": '""', "Host": "$http_host", "X-Forwarded-For": "$remote_addr", "X-Forwarded-Proto": "$scheme",
    }  # fmt: skip
    assert re.search(r"location = /metrics \{\s+return 404;\s+\}", text)
    assert "max_fails=0;" in text
    assert f"client_max_body_size {MAX_BODY // 1024}k;" in text
    assert f"limit_conn parlour_connections {FROM_AN_ADDRESS};" in text
    (waited,) = re.findall(r"proxy_read_timeout (\d+)s;", text)
    assert int(waited) > 2 * HEARTBEAT
    assert text.count("{") == text.count("}")


@pytest.mark.skipif(not shutil.which("caddy"), reason="no Caddy is installed, so its file is read but not by it")
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    command = ["caddy", "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    env = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(tmp_path), "PARLOUR_HOST": "games.example"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "not formatted" not in done.stderr


def test_the_unit_has_few_rights_too() -> None:
    settings = dict(re.findall(r"^(\w+)=(.*)$", UNIT, re.M))
    assert settings["Restart"] == "always"
    assert settings["RestartSec"] == "100ms"
    assert settings["ProtectSystem"] == "strict"
    assert settings["StateDirectory"] == "parlour"
    assert int(settings["LimitNOFILE"]) >= 65536
    assert settings["UMask"] == "0077"
    assert settings["User"] not in ("", "root")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze is at hand to check the unit")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit, place = tmp_path / "parlour.service", tmp_path / "venv"
    place.symlink_to(sys.prefix)  # which may have a blank
    unit.write_text(UNIT.replace("/opt/parlour/.venv", str(place)))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run(["systemd-analyze", "security", "--offline=yes", unit], capture_output=True, text=True)
    (exposed,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(exposed) < 2.5  # of 10; a unit that protects nothing has 9.6


# Many machines -------------------------------------------------------------------------------------
TEXT = {"type": "string"}
POD: dict[str, Any] = {
    "type": "object",
    "required": ["spec"],
    "properties": {
        "spec": {
            "type": "object",
            "required": ["containers"],
            "properties": {
                "containers": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["name", "image"],
                        "properties": {
                            "name": {"type": "string"},
                            "image": {"type": "string"},
                            "env": {"type": "array", "items": {"required": ["name"], "properties": {"value": TEXT}}},
                            "resources": {
                                "properties": {"requests": {"type": "object"}, "limits": {"type": "object"}},
                                "additionalProperties": False,
                            },
                            "volumeMounts": {"type": "array", "items": {"required": ["name", "mountPath"]}},
                        },
                        "additionalProperties": False,
                    },
                },
                "volumes": {"type": "array", "items": {"required": ["name"]}},
            },
            "additionalProperties": False,
        }
    },
    "additionalProperties": False,
}
PARAMETERS = {"type": "object", "additionalProperties": TEXT}  # numbers must be texts there
NUMBER = {"type": "integer", "minimum": 0}
RAY_CLUSTER: dict[str, Any] = {  # the fields of a RayCluster that we use, as KubeRay's API (v1) declares them
    "type": "object",
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "ray.io/v1"},
        "kind": {"const": "RayCluster"},
        "metadata": {"required": ["name"]},
        "spec": {
            "type": "object",
            "required": ["headGroupSpec"],
            "properties": {
                "enableInTreeAutoscaling": {"type": "boolean"},
                "headGroupSpec": {
                    "required": ["rayStartParams", "template"],
                    "properties": {"rayStartParams": PARAMETERS, "template": POD},
                    "additionalProperties": False,
                },
                "workerGroupSpecs": {
                    "type": "array",
                    "items": {
                        "required": ["groupName", "minReplicas", "maxReplicas", "rayStartParams", "template"],
                        "properties": {
                            "groupName": TEXT, "replicas": NUMBER, "minReplicas": NUMBER, "maxReplicas": NUMBER,
                            "rayStartParams": PARAMETERS, "template": POD,
                        },
                        "additionalProperties": False,
                    },
                },
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}  # fmt: skip


def test_the_cluster_on_kubernetes_has_the_fields_of_kuberay() -> None:
    """Its own schema is in no package; this one has the fields that we use, from the types of its API."""
    cluster = yaml.safe_load((DEPLOY / "ray-kubernetes.yaml").read_text("utf-8"))
    jsonschema.validate(cluster, RAY_CLUSTER)
    (players,) = cluster["spec"]["workerGroupSpecs"]
    assert players["minReplicas"] <= players["replicas"] <= players["maxReplicas"]
    for group in (cluster["spec"]["headGroupSpec"], players):
        pod = group["template"]["spec"]
        volumes = {volume["name"] for volume in pod.get("volumes", ())}
        for container in pod["containers"]:
            assert {mount["name"] for mount in container.get("volumeMounts", ())} <= volumes
            env = {one["name"]: one["value"] for one in container["env"]}
            assert env["RAY_USAGE_STATS_ENABLED"] == "0"
            mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
            assert env["PARLOUR_CACHE"] in mounted, "a user of the image can make no folder there"


def test_the_cluster_of_machines_is_as_ray_demands() -> None:
    """Ray brings its schema; without Ray the fields are those that it demands of a list of machines."""
    cluster = yaml.safe_load((DEPLOY / "ray-machines.yaml").read_text("utf-8"))
    ray = importlib.util.find_spec("ray")
    if ray is not None and ray.origin:
        schema = json.loads((Path(ray.origin).parent / "autoscaler" / "ray-schema.json").read_text("utf-8"))
        jsonschema.validate(cluster, schema)
    provider = cluster["provider"]
    assert provider["type"] == "local"
    for address in (provider["head_ip"], *provider["worker_ips"]):
        assert ip_address(address) in ip_network("192.0.2.0/24"), "an address of documentation, not of a machine"
    installed = re.findall(r'pip install "parlour\[(.*)\]"', " ".join(cluster["setup_commands"]))
    assert [set(extras.split(",")) for extras in installed] == [{"cli", "ray"}], "the command runs on the first machine"
    assert any(".bashrc" in command for command in cluster["setup_commands"]), "`ray down` finds `ray` in the path"
    assert "~/.ray/auth_token" in cluster["file_mounts"]
    for began in ("head_start_ray_commands", "worker_start_ray_commands"):
        assert "RAY_AUTH_MODE=token" in cluster[began][-1], "work without the token is refused"
    assert "--head" in cluster["head_start_ray_commands"][-1]
    assert "$RAY_HEAD_IP" in cluster["worker_start_ray_commands"][-1]
