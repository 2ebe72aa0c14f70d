"""
`state` of a program: of its workspace, of its session (`state.session`), of a workspace that is shared (`state.shared(name)`).
"""

import asyncio
import difflib
import inspect

_METHODS = ("get", "set", "delete", "list", "update")


class State:
    """Its name is what Python tells of a call with wrong arguments."""

    def __init__(self, calls, where):
        self.__dict__.update(_calls=calls, _where=where)

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

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        known = [*_METHODS, *(("session", "shared") if isinstance(self, WholeState) else ())]
        near = difflib.get_close_matches(name[:100], known, 1)
        hint = f"Did you mean state.{near[0]}?" if near else f"It has {', '.join(known)}"
        raise AttributeError(f'state has no "{name[:100]}". {hint}')

    def __setattr__(self, name, value):
        raise AttributeError(f'state has no attributes to set. Write await state.set("{name[:100]}", value)')

    def __getitem__(self, key):
        raise _no_dict(f"await state.get({_shown(key)})")

    def __setitem__(self, key, value):
        raise _no_dict(f"await state.set({_shown(key)}, value)")

    def __delitem__(self, key):
        raise _no_dict(f"await state.delete({_shown(key)})")

    def __contains__(self, key):
        raise _no_dict(f"await state.get({_shown(key)}) is not None")

    def __iter__(self):
        raise _no_dict("await state.list()")

    def __repr__(self):
        return "<state>"


class WholeState(State):
    def __init__(self, calls):
        super().__init__(calls, {})
        self.__dict__["session"] = State(calls, {"scope": "session"})

    def shared(self, name):
        return State(self._calls, {"shared": name})


def create_state(calls):
    return WholeState(calls)


def _no_dict(instead):
    return TypeError(f"state is no dict. Write {instead}")


def _shown(key):
    return f'"{key[:100]}"' if isinstance(key, str) else "key"


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
