"""Serves a Python function to quilate, from the agent's own interpreter. One file, standard library only.

    python quilate_agent.py module:function

The function gets the input (a text, or a list of `{"role", "content"}` messages) and returns a text, a dictionary in
quilate's result shape, or `(text, tool_calls)` with a call as `{"name", "args"}` or `(name, args)`. An async function
is asked several cases at once. What it prints goes to standard error.
"""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
import inspect
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, TextIO

CONCURRENCY = 1000
OUTAGES = (429, 503, 529)


def protect_stdout() -> TextIO:
    """Standard output for the protocol alone; what anyone prints, C code included, goes to standard error."""
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return protocol


def load(name: str) -> Callable[[Any], Any]:
    """The function that `module:function` names, looked up from the current folder."""
    module, _, attribute = name.partition(":")
    if not attribute:
        sys.exit(f"quilate_agent: found {name!r}; write module:function")
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - sys.path holds texts
    target: Any = importlib.import_module(module)
    for part in attribute.split("."):
        target = getattr(target, part)
    return target  # type: ignore[no-any-return] # whatever the agent's module holds


def plain(value: Any) -> Any:
    """What JSON does not hold by itself: dataclasses, pydantic models, sets, and texts of the rest that have one."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    for method in ("model_dump", "isoformat"):
        if hasattr(value, method):
            return getattr(value, method)()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if type(value).__name__ in ("Decimal", "UUID"):
        return str(value)
    raise TypeError(f"the agent returned {type(value).__name__}, which is not JSON")


def as_call(call: Any) -> Any:
    """A tool call as an object."""
    return {"name": call[0], "args": call[1]} if isinstance(call, (tuple, list)) else call


def as_result(returned: Any) -> dict[str, Any]:
    """What the function returned, in the result shape."""
    if isinstance(returned, str):
        return {"output": returned}
    if isinstance(returned, tuple) and len(returned) == 2:
        return {"output": returned[0], "tool_calls": [as_call(call) for call in returned[1] or []]}
    if not isinstance(returned, dict):
        returned = plain(returned)
    if not isinstance(returned, dict):
        raise TypeError(f"the agent returned {type(returned).__name__}; return a text, a dictionary or (text, calls)")
    return dict(returned)


def as_error(error: BaseException) -> dict[str, Any]:
    """An exception in the result shape; a provider's own outage is told apart."""
    status = getattr(error, "status_code", None)
    kind = "infrastructure" if status in OUTAGES else "agent"
    return {"error": {"kind": kind, "message": f"{type(error).__name__}: {error}"[:1000]}}


async def answer(function: Callable[[Any], Any], request: dict[str, Any]) -> str:
    """The result line of one request."""
    started = time.perf_counter()
    try:
        returned = function(request["input"])
        if inspect.isawaitable(returned):
            returned = await returned
        elapsed = (time.perf_counter() - started) * 1000
        result = {"duration_ms": round(elapsed, 3), **as_result(returned)}
        line = encode(request, result)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the agent raises is the answer
        traceback.print_exc()
        line = encode(request, as_error(error))
    return line


def encode(request: dict[str, Any], result: dict[str, Any]) -> str:
    """One line of JSON, marked with the case and the trial that it answers."""
    mark = {"case_id": request.get("case_id"), "trial": request.get("trial", 0)}
    return json.dumps({**result, **mark}, default=plain, allow_nan=False)


def requests_to(put: Callable[[Any], object]) -> None:
    """Hands every line of standard input to `put`, then None. Runs in a thread of its own."""
    for line in sys.stdin.buffer:
        if line.strip():
            put(json.loads(line))
    put(None)


async def serve(function: Callable[[Any], Any], protocol: TextIO) -> None:
    """Answers until standard input ends: one at a time, or for an async function all that come."""
    at_once = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Any] = asyncio.Queue()

    def write(line: str) -> None:
        protocol.write(line + "\n")
        protocol.flush()

    write(json.dumps({"ready": True, "concurrency": CONCURRENCY if at_once else 1}))
    reader = threading.Thread(
        target=requests_to, args=(lambda request: loop.call_soon_threadsafe(queue.put_nowait, request),), daemon=True
    )
    reader.start()
    running: set[asyncio.Future[None]] = set()

    async def respond(request: dict[str, Any]) -> None:
        write(await answer(function, request))

    while True:
        request = await queue.get()
        if request is None:
            break
        if not at_once:
            await respond(request)
            continue
        task = asyncio.ensure_future(respond(request))
        running.add(task)
        task.add_done_callback(running.discard)
    if running:
        await asyncio.wait(running)


def main() -> None:
    """The command line: one argument."""
    if len(sys.argv) != 2:
        sys.exit("usage: python quilate_agent.py module:function")
    protocol = protect_stdout()
    asyncio.run(serve(load(sys.argv[1]), protocol))


if __name__ == "__main__":
    main()
