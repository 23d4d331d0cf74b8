"""How two model services speak: Anthropic Messages (claude) and OpenAI Responses (codex). Pure.

A request is read into an `Ask`; a scripted reply becomes the stream's events and the whole answer.
Only what a client needs to finish a turn is here; no word is generated.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any, Callable, Mapping, NamedTuple

Json = dict[str, Any]
Events = list[tuple[str, Json]]

_ROW = r"^- `[^`]+` sha256:[0-9a-f]{12}$"  # an input that a prompt names


class Ask(NamedTuple):
    """What a script can match on."""

    api: str  # messages or responses
    model: str
    side: bool  # asked by the client for itself, such as a title
    turn: int  # how often the model has spoken in this conversation
    prompt: str  # what stood there before it first spoke
    text: str  # the whole conversation
    stream: bool


def read_ask(path: str, body: Json, headers: Mapping[str, str]) -> Ask:
    """Return what a request asks. `headers` has names in lower case."""
    api = path.removeprefix("/v1/")
    items = body.get("input" if api == "responses" else "messages") or []
    history = [item for item in items if isinstance(item, dict)]
    spoke = [_from_model(item) for item in history]
    first = spoke.index(True) if True in spoke else len(spoke)
    tools = body.get("tools") or any(item.get("type") == "additional_tools" for item in history)
    title = '"thread_source":"thread_title"' in headers.get("x-codex-turn-metadata", "")
    return Ask(
        api=api,
        model=str(body.get("model", "")),
        side=title or not tools,
        # A text and the calls beside it are one turn.
        turn=sum(now and not before for before, now in zip([False, *spoke], spoke, strict=False)),
        prompt="\n".join(_strings(history[:first])),
        text="\n".join(_strings(history)),
        stream=bool(body.get("stream")),
    )


def answer(ask: Ask, reply: Json, number: int) -> tuple[Events, Json]:
    """Return the stream's events and the whole answer to the `number`th request."""
    ask = ask._replace(model=reply.get("model", ask.model))
    return (_responses if ask.api == "responses" else _messages)(ask, reply, number)


def usage(number: int, api: str) -> dict[str, int]:
    """Return the tokens of the answer to the `number`th request, each in one class alone."""
    written = 10 if api == "messages" else 0  # codex's service tells of none
    cached = {"cacheRead": 20 * number, "cacheWrite": written}
    return {"input": 100 + number, "output": 15 + number, **cached}


def fill(value: Any, prompt: str, read: Callable[[str], str]) -> Any:
    """Return a reply in which each `<<Name>>` is the value of the prompt's line `**Name:** …`.

    `<<@Name>>` is what the file of that name holds, by `read`; `<<Inputs>>` the rows of the inputs
    that the prompt names. Behind a `+`, as in a patch, each of their lines begins with one.
    """
    if isinstance(value, dict):
        return {name: fill(part, prompt, read) for name, part in value.items()}
    if not isinstance(value, str):
        return value
    headers = dict(re.findall(r"^\*\*([A-Za-z ]+):\*\* (.*?)\s*$", prompt, re.MULTILINE))
    headers["Inputs"] = "\n".join(dict.fromkeys(re.findall(_ROW, prompt, re.MULTILINE)))

    def told(token: re.Match[str]) -> str:
        edge, of_file, name = token[1] or "", token[2], token[3]
        if name not in headers:
            return token[0]
        text = read(headers[name]) if of_file else headers[name]
        return edge + text.replace("\n", f"\n{edge}")

    return re.sub(r"(?m)(^\+)?<<(@?)([A-Za-z ]+)>>", told, value)


def failure(reply: Json) -> Json:
    """Return the body of an HTTP error: both services wrap its members alike."""
    error = {"type": "api_error", "message": f"scripted {reply['status']}"}
    return {"type": "error", "error": {**error, **reply.get("error", {})}}


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in parts for text in _strings(part)]


def _from_model(item: Json) -> bool:
    kind = str(item.get("type", ""))
    return item.get("role") == "assistant" or kind.endswith(("_call", "reasoning"))


def _messages(ask: Ask, reply: Json, number: int) -> tuple[Events, Json]:
    used = usage(number, ask.api)
    counts = {
        "input_tokens": used["input"],
        "cache_creation_input_tokens": used["cacheWrite"],
        "cache_read_input_tokens": used["cacheRead"],
        "output_tokens": used["output"],
    }
    blocks: list[Json] = [{"type": "text", "text": reply["text"]}]
    if tool := reply.get("tool"):
        block = {"type": "tool_use", "id": f"toolu_{number:04d}", "name": tool["name"]}
        blocks.append({**block, "input": tool["input"]})
    stop = "tool_use" if tool else "end_turn"
    head: Json = {"id": f"msg_{number:04d}", "type": "message", "role": "assistant"}
    head |= {"model": ask.model, "stop_sequence": None}
    whole = {**head, "content": blocks, "stop_reason": stop, "usage": counts}
    start = {**head, "content": [], "stop_reason": None, "usage": {**counts, "output_tokens": 1}}
    events: Events = [("message_start", {"message": start})]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            begun = {**block, "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            begun = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append(("content_block_start", {"index": index, "content_block": begun}))
        events.append(("content_block_delta", {"index": index, "delta": delta}))
        events.append(("content_block_stop", {"index": index}))
    ended = {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": counts}
    events += [("message_delta", ended), ("message_stop", {})]
    return [(name, {"type": name, **data}) for name, data in events], whole


def _responses(ask: Ask, reply: Json, number: int) -> tuple[Events, Json]:
    text = {"type": "output_text", "text": reply["text"], "annotations": []}
    done = {"status": "completed"}
    said = {"type": "message", "id": f"msg_{number:04d}", "role": "assistant", **done}
    items: list[Json] = [{**said, "content": [text]}]
    if tool := reply.get("tool"):
        call = {"id": f"item_{number:04d}", "call_id": f"call_{number:04d}", "name": tool["name"]}
        if isinstance(tool["input"], str):  # a freeform tool
            items.append({"type": "custom_tool_call", **call, **done, "input": tool["input"]})
        else:
            words = {"arguments": json.dumps(tool["input"])}
            items.append({"type": "function_call", **call, **done, **words})
    used = usage(number, ask.api)
    read = used["input"] + used["cacheRead"]
    counts = {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": used["cacheRead"]},
        "output_tokens": used["output"],
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + used["output"],
    }
    head: Json = {"id": f"resp_{number:04d}", "object": "response", "created_at": int(time.time())}
    head |= {"model": ask.model, "error": None}
    whole = {**head, **done, "output": items, "usage": counts}
    begun = {**head, "status": "in_progress", "output": []}
    events: Events = [("response.created", {"response": begun})]
    for index, item in enumerate(items):
        place = {"output_index": index}
        if item["type"] == "message":
            part = {**place, "item_id": item["id"], "content_index": 0}
            added = {**place, "item": {**item, "status": "in_progress", "content": []}}
            events.append(("response.output_item.added", added))
            events.append(("response.output_text.delta", {**part, "delta": reply["text"]}))
            events.append(("response.output_text.done", {**part, "text": reply["text"]}))
        else:
            events.append(("response.output_item.added", {**place, "item": item}))
        events.append(("response.output_item.done", {**place, "item": item}))
    events.append(("response.completed", {"response": whole}))
    numbered = enumerate(events)
    return [(name, {"type": name, "sequence_number": n, **d}) for n, (name, d) in numbered], whole
