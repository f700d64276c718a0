"""The HTTP client session of `agent.http`: as many connections as are asked for, no cookies, no surprises."""

from __future__ import annotations

import socket
import ssl
import urllib.request
from contextlib import suppress
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
        self._found: str | None = None

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of `host`. Raises `OSError` where there are none."""
        if self._found is None or host != HOST_NAME:
            try:
                return await self._inner.resolve(host, port, family)
            except OSError:
                self._found = self._gateway() if host == HOST_NAME else None
                if self._found is None:
                    raise
        found: Any = {
            "hostname": host, "host": self._found, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0,
        }  # fmt: skip
        return [found]

    def _gateway(self) -> str | None:
        try:
            return default_gateway(self._routes.read_text("ascii", "replace"))
        except OSError:
            return None

    async def close(self) -> None:
        """Closes the resolver within."""
        await self._inner.close()


async def open_session(origin: str) -> aiohttp.ClientSession:
    """A session for `origin`. Certificates come from the system and certifi.

    There is no limit of connections and of time: both are the asking's. Whether the runner has a name is found out
    here, since a name server that does not answer takes ten seconds, which are none of the first case's.
    """
    resolver = GatewayResolver(ThreadedResolver())
    if urlsplit(origin).hostname == HOST_NAME:
        with suppress(OSError):
            await resolver.resolve(HOST_NAME)
    connector = aiohttp.TCPConnector(
        limit=0,
        resolver=resolver,
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
