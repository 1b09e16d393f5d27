# SPDX-License-Identifier: Apache-2.0
"""Joining a Ray cluster: one that is there, one of this machine, and none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from budgie.errors import MissingExtra
from budgie.ray_cluster import connect

pytest.importorskip("ray.util", reason="Ray is not installed here; make ray runs these tests")

JOIN_AND_LEAVE = """
import ray
from ray.cluster_utils import Cluster
from budgie.ray_cluster import connect

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
for workers in (None, 1):
    with connect(cluster.address, workers) as number:
        print(number, len(ray.nodes()))
    assert not ray.is_initialized()
cluster.shutdown()
with connect(None, 2) as number:
    with connect("192.0.2.1:9", None) as same:
        print(number, same)
    assert ray.is_initialized()
assert not ray.is_initialized()
"""


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"'budgie-nlp\[ray\]'"), connect(None, None):
        pass


def test_clusters_that_are_there_and_of_this_machine(own_token: None) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", JOIN_AND_LEAVE],
        env={**os.environ, "RAY_AUTH_MODE": "token"},  # to show it at an address
        capture_output=True,
        check=False,
        timeout=180,
    )
    assert ended.stdout.decode().split("\n") == ["2 1", "1 1", "2 2", ""], ended.stderr.decode()


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "nowhere"])
def test_nobody_is_there(address: str, own_token: None) -> None:
    program = f"from budgie.ray_cluster import connect\nwith connect({address!r}, None): pass"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, timeout=60)
    assert f"ConfigError: cannot join a Ray cluster at {address}: " in ended.stderr.decode()
