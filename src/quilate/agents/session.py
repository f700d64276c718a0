"""The HTTP client session of `agent.http`: as many connections as are asked for, no cookies, no surprises."""

from __future__ import annotations

import socket
import ssl
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from quilate.agents.gateway import HOST_NAME, ROUTES, default_gateway


class GatewayResolver(AbstractResolver):
    """The system's names; `host.docker.internal`, where that does not resolve, is the default gateway."""

    def __init__(self, inner: AbstractResolver, routes: Path = Path(ROUTES)) -> None:
        self._inner = inner
        self._routes = routes

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of `host`. Raises `OSError` where there are none."""
        try:
            return await self._inner.resolve(host, port, family)
        except OSError:
            address = self._gateway() if host == HOST_NAME else None
            if address is None:
                raise
        found: Any = {"hostname": host, "host": address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
        return [found]

    def _gateway(self) -> str | None:
        try:
            return default_gateway(self._routes.read_text("ascii", "replace"))
        except OSError:
            return None

    async def close(self) -> None:
        """Closes the resolver within."""
        await self._inner.close()


def open_session(origin: str) -> aiohttp.ClientSession:
    """A session for `origin` inside the running loop. Certificates come from the system and certifi.

    There is no limit of connections and of time: both are the asking's.
    """
    connector = aiohttp.TCPConnector(
        limit=0,
        resolver=GatewayResolver(ThreadedResolver()),
        ssl=_trusted() if origin.startswith("https:") else True,
        keepalive_timeout=60,
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, connect=None, sock_connect=None, sock_read=None),
        proxy=proxy_for(origin),
        headers={"User-Agent": "quilate", "Accept": "application/json"},
    )


def proxy_for(origin: str) -> str | None:
    """The proxy that the environment sets for `origin` (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), None where there is none.

    This machine and the runner around the container are never behind one. aiohttp's own reading of the environment
    would send what `.netrc` holds as well.
    """
    parts = urlsplit(origin)
    host = parts.hostname or ""
    local = host in ("localhost", HOST_NAME, "::1") or host.startswith("127.")
    if local or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(parts.scheme)


def _trusted() -> ssl.SSLContext:
    import certifi

    context = ssl.create_default_context()  # honours SSL_CERT_FILE and SSL_CERT_DIR
    context.load_verify_locations(certifi.where())
    return context
