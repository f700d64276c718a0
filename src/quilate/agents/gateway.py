"""Where the runner's own servers are, seen from the container."""

from __future__ import annotations

import ipaddress

HOST_NAME = "host.docker.internal"
ROUTES = "/proc/net/route"
_GATEWAY = 0x2


def default_gateway(routes: str) -> str | None:
    """The IPv4 address of the default gateway in the text of `/proc/net/route`, or None where there is none.

    Columns (Linux, `net/ipv4/fib_trie.c`): interface, destination, gateway, flags …; numbers are hexadecimal, and
    addresses in the machine's own byte order, which is little-endian wherever runners run.
    """
    for line in routes.splitlines()[1:]:
        fields = line.split()
        try:
            destination, gateway, flags = int(fields[1], 16), int(fields[2], 16), int(fields[3], 16)
        except (IndexError, ValueError):
            continue
        if destination == 0 and gateway and flags & _GATEWAY:
            return str(ipaddress.IPv4Address(gateway.to_bytes(4, "little")))
    return None
