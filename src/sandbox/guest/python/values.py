"""What programs and the host hand each other: JSON, with what Python has beside it."""

import base64
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import json
import math
import os
import re
import sys
import uuid

from .binary import describe_bytes

MAX_DEPTH = 512
_MAX_ITEMS = 1_000_000
_LONG_NUMBER = re.compile(r"\d{16}")
_MAX_SAFE = 2**53
_BYTES = (bytes, bytearray, memoryview)
_KEPT_BYTES = '<{}: Path("workspace/…").write_bytes(…) keeps them, emit(…) shows them>'


class Result(dict):
    """A dict whose entries are attributes as well. The methods of dict come first: `result["items"]`."""

    __slots__ = ()

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            pass
        if name.startswith("__"):
            raise AttributeError(name)
        known = ", ".join(map(str, list(self)[:20]))
        raise AttributeError(f'The result has no "{name}", it has: {known}' if known else f'The result has no "{name}", it is empty')

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        try:
            del self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __reduce__(self):
        return dict, (dict(self),)


def from_json(text):
    return json.loads(text, object_hook=Result)


def to_json(value, what, to_plain=None):
    """JSON text as bytes. The fast way first; what it can't take is looked at piece by piece."""
    to_plain = to_plain or _to_plain
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=to_plain)
        if _LONG_NUMBER.search(text):
            raise ValueError
    except (ValueError, TypeError, RecursionError, OverflowError):
        text = _dump_copy(value, what, to_plain)
    return to_utf8(text)


def to_result_json(value):
    """What a program gives back is read by a model: bytes are told of there, and handed over nowhere but in calls, as base64."""

    def to_plain(one):
        return _KEPT_BYTES.format(describe_bytes(one)[1:-1]) if isinstance(one, _BYTES) else _to_plain(one)

    return to_json(value, "The result", to_plain)


def _dump_copy(value, what, to_plain):
    before = sys.getrecursionlimit()
    # The depth of a value is held by its own limit.
    sys.setrecursionlimit(max(before, 8 * MAX_DEPTH))
    try:
        return json.dumps(_Copier(what, to_plain).copy(value, 0), ensure_ascii=False, separators=(",", ":"))
    finally:
        sys.setrecursionlimit(before)


def to_utf8(text):
    """Halves of a character, which UTF-8 does not have, become its sign for that."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


class _Copier:
    def __init__(self, what, to_plain):
        self._what = what
        self._to_plain = to_plain
        self._around = []

    def copy(self, value, depth):
        if value is None or isinstance(value, (bool, str)):
            return str(value) if isinstance(value, str) else value
        if isinstance(value, int):
            return int(value) if -_MAX_SAFE <= value <= _MAX_SAFE else str(int(value))
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if any(value is other for other in self._around):
            return "[Circular]"
        if depth > MAX_DEPTH:
            raise ValueError(
                f"{self._what} cannot be handed over: nested deeper than {MAX_DEPTH} levels. "
                "Hand over a flatter value: a list of nodes that name their parents, for example"
            )
        self._around.append(value)
        try:
            if isinstance(value, dict):
                return {_to_key(key): self.copy(item, depth + 1) for key, item in list(value.items())}
            if isinstance(value, (list, tuple)):
                return [self.copy(item, depth + 1) for item in value]
            return self.copy(self._to_plain(value), depth + 1)
        finally:
            self._around.pop()


def _to_key(key):
    if isinstance(key, str):
        return str(key)
    if key is None or isinstance(key, (bool, int, float)):
        return json.dumps(key)
    return str(key)


# How values of other kinds are written; what waits for a call knows itself (calls.py).
_plain_forms = []


def teach(kind, form):
    _plain_forms.append((kind, form))


def _to_plain(value):
    """One step towards JSON."""
    for kind, form in _plain_forms:
        if isinstance(value, kind):
            return form(value)
    if isinstance(value, _BYTES):
        return base64.b64encode(value).decode()
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal):
        return _exactly(value)
    if isinstance(value, (uuid.UUID, os.PathLike)):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return _sorted(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    # As numpy and pandas have it, and `array`.
    for name in ("tolist", "item", "to_dict"):
        if not isinstance(value, type) and callable(getattr(value, name, None)):
            return getattr(value, name)()
    if isinstance(value, complex):
        return str(value)
    if isinstance(value, (type, collections.abc.Callable)):
        return f"<{getattr(value, '__name__', type(value).__name__)}>"
    if isinstance(value, collections.abc.Iterable):
        return _first_items(value)
    if hasattr(value, "__dict__"):
        return {key: item for key, item in vars(value).items() if not key.startswith("_")}
    return str(value)


def _exactly(value):
    """A number where one is just that, else its text: nothing is lost of an amount."""
    if not value.is_finite():
        return None
    if value == value.to_integral_value():
        return int(value) if abs(value) < _MAX_SAFE else str(value)
    number = float(value)
    return number if decimal.Decimal(repr(number)) == value else str(value)


def _sorted(items):
    """The order of a set is no order; the same set is the same text each time."""
    try:
        return sorted(items)
    except TypeError:
        return list(items)


def _first_items(items):
    taken = []
    for item in items:
        if len(taken) == _MAX_ITEMS:
            raise ValueError(f"More than {_MAX_ITEMS} items cannot be handed over")
        taken.append(item)
    return taken
