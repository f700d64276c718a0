"""`agent.chat`: a bare model as the agent, with its system prompt and tool definitions.

One request a case; the model's first answer with its tool calls is the reply. Tools are defined, never run.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from quilate.agents.agent import AskFailed, Fault, FaultKind, Reply, Request
from quilate.agents.templates import TemplateError, compile_text
from quilate.config import ChatAgent
from quilate.goldens.case import Message
from quilate.providers.client import WIRES, HttpModel
from quilate.providers.model import Completion, Failure, Prompt, ProviderError, Turn
from quilate.providers.prices import plain_usd, price_of

_FAULT_OF = {
    Failure.UNAVAILABLE: FaultKind.INFRASTRUCTURE,
    Failure.QUOTA: FaultKind.INFRASTRUCTURE,
    Failure.KEY_ABSENT: FaultKind.SECRET,
    Failure.KEY_REFUSED: FaultKind.AGENT,
    Failure.REJECTED: FaultKind.AGENT,
    Failure.GARBLED: FaultKind.AGENT,
}


class ChatAgentAdapter:
    """An `Agent`. `environ` holds the key; `timeout_s` is a backstop, since the caller limits each attempt.

    `metadata` and `on_behalf_of` may be templates over `case_id` and `trial`. Raises `UnusableError` where one cannot
    be parsed.
    """

    def __init__(self, config: ChatAgent, *, environ: Mapping[str, str], timeout_s: float = 600) -> None:
        self._config = config
        key_env = config.api_key_env or WIRES[config.provider].default_key_env
        self._model = HttpModel(
            config.provider,
            config.model,
            key=environ.get(key_env) or None,
            key_env=key_env,
            base_url=config.base_url,
            max_tokens=config.max_tokens,
            timeout_s=timeout_s,
            extra=config.extra,
        )
        self._metadata = {
            name: compile_text(value, ("agent", "chat", "metadata", name)) for name, value in config.metadata.items()
        }
        place = ("agent", "chat", "on_behalf_of")
        self._on_behalf_of = None if config.on_behalf_of is None else compile_text(config.on_behalf_of, place)

    async def __aenter__(self) -> Self:
        """Opens the connections."""
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Closes them."""
        await self._model.__aexit__(kind, value, trace)

    async def ask(self, request: Request) -> Reply:
        """One request. 429 and every 5xx are infrastructure, an absent key is a secret; the rest is the agent's own."""
        try:
            prompt = self.prompt(request)
        except TemplateError as error:
            raise AskFailed(Fault(kind=FaultKind.AGENT, message=str(error))) from None
        started = time.perf_counter()
        try:
            completion = await self._model.complete(prompt)
        except ProviderError as error:
            fault = Fault.of(_FAULT_OF[error.failure], error.message)
            raise AskFailed(fault, retryable=error.retryable, retry_after_s=error.after_s) from None
        return self._reply(completion, (time.perf_counter() - started) * 1000)

    def prompt(self, request: Request) -> Prompt:
        """What the model is sent. Raises `TemplateError`."""
        values = {"case_id": request.case_id, "trial": request.trial}
        system = [self._config.system] if self._config.system else []
        system += [message.content for message in request.messages if message.role == "system"]
        return Prompt(
            system="\n\n".join(system),
            turns=tuple(_turn(message) for message in request.messages if message.role != "system"),
            tools=self._config.tools,
            metadata={name: str(fill(values)) for name, fill in self._metadata.items()},
            on_behalf_of=None if self._on_behalf_of is None else str(self._on_behalf_of(values)),
        )

    def _reply(self, completion: Completion, duration_ms: float) -> Reply:
        price = price_of(self._config.model) or price_of(completion.model)
        usage = completion.usage
        return Reply(
            output=completion.text or completion.refusal or "",
            tool_calls=completion.tool_calls,
            usage=usage,
            cost_usd=plain_usd(price.cost_usd(usage)) if price and usage else None,
            model=completion.model,
            duration_ms=duration_ms,
        )

    def describe(self) -> dict[str, JsonValue]:
        """Provider, model, host, system prompt, tools; never the key."""
        written = self._config.model_dump(mode="json", exclude_defaults=True, exclude={"base_url", "api_key_env"})
        return {"kind": "chat", **written, "host": self._model.host}

    def trials(self, case_id: str) -> int | None:
        """As many as the run asks for."""
        return None


def _turn(message: Message) -> Turn:
    """A message as a turn. A tool's result in a golden input has no call it answers, so it is told as text."""
    if message.role == "assistant":
        return Turn("assistant", message.content)
    if message.role == "tool":
        return Turn("user", f"[result of {message.name or 'a tool'}]\n{message.content}")
    return Turn("user", message.content)
