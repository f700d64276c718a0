from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.agents.gateway import default_gateway
from quilate.agents.session import GatewayResolver

ROUTES = """Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	000011AC	00000000	0001	0	0	0	0000FFFF	0	0	0
eth0	00000000	010011AC	0003	0	0	0	00000000	0	0	0
"""


def test_the_default_gateway_is_read_from_the_routing_table():
    assert default_gateway(ROUTES) == "172.17.0.1"


@pytest.mark.parametrize(
    "routes", ["", "Iface\n", ROUTES.splitlines()[0], "a b\neth0 0 zz 3\neth0 00000000 00000000 1"]
)
def test_without_a_default_route_there_is_none(routes):
    assert default_gateway(routes) is None


@given(st.text())
def test_no_text_breaks_the_reading(routes):
    default_gateway(routes)


class _NoNames:
    async def resolve(self, host, port=0, family=0):
        raise OSError("no such name")

    async def close(self):
        pass


def _resolve(host: str, routes: Path):
    return asyncio.run(GatewayResolver(_NoNames(), routes).resolve(host, 3000))


def test_the_runners_name_is_the_gateway_where_it_does_not_resolve(tmp_path):
    routes = tmp_path / "route"
    routes.write_text(ROUTES)
    assert [found["host"] for found in _resolve("host.docker.internal", routes)] == ["172.17.0.1"]


def test_any_other_name_stays_unknown(tmp_path):
    routes = tmp_path / "route"
    routes.write_text(ROUTES)
    with pytest.raises(OSError, match="no such name"):
        _resolve("other.example.com", routes)


def test_without_a_routing_table_the_name_stays_unknown(tmp_path):
    with pytest.raises(OSError, match="no such name"):
        _resolve("host.docker.internal", tmp_path / "none")
