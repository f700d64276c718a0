"""The data branch from outside a workflow, for `quilate baseline` on a laptop or in a script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from quilate.config import BaselineConfig
from quilate.errors import UsageError
from quilate.github.api import Api
from quilate.github.branch_store import BranchStore
from quilate.github.data_branch import DataBranch
from quilate.github.git_data import GitData
from quilate.github.history import Origin

_REMOTE = re.compile(r"(?:[/:])([^/:\s]+)/([^/\s]+?)(?:\.git)?/?$")


def data_branch_store(
    environ: Mapping[str, str], suite: str, baseline: BaselineConfig, *, folder: Path, branch: str = "main"
) -> BranchStore:
    """A suite's store on the data branch. `folder` takes the records that are read, `branch` names the history.

    The token is GITHUB_TOKEN or GH_TOKEN, the repository GITHUB_REPOSITORY or the checkout's `origin`, the addresses
    GITHUB_API_URL and GITHUB_GRAPHQL_URL. Raises `UsageError` where one is not to be had.
    """
    token = environ.get("GITHUB_TOKEN") or environ.get("GH_TOKEN")
    if not token:
        message = "the data branch is read over GitHub's API: set GITHUB_TOKEN (reading needs `contents: read`)"
        raise UsageError(message)
    repository = environ.get("GITHUB_REPOSITORY") or origin_of(Path())
    if repository is None:
        message = "which repository? set GITHUB_REPOSITORY to owner/name, or run this in a checkout of it"
        raise UsageError(message)
    api_url = environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    graphql_url = environ.get("GITHUB_GRAPHQL_URL") or f"{api_url.removesuffix('/v3')}/graphql"
    api = Api(token, repository, api_url=api_url, graphql_url=graphql_url)
    data = DataBranch(GitData(api), suite, branch=baseline.branch, keep=baseline.keep)
    run = environ.get("GITHUB_RUN_ID", "")
    origin = Origin(branch, environ.get("GITHUB_EVENT_NAME", "local"), int(run) if run.isdecimal() else 0)
    return BranchStore(data, folder, origin)


def origin_of(checkout: Path) -> str | None:
    """`owner/name` of a checkout's `origin`, from git's own file; None where there is none."""
    try:
        lines = (checkout / ".git" / "config").read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return None
    section = ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            section = line
        name, _, value = line.partition("=")
        if section == '[remote "origin"]' and name.strip() == "url":
            found = _REMOTE.search(value.strip())
            return f"{found[1]}/{found[2]}" if found else None
    return None
