"""
`state` of a program: of its workspace, of its session (`state.session`), of a workspace that is shared (`state.shared(name)`).
"""

import asyncio
import inspect


class _State:
    def __init__(self, calls, where):
        self._calls = calls
        self._where = where

    def get(self, key, default=None):
        return self._ask("stateGet", {"key": key}, lambda found: found.get("value") if found["version"] else default)

    def set(self, key, value):
        return self._ask("stateSet", {"key": key, "value": value}, lambda written: None)

    def delete(self, key):
        return self._ask("stateDelete", {"key": key})

    def list(self, prefix=None):
        return self._ask("stateList", {} if prefix is None else {"prefix": prefix})

    def update(self, key, change):
        """Others write at the same time: where one was faster, the function is called again with what is there now."""
        if not callable(change):
            raise TypeError("state.update takes a key and a function from the old value to the new one")
        return self._update(key, change) if _has_loop() else self._update_blocking(key, change)

    async def _update(self, key, change):
        found = await self._ask("stateGet", {"key": key})
        while True:
            value = change(found.get("value"))
            value = _checked(await value if inspect.isawaitable(value) else value)
            written = await self._write(key, value, found)
            if written["isWritten"]:
                return value
            found = written.get("current") or {"version": 0}

    def _update_blocking(self, key, change):
        """In a thread of the program's own."""
        found = self._ask("stateGet", {"key": key}).result()
        while True:
            value = _checked(change(found.get("value")))
            written = self._write(key, value, found).result()
            if written["isWritten"]:
                return value
            found = written.get("current") or {"version": 0}

    def _write(self, key, value, found):
        return self._ask("stateSet", {"key": key, "value": value, "expected": found["version"]})

    def _ask(self, tool, args, read=None):
        return self._calls.call_own(tool, {**self._where, **args}, read=read)

    def __repr__(self):
        return "<state>"


class _Whole(_State):
    def __init__(self, calls):
        super().__init__(calls, {})
        self.session = _State(calls, {"scope": "session"})

    def shared(self, name):
        return _State(self._calls, {"shared": name})


def create_state(calls):
    return _Whole(calls)


def _checked(value):
    if value is None:
        raise TypeError("The function given to state.update returned None: return the new value; state.delete removes a key")
    return value


def _has_loop():
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
