"""A scripted stand-in for the services of claude and codex, on loopback.

    model_server.py --script=<file> --port-file=<file> --log=<file> [--var=<NAME=VALUE>]...

The script is {"replies": [{"match": {...}, "text": "...", "tool": {"name": ..., "input": ...}}]}. A
request takes the first unspent reply whose `match` fits: `api`, `turn` equal, `prompt`, `text` a
part. Each serves once, or as often as it is asked with `"times": 0`. {{NAME}} becomes the
variable's value, <<Name>> what the line **Name:** of the prompt says, <<@Name>> what the file named
there holds. Each request becomes one line of the log, with the tokens that its answer tells; values
of headers are not kept.

A reply may go wrong: `"status": 401` answers with that HTTP error (`error` its members, `headers`),
`"cut": true` drops the stream half way, `"wait": 60` says nothing for so many seconds, `"model"`
answers as another model.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

from model_wire import Ask, Json, answer, failure, fill, read_ask, usage

NONE_LEFT = {"text": "The script has no reply left for this request."}


class Script:
    """Hands out the replies, each as often as it may be used."""

    def __init__(self, path: Path, variables: dict[str, str]) -> None:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"\{\{(\w+)\}\}", lambda m: json.dumps(variables[m[1]])[1:-1], text)
        self.replies: list[Json] = json.loads(text)["replies"]
        self.left = [reply.get("times", 1) or sys.maxsize for reply in self.replies]
        self.lock = threading.Lock()

    def take(self, ask: Ask) -> Json:
        with self.lock:
            for index, reply in enumerate(self.replies):
                if self.left[index] and not ask.side and _fits(reply.get("match", {}), ask):
                    self.left[index] -= 1
                    return reply
        return {"text": "side"} if ask.side else NONE_LEFT


def _fits(match: Json, ask: Ask) -> bool:
    if any(match[name] != getattr(ask, name) for name in ("api", "turn") if name in match):
        return False
    return match.get("prompt", "") in ask.prompt and match.get("text", "") in ask.text


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script
    log: IO[str]
    log_lock = threading.Lock()
    counter = itertools.count(1)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing on stderr."""

    def do_HEAD(self) -> None:
        self._try()

    def do_GET(self) -> None:
        self._try()

    def do_POST(self) -> None:
        self._try()

    def _try(self) -> None:
        try:
            self._serve()
        except ConnectionError:  # the client was ended
            self.close_connection = True

    def _serve(self) -> None:
        number = next(self.counter)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body: Json = json.loads(raw) if raw else {}
        except ValueError:
            body = {}
        path = self.path.split("?")[0]
        known = path in ("/v1/messages", "/v1/responses")
        headers = {name.lower(): value for name, value in self.headers.items()}
        ask = read_ask(path, body, headers) if known else None
        row = {"n": number, "path": path, "turn": ask.turn if ask else None, "body": body}
        if ask is None:
            self._note(row)
            self._send_other(path)
            return
        reply = fill(self.script.take(ask), ask.prompt, lambda name: Path(name).read_text("utf-8"))
        told = None if "status" in reply else usage(number, ask.api)
        self._note({**row, "usage": told})
        time.sleep(reply.get("wait", 0))
        if "status" in reply:
            self._send_json(reply["status"], failure(reply), reply.get("headers", {}))
            return
        events, whole = answer(ask, reply, number)
        if ask.stream:
            half = len(events) // 2 if reply.get("cut") else len(events)
            self._send_events(events[:half], reply.get("headers", {}))
        else:
            self._send_json(200, whole)

    def _send_other(self, path: str) -> None:
        if path.endswith("count_tokens"):
            self._send_json(200, {"input_tokens": 100})
        elif path.endswith("/models"):
            self._send_json(200, {"object": "list", "data": [], "models": [], "has_more": False})
        else:
            self._send_json(404, {"type": "error", "error": {"message": "not served here"}})

    def _send_json(self, status: int, value: Json, headers: Json | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_events(self, events: list[tuple[str, Json]], headers: Json) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, data in events:
            self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
            self.wfile.flush()

    def _note(self, row: Json) -> None:
        with self.log_lock:
            self.log.write(json.dumps(row, ensure_ascii=False) + "\n")
            self.log.flush()


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("script", "log", "port-file"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--var", action="append", default=[])
    arguments = parser.parse_args()
    variables = dict(pair.split("=", 1) for pair in arguments.var)
    Handler.script = Script(Path(arguments.script), variables)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with open(arguments.log, "a", encoding="utf-8") as log:
        Handler.log = log
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        part = Path(arguments.port_file + ".part")
        part.write_text(f"{server.server_port}\n", encoding="utf-8")
        part.rename(arguments.port_file)
        server.serve_forever()


if __name__ == "__main__":
    main()
