"""What `print` shows of bytes and of base64: what they are and how many, wherever in a value they stand. As ../javascript/log-values.js."""

import re

from .binary import describe_bytes, to_byte_text
from .calls import settle

_MIN_BASE64 = 200
_LOOK_AT = 2000
_MAX_DEPTH = 8
_MAX_LOOKED_AT = 10_000
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_MIME_TYPE = re.compile(r"[\w.+-]{1,40}/[\w.+-]{1,60}")


class _Words:
    """Stands for a value in a log."""

    def __init__(self, words):
        self._words = words

    def __repr__(self):
        return self._words


def create_print(real):
    def print(*given, **options):
        real(*(show(settle(value)) for value in given), **options)

    return print


def show(root):
    """The same value, or a copy in which bytes and base64 are replaced by words. Looks into plain dicts and lists alone."""
    left = _MAX_LOOKED_AT

    def look(value, depth):
        nonlocal left
        left -= 1
        if left < 0 or depth > _MAX_DEPTH:
            return value
        words = describe(value)
        if words is not None:
            return _Words(words)
        if isinstance(value, dict):
            changed = {key: look(item, depth + 1) for key, item in value.items()}
            return changed if any(changed[key] is not item for key, item in value.items()) else value
        if type(value) in (list, tuple):
            items = [look(item, depth + 1) for item in value]
            return type(value)(items) if any(new is not old for new, old in zip(items, value)) else value
        return value

    return look(root, 0) if isinstance(root, (dict, list, tuple, bytes, bytearray, memoryview)) else root


def describe(value):
    if isinstance(value, (bytes, bytearray, memoryview)):
        return describe_bytes(value)
    if isinstance(value, str):
        return _describe_text(value)
    if not isinstance(value, dict):
        return None
    kind = value.get("type")
    if kind in ("image", "audio"):
        return _describe_data(value.get("data"), value.get("mimeType"), kind)
    resource = value.get("resource") if kind == "resource" else None
    return _describe_data(resource.get("blob"), resource.get("mimeType"), "file") if isinstance(resource, dict) else None


def _describe_data(data, mime_type, otherwise):
    if isinstance(data, (bytes, bytearray)):
        size = len(data)
    elif isinstance(data, str):
        size = len(data) * 3 // 4
    else:
        return None
    is_known = isinstance(mime_type, str) and _MIME_TYPE.fullmatch(mime_type)
    return f"<{mime_type if is_known else otherwise}, {to_byte_text(size)}>"


def _describe_text(text):
    if len(text) < _MIN_BASE64:
        return None
    kind, start = "base64", 0
    if text.startswith("data:"):
        end = text[:200].find(";base64,")
        if end < 0:
            return None
        kind, start = text[5:end] if _MIME_TYPE.fullmatch(text[5:end]) else kind, end + 8
    sample = text[start : start + _LOOK_AT]
    is_mixed = all(re.search(kinds, sample) for kinds in ("[A-Z]", "[a-z]", "[0-9]")) and not re.fullmatch("[0-9a-fA-F]+", sample)
    if not _BASE64.fullmatch(sample) or not is_mixed:
        return None
    return f"<{kind}, {to_byte_text(len(text) * 3 // 4)}>"
