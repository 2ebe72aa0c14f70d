"""The transport of a guest in Pyodide: the same four functions as pipes.py has, over what stdio.js offers."""

import asyncio
import random
import tempfile
import time
import traceback

from pyodide.ffi import create_once_callable, run_sync, to_js

from . import prepare
from .frame_queue import FrameQueue
from .guest import Guest
from .values import from_json, to_json

_LOOK_EVERY_S = 0.005
_MAX_WORDS = 2000
# Of stdio.js.
_MUST_WAIT = False


class Pipes(FrameQueue):
    def __init__(self, read, wait, write):
        super().__init__()
        self._read = read
        self._wait = wait
        self._write = write
        self._looked = 0.0

    def _leave(self, data):
        self._write(to_js(data))

    def receive(self, timeout):
        """The next frame. Nothing when the time (in seconds; None for no limit) is over. EOFError at the end."""
        while not self._waiting:
            data = self._look(timeout)
            if not data and timeout is not None:
                return None
            self._arrive(data)
        return self._waiting.pop()

    def _look(self, timeout):
        """The bytes that came. Who does not wait looks only now and then: each look takes a turn of JavaScript's loop."""
        if timeout == 0:
            now = time.monotonic()
            if now - self._looked < _LOOK_EVERY_S:
                return b""
            self._looked = now
        milliseconds = None if timeout is None else max(0.0, timeout) * 1000
        data = self._read(milliseconds)
        if data is _MUST_WAIT:
            data = _wait_for(self._wait, milliseconds)
        if data is None:
            raise EOFError
        return data.to_bytes()

    def wake(self):
        """There is no other thread that could wait."""


class _AtOnce:
    """As the loop of a future: who waits for it is told when it is settled, not in a later turn."""

    def get_debug(self):
        return False

    def call_soon(self, callback, *given, context=None):
        callback(*given)


_AT_ONCE = _AtOnce()


def _wait_for(wait, milliseconds):
    """Has JavaScript's own loop go on until there is something. A promise would be left to Python's loop, which stands still."""
    arrival = asyncio.Future(loop=_AT_ONCE)
    wait(milliseconds, create_once_callable(arrival.set_result))
    return run_sync(arrival)


def _create_sleep(stand_still):
    """In place of Pyodide's, which would leave it to Python's loop."""

    def sleep(seconds, /):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        stand_still(seconds * 1000)

    return sleep


def warm_up():
    """What every program needs, once: WebAssembly is compiled when it is first used."""
    prepare.prepare(_SAMPLE, ["server"], None)
    from_json(to_json({"a": [1, "b", None, 2.5]}, ""))


_SAMPLE = "import json\nasync def one(n):\n    return await server.get(id=n)\nx = [await one(n) for n in range(2)]\nprint(json.dumps(x))\nx"


def serve(read, wait, write, stand_still, exit, tell, has_time):
    """What was random when the snapshot was made is the same in all that start from it. `os.urandom` is not in it."""
    random.seed()
    tempfile._name_sequence = None
    time.sleep = _create_sleep(stand_still)
    if has_time:
        warm_up()
    try:
        Guest(Pipes(read, wait, write), exit).serve()
    except BaseException:
        # For the person who reads how the process ended.
        tell(traceback.format_exc()[-_MAX_WORDS:])
    exit(1)
