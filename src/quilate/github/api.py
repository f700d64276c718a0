"""GitHub in the project's own words. The only module that imports PyGithub, and only when the first request is made."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from quilate.github.errors import (
    BadTokenError,
    ConflictError,
    ForbiddenError,
    GitHubError,
    LockedError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
)
from quilate.github.waiting import Failure, Patience, wait_s

if TYPE_CHECKING:
    from github import Github
    from github.Requester import Requester

PAGE = 100
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit and its parents, the first parent first."""

    sha: str
    parents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Divergence:
    """How two commits relate: `ahead` and `behind` count the second's commits against the first's."""

    merge_base: str
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class Api:
    """One repository's API. Every method is a verb of the project; each raises the errors of `github/errors.py`."""

    token: str = field(repr=False)
    repository: str
    api_url: str = "https://api.github.com"
    graphql_url: str = "https://api.github.com/graphql"
    patience: Patience = field(default_factory=Patience)
    timeout_s: float = 30.0
    sleep: Callable[[float], None] = time.sleep
    random: Random = field(default_factory=Random)
    _clients: list[Any] = field(default_factory=list, repr=False)

    # --- commits -----------------------------------------------------------------------------------------------

    def commit(self, sha: str) -> Commit:
        """One commit by its id."""
        found = self.get(f"/commits/{sha}", doing=f"read commit {sha[:7]}")
        return Commit(found["sha"], tuple(parent["sha"] for parent in found["parents"]))

    def history(self, sha: str) -> Iterator[Commit]:
        """`sha` and its ancestors, newest first, in pages as they are asked for."""
        for found in self.pages("/commits", {"sha": sha}, doing=f"list the ancestors of {sha[:7]}"):
            yield Commit(found["sha"], tuple(parent["sha"] for parent in found["parents"]))

    def divergence(self, base: str, head: str) -> Divergence:
        """How `head` stands to `base` (commits or branches)."""
        path = f"/compare/{quote(base, safe='')}...{quote(head, safe='')}"
        found = self.get(path, {"per_page": 1}, doing=f"compare {base[:12]} with {head[:12]}")
        return Divergence(found["merge_base_commit"]["sha"], int(found["ahead_by"]), int(found["behind_by"]))

    # --- requests ----------------------------------------------------------------------------------------------

    def get(
        self, path: str, parameters: Mapping[str, Any] | None = None, *, doing: str, needs: str = "contents: read"
    ) -> Any:
        """A reading request below the repository's address."""
        return self.send("GET", path, parameters=parameters, doing=doing, needs=needs)

    def send(
        self,
        verb: str,
        path: str,
        body: Any = None,
        *,
        doing: str,
        needs: str,
        parameters: Mapping[str, Any] | None = None,
        repeatable: bool = True,
    ) -> Any:
        """One request, tried again as `waiting.py` decides.

        `doing` completes "not allowed to …"; `needs` is the permission that allows it. `repeatable` is False for
        what would happen twice (a new comment). Raises the errors of `github/errors.py`.
        """
        return self.send_url(
            verb, f"/repos/{self.repository}{path}", body, doing=doing, needs=needs, parameters=parameters,
            repeatable=repeatable,
        )[1]  # fmt: skip

    def send_url(
        self,
        verb: str,
        url: str,
        body: Any = None,
        *,
        doing: str,
        needs: str,
        parameters: Mapping[str, Any] | None = None,
        repeatable: bool = True,
    ) -> tuple[dict[str, Any], Any]:
        """The same for any address of this server; gives the answer's headers too."""
        return self._patiently(
            lambda: self._attempt(verb, url, body, dict(parameters or {})), doing=doing, needs=needs,
            repeatable=repeatable,
        )  # fmt: skip

    def _patiently(self, once: Callable[[], Answer | Failure], *, doing: str, needs: str, repeatable: bool) -> Answer:
        waited_s = 0.0
        attempt = 1
        while True:
            outcome = once()
            if not isinstance(outcome, Failure):
                return outcome
            pause_s = wait_s(
                outcome, attempt, repeatable=repeatable, now=dt.datetime.now(dt.UTC), random=self.random
            )  # fmt: skip
            too_long = pause_s is not None and waited_s + pause_s > self.patience.longest_wait_s
            if pause_s is None or too_long or attempt >= self.patience.attempts:
                raise error_of(outcome, doing, needs, may_have_happened=not repeatable)
            waited_s += pause_s
            attempt += 1
            self.sleep(pause_s * self.patience.scale)

    def pages(
        self, path: str, parameters: Mapping[str, Any] | None = None, *, doing: str, needs: str = "contents: read",
        key: str | None = None,
    ) -> Iterator[Any]:  # fmt: skip
        """Every item of a paged list, 100 a request; `key` names the list where the answer wraps it."""
        url: str | None = f"/repos/{self.repository}{path}"
        query: Mapping[str, Any] | None = {**(parameters or {}), "per_page": PAGE}
        while url:
            headers, found = self.send_url("GET", url, doing=doing, needs=needs, parameters=query)
            yield from found[key] if key else found
            url, query = next_page(headers.get("link", "")), None

    def graphql(
        self, query: str, variables: Mapping[str, Any], *, doing: str, needs: str, repeatable: bool = True
    ) -> dict[str, Any]:
        """A GraphQL request's `data`; its errors are raised like a status of REST."""
        body = {"query": query, "variables": dict(variables)}
        _, answer = self.send_url("POST", self.graphql_url, body, doing=doing, needs=needs, repeatable=repeatable)
        errors = answer.get("errors") if isinstance(answer, dict) else None
        if errors:
            raise graphql_error(errors[0], doing, needs)
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, dict):
            message = f"could not {doing}: the answer to a GraphQL request holds no data"
            raise GitHubError(message)
        return data

    def download(self, path: str, *, max_bytes: int, doing: str, needs: str) -> bytes:
        """A binary answer (an artifact's zip), through its redirect, read no further than `max_bytes`.

        Raises `ValueError` when it is larger.
        """
        url = f"{self.api_url}/repos/{self.repository}{path}"
        return self._patiently(lambda: self._fetched(url, max_bytes), doing=doing, needs=needs, repeatable=True)

    def _fetched(self, url: str, max_bytes: int) -> bytes | Failure:
        import requests

        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": "quilate"}
        try:
            # requests drops the Authorization header when a redirect leaves the host
            with requests.get(url, headers=headers, stream=True, timeout=self.timeout_s) as response:
                if response.status_code >= 400:
                    return Failure(response.status_code, response.reason or "", lowered(response.headers))
                received = bytearray()
                for chunk in response.iter_content(65536):
                    received += chunk
                    if len(received) > max_bytes:
                        message = f"larger than {max_bytes} bytes"
                        raise ValueError(message)
                return bytes(received)
        except requests.RequestException as error:
            return Failure(0, f"{type(error).__name__}: {error}"[:500])

    def _attempt(
        self, verb: str, url: str, body: Any, parameters: dict[str, Any]
    ) -> tuple[dict[str, Any], Any] | Failure:
        import requests
        from github import GithubException

        try:
            return self._requester.requestJsonAndCheck(verb, url, parameters=parameters, input=body)
        except GithubException as error:
            said = error.data.get("message") if isinstance(error.data, dict) else None
            details = error.data.get("errors") if isinstance(error.data, dict) else None
            message = " ".join(str(part) for part in (said, details) if part) or str(error.data or "no message")
            return Failure(error.status, message[:500], lowered(error.headers or {}))
        except requests.RequestException as error:
            return Failure(0, f"{type(error).__name__}: {error}"[:500])
        except ValueError as error:  # an answer that was cut off is no JSON
            return Failure(0, f"the answer cannot be read: {error}"[:500])

    @property
    def _requester(self) -> Requester:
        if not self._clients:
            self._clients.append(self._client())
        client: Github = self._clients[0]
        return client.requester

    def _client(self) -> Github:
        from github import Auth, Github

        # Retries and pauses are ours (`waiting.py`): the library's own would repeat the creation of a comment.
        return Github(
            auth=Auth.Token(self.token), base_url=self.api_url, timeout=int(self.timeout_s), user_agent="quilate",
            per_page=PAGE, retry=0, seconds_between_requests=None, seconds_between_writes=None,
        )  # fmt: skip


def lowered(headers: Mapping[str, Any]) -> dict[str, str]:
    """Headers with lower-case names."""
    return {str(name).lower(): str(value) for name, value in headers.items()}


def next_page(link: str) -> str | None:
    """The address of the next page from a `Link` header (RFC 8288), or None on the last."""
    for part in link.split(","):
        address, _, relation = part.partition(";")
        if 'rel="next"' in relation:
            return address.strip().removeprefix("<").removesuffix(">")
    return None


def error_of(failure: Failure, doing: str, needs: str, *, may_have_happened: bool = False) -> GitHubError:
    """A failure for good as the error that says what to do."""
    status, said = failure.status, failure.message
    what = f"could not {doing}: GitHub answered {status} ({said})" if status else f"could not {doing}: {said}"
    if failure.rate_limited:
        return RateLimitedError(
            f"{what}; the rate limit asks for a longer wait than a job may make: re-run it later", status=status
        )
    if status == 401:
        return BadTokenError(f"{what}; the token is unknown or expired: leave the input `token` out", status=status)
    if status == 403 and "locked" in said.lower():
        return LockedError(f"{what}; unlock the conversation, or take the report from the job's summary", status=status)
    if status == 403:
        return ForbiddenError(doing, needs, said)
    if status in (404, 410):
        return NotFoundError(what, status=status)
    if status in (409, 422):
        return ConflictError(what, status=status)
    if status == 0 or status >= 500:
        return UnavailableError(f"{what}; re-run the job", status=status or None, may_have_happened=may_have_happened)
    return GitHubError(what, status=status)


def graphql_error(error: Mapping[str, Any], doing: str, needs: str) -> GitHubError:
    """GraphQL answers 200 and names its errors by type."""
    said = str(error.get("message", "no message"))[:500]
    kinds = {"FORBIDDEN": 403, "NOT_FOUND": 404, "RATE_LIMITED": 429, "STALE_DATA": 409, "UNPROCESSABLE": 422}
    status = kinds.get(str(error.get("type", "")), 422)
    if "not accessible by integration" in said:
        status = 403
    return error_of(Failure(status, said), doing, needs)
