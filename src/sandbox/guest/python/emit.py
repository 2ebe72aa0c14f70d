"""`emit` of a program: a content block for the user. Bytes become an image, a sound or a file, by what they say they are, else by how they begin."""

from .binary import sniff
from .calls import settle
from .values import to_json

_UNKNOWN_TYPE = "application/octet-stream"
_BYTES = (bytes, bytearray, memoryview)


def create_emit(send):
    count = 0

    def emit(value):
        nonlocal count
        count += 1
        send("emit", 0, to_json(_to_block(settle(value), count), "A block"))

    return emit


def _to_block(value, number):
    if isinstance(value, str):
        return {"type": "text", "text": value}
    if isinstance(value, _BYTES):
        return _to_bytes_block(value, sniff(value) or _UNKNOWN_TYPE, number)
    if not isinstance(value, dict) or not isinstance(value.get("data"), _BYTES):
        return value
    data = value["data"]
    mime_type = str(value.get("mimeType") or sniff(data) or _UNKNOWN_TYPE)
    return {**value, "mimeType": mime_type} if "type" in value else _to_bytes_block(data, mime_type, number)


def _to_bytes_block(data, mime_type, number):
    kind = mime_type.split("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": data, "mimeType": mime_type}
    return {"type": "resource", "resource": {"uri": f"keyhole://emitted/{number}", "mimeType": mime_type, "blob": data}}
