"""The calls under way. Each leaves as a frame when it is made, and is settled by the frame that answers it."""

import asyncio
import collections.abc
import math
import threading

from . import values
from .frames import FRAME
from .values import from_json, to_json

_MAX_NAME = 512
_MAX_TIMEOUT_MS = 2**31 - 1
_KEYHOLE = "keyhole"
# As programs know them.
_OWN_NAMES = {
    "runCommand": "run_command",
    "searchTools": "search_tools",
    "runResult": "runs.result",
    "saveSkill": "save_skill",
    "stateGet": "state.get",
    "stateSet": "state.set",
    "stateDelete": "state.delete",
    "stateList": "state.list",
}


class ToolError(Exception):
    """The failure of a tool, as a program meets it."""

    def __init__(self, server, tool, message, code=None):
        super().__init__(message)
        self.server = server
        self.tool = tool
        self.message = message
        self.code = code

    def __reduce__(self):
        return ToolError, (self.server, self.tool, self.message, self.code)


# As Python writes it in a traceback: without the name of a module.
ToolError.__module__ = "builtins"


class PendingCall(collections.abc.Coroutine):
    """
    A call that was made. `await` waits for it beside others; any plain use of it blocks until the answer is there. plain.py
    decides by the program's text which of them is meant; the methods below are for what the text does not show.
    """

    def __init__(self, calls, id, server, tool, read=None):
        self._calls = calls
        self._id = id
        self._server = server
        self._tool = tool
        self._read = read
        self._place = calls.place_of_call()
        self._answer = None
        self._is_taken = False
        self._value = None
        self._futures = []
        self._steps = None

    def __await__(self):
        if self._answer is None:
            future = asyncio.get_running_loop().create_future()
            self._futures.append(future)
            self._calls.watch(self)
            try:
                yield from future
            except asyncio.CancelledError:
                self._futures = [other for other in self._futures if other is not future]
                if not self._futures and self._answer is None:
                    self._calls.cancel(self)
                raise
        return self._take()

    def send(self, value):
        if self._steps is None:
            self._steps = self.__await__()
        return next(self._steps) if value is None else self._steps.send(value)

    def throw(self, *thrown):
        if self._steps is None:
            self._steps = self.__await__()
        return self._steps.throw(*thrown)

    def close(self):
        if self._steps is not None:
            self._steps.close()

    def done(self):
        return self._answer is not None

    def result(self):
        """Blocks until the answer is there."""
        if self._answer is None:
            self._calls.block_for(self)
        return self._take()

    def _take(self):
        if not self._is_taken:
            kind, payload = self._answer
            value = self._calls.read_answer(self, kind, payload)
            self._value = value if self._read is None or isinstance(value, ToolError) else self._read(value)
            self._is_taken = True
        if isinstance(self._value, ToolError):
            raise self._value
        return self._value

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.result(), name)

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other or self.result() == settle(other)


def settle(value):
    """What a plain use of a value gives: of a call its result, else the value itself."""
    return value.result() if type(value) is PendingCall else value


def _define_plain_uses():
    def one(name):
        def use(self, *rest):
            return getattr(self.result(), name)(*map(settle, rest))

        return use

    def by(function):
        return lambda self, *rest: function(self.result(), *map(settle, rest))

    def operator_of(name):
        import operator

        function = getattr(operator, name)
        return by(function)

    for name in ("getitem", "setitem", "delitem", "contains", "lt", "le", "gt", "ge"):
        setattr(PendingCall, f"__{name}__", operator_of(name))
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_"):
        plain = name.rstrip("_")
        setattr(PendingCall, f"__{plain}__", operator_of(name))
        setattr(PendingCall, f"__r{plain}__", _reversed(name))
    for name, function in (
        ("len", len),
        ("iter", iter),
        ("bool", bool),
        ("str", str),
        ("repr", repr),
        ("int", int),
        ("float", float),
        ("format", format),
        ("reversed", reversed),
        ("dir", dir),
    ):
        setattr(PendingCall, f"__{name}__", by(function))
    PendingCall.__index__ = one("__index__")


def _reversed(name):
    import operator

    function = getattr(operator, name)
    return lambda self, other: function(other, self.result())


_define_plain_uses()
values.teach(PendingCall, settle)


class Calls:
    def __init__(self, hub, before_call=lambda: None):
        self._hub = hub
        self._open = {}
        self._last_id = 0
        self._making = threading.Lock()
        self.before_call = before_call
        self.before_answer = lambda id: None
        # A steady program decides itself when an answer counts as there (steady.py).
        self.on_answer = lambda id, act: act()
        # Of the skill that makes a call, where there are skills.
        self.place_of_call = lambda: None
        self.block = lambda is_there: hub.wait(is_there)
        hub.handle(["result", "resultBytes", "failure"], self._receive)

    @property
    def open_count(self):
        return len(self._open)

    def is_open(self, id):
        return str(id).isdigit() and int(id) in self._open

    def call_tool(self, server, tool, args, timeout_ms=None):
        return self._make("call", str(server), str(tool), args, timeout_ms)

    def call_own(self, tool, args, timeout_ms=None, read=None):
        """What Keyhole does itself, no server. `read`: what of the answer the program gets."""
        return self._make("ownCall", _KEYHOLE, tool, args, timeout_ms, read)

    def _make(self, kind, server, tool, args, timeout_ms, read=None):
        text = to_json(args, "The arguments of a call")
        limit = _read_timeout(timeout_ms, tool)
        names = [server, tool] if kind == "call" else [tool]
        for name in names:
            if not 0 < len(name) <= _MAX_NAME:
                message = f"There is no server and no tool with a name of {len(name)} characters: 1 to {_MAX_NAME} are allowed"
                raise ToolError(server[:100], tool[:100], message, "tool_unknown")
        with self._making:
            self._last_id += 1
            call = PendingCall(self, self._last_id, server, _OWN_NAMES.get(tool, tool) if kind == "ownCall" else tool, read)
            self._open[call._id] = call
            self.before_call()
            head = b",".join(to_json(name, "") for name in names)
            self._hub.send(kind, call._id, b"[%b,%b,%b]" % (head, text, limit))
        return call

    def watch(self, call):
        """An answer that came before somebody waited for it is told to those who wait."""
        if call._answer is not None:
            self._tell(call)

    def block_for(self, call):
        self.block(lambda: call._answer is not None)

    def cancel(self, call):
        if self._open.pop(call._id, None) is None:
            return
        self._hub.send("cancel", call._id)
        message = f'The program cancelled its call of "{call._tool}" of "{call._server}"'
        self._settle(call, (None, ToolError(call._server, call._tool, message, "cancelled")))

    def _receive(self, kind, id, payload):
        self.on_answer(id, lambda: self._answer(kind, id, payload))

    def _answer(self, kind, id, payload):
        call = self._open.pop(id, None)
        # None: cancelled meanwhile.
        if call is not None:
            self.before_answer(id)
            self._settle(call, (kind, payload))

    def _settle(self, call, answer):
        call._answer = answer
        self._tell(call)

    def _tell(self, call):
        for future in call._futures:
            loop = future.get_loop()
            if loop.is_mine():
                _set(future)
            else:
                loop.call_soon_threadsafe(_set, future)
        call._futures = []

    def read_answer(self, call, kind, payload):
        if kind is None:
            return payload
        if kind == FRAME["resultBytes"]:
            return payload
        if kind == FRAME["result"]:
            return from_json(payload) if payload else None
        failure = from_json(payload)
        error = ToolError(call._server, call._tool, failure.get("message", ""), failure.get("code"))
        if call._place is not None:
            error._keyhole_place = call._place
        return error


def _set(future):
    if not future.done():
        future.set_result(None)


def _read_timeout(timeout_ms, tool):
    if timeout_ms is None:
        return b"null"
    if isinstance(timeout_ms, bool) or not isinstance(timeout_ms, (int, float)) or not timeout_ms > 0:
        raise TypeError(f'Cannot call "{tool}" with timeout_ms {timeout_ms!r}: expected milliseconds, more than 0')
    return str(math.ceil(min(timeout_ms, _MAX_TIMEOUT_MS))).encode()
