"""An endpoint as quilate asks it: {"case_id", "input", "messages"} in, {"output", "tool_calls"} out."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def run(question):
    """Answers one case; replace it by your agent."""
    number = re.search(r"\d{4,}", question)
    if number:
        call = {"name": "get_order", "args": {"number": number[0]}}
        return {"output": f"Order {number[0]} is on its way.", "tool_calls": [call]}
    return {"output": "Gladly. What is your order number?", "tool_calls": []}


class Handler(BaseHTTPRequestHandler):
    """Answers `GET` so that quilate knows when the server is up, and a case on `POST`."""

    def do_GET(self):
        """Ready."""
        self.reply({"ready": True})

    def do_POST(self):
        """One case."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.reply(run(asked["input"]))

    def reply(self, value):
        """Sends JSON."""
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        """Silent."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
