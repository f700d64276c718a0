"""An agent on loopback that takes its time and next to no processor: `server.py LATENCY_MS`; prints its address.

It answers `POST /ask` as a plain JSON agent and `POST /v1/chat/completions` as a model, so that quilate and its peers
ask the same server. The answer repeats the question, in which each case has its number.
"""

from __future__ import annotations

import asyncio
import json
import sys


class Agent(asyncio.Protocol):
    """One connection."""

    latency_s = 0.05

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.received = bytearray()

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.received[:end]).decode("latin-1")
            headers = dict(line.lower().split(":", 1) for line in head.split("\r\n")[1:])
            length = int(headers.get("content-length", 0))
            if len(self.received) < end + 4 + length:
                return
            body = json.loads(self.received[end + 4 : end + 4 + length])
            del self.received[: end + 4 + length]
            asyncio.get_running_loop().call_later(self.latency_s, self.answer, body)

    def answer(self, body: dict[str, object]) -> None:
        messages = body.get("messages")
        question = messages[-1]["content"] if isinstance(messages, list) else ""
        text = f"You asked: {question}"
        if "model" in body:
            message = {"role": "assistant", "content": text}
            usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
            answer: dict[str, object] = {
                "id": "1", "object": "chat.completion", "created": 1, "model": "m", "usage": usage,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }  # fmt: skip
        else:
            answer = {"output": text, "tool_calls": [{"name": "lookup", "args": {"number": "1"}}]}
        content = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self.transport.write(head.encode() + content)


async def main() -> None:
    Agent.latency_s = float(sys.argv[1]) / 1000
    server = await asyncio.get_running_loop().create_server(Agent, "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
