"""
Runs in the sandbox, before and around the program. It talks to the host in frames, by the transport it is given. Whatever a program
manages to do to it hurts that program alone: the process serves one run, and the host takes every frame for hostile.
"""

import asyncio
import builtins
import inspect
import json
import os
import sys
import types

from . import keep_tokens, plain, prepare
from .asyncio_mended import mend_asyncio
from .blocked import create_import
from .calls import Calls, PendingCall, ToolError, settle
from .commands import create_run_command
from .emit import create_emit
from .failures import PROGRAM, describe, describe_stuck, hide_own_frames, keep_source, place_of_call, place_of_frame
from .hub import Hub
from .json_mended import mend_json
from .log_values import create_print
from .loop import HostLoop
from .output import Output
from .pii import Pii
from .renew import rehearse, renew_random
from .save_skill import create_save_skill
from .servers import OwnAndServer, Servers, create_call_by_name
from .state import create_state
from .threads import Threads
from .values import to_json, to_result_json
from .warm_up import steps

_OFF_TRACK = "The program goes another way than it did before: nothing is left to do, and then more happened"


class Return(BaseException):
    """What `return` at the top level of a program is."""

    def __init__(self, value=None):
        super().__init__()
        self.value = value


class Guest:
    def __init__(self, transport, exit):
        self._exit = exit
        self._hub = hub = Hub(transport)
        hub.on_end = lambda: exit(0)
        self._calls = Calls(hub)
        self._pii = Pii()
        self._start = None
        self._returned = None
        self._is_done = False
        self._order = None
        self._threads = Threads(hub)
        self._outputs = [Output(hub, "info", 1), Output(hub, "error", 2)]
        hub.handle(["ping"], lambda kind, id, payload: (hub.send("pong", id), hub.flush()))
        hub.handle(["start"], self._keep_start)
        hub.handle(["renew"], self._renew)
        hub.handle(["facts"], lambda kind, id, payload: self._pii.hold(id, payload))
        self._calls.before_answer = self._pii.learn

    def serve(self, has_time=False):
        """Says that it is ready, waits for the program, and runs it. Never comes back."""
        self._hub.send("ready")
        for load in steps(prepare.prepare) if has_time else ():
            self._hub.poll()
            if self._start is not None:
                break
            try:
                load()
            except ImportError:
                # A Python that was built without it.
                pass
        self._hub.wait(lambda: self._start is not None)
        start, self._start = self._start, None
        self._run(start)

    def _renew(self, kind, id, payload):
        renew_random(payload)
        if id == 1:
            rehearse(lambda transport, start: Guest(transport, os._exit)._run(start))
            self._hub.send("pong", id)
            self._hub.flush()

    def _keep_start(self, kind, id, payload):
        self._start = json.loads(payload)

    def _run(self, start):
        _reseed()
        loop = HostLoop(self._hub, self._has_work, self._threads.has_work, self._on_idle)
        self._loop = loop
        loop.set_exception_handler(self._on_late_error)
        loop.set_task_factory(None)
        mend_asyncio(loop, self._new_loop)
        mend_json()
        # WebAssembly has no threads.
        self._threads.install(is_inline=start.get("steady") is not None or sys.platform == "emscripten")
        sys.stdout, sys.stderr = self._outputs
        sys.__stdout__, sys.__stderr__ = self._outputs
        self._pii.start(start.get("facts"))
        try:
            self._set_up(start, loop)
        except BaseException as error:
            self._fail(error)
        loop.serve(self._program(start["code"]))

    def _set_up(self, start, loop):
        if start.get("steady") is not None:
            from .steady import install_steady

            self._order = install_steady(start["steady"], loop, self._calls, self._hub)
        from .folders import install_folders

        install_folders(start, self._calls)
        from .network import install_network

        fetch, mend_http = install_network(start, self._hub, self._calls)
        self._globals = self._create_world(start, fetch, mend_http)

    def _create_world(self, start, fetch, mend_http):
        calls = self._calls
        servers = Servers(calls, start["servers"], start["aliases"], start["functions"])
        servers.install()
        self._server_names = [*servers.shown, *servers.spelled]
        own = types.ModuleType("__main__")
        own.__file__ = PROGRAM
        sys.modules["__main__"] = own
        sys.argv = [PROGRAM]
        keep_changed, keep_changer = keep_tokens.create_changers(start.get("tokenClasses") or ["-"])
        builtins.call_mcp_tool = create_call_by_name(calls)
        world = own.__dict__
        ours = dict(
            fetch=fetch,
            call_mcp_tool=builtins.call_mcp_tool,
            search_tools=self._search_tools,
            runs=types.SimpleNamespace(result=lambda id: calls.call_own("runResult", {"id": id})),
            run_command=create_run_command(calls),
            save_skill=create_save_skill(calls),
            state=create_state(calls),
            pii=self._pii.shown,
            emit=create_emit(self._hub.send),
            ToolError=ToolError,
        )
        # Models guess `from keyhole import ToolError`.
        sys.modules["keyhole"] = types.ModuleType("keyhole")
        sys.modules["keyhole"].__dict__.update(ours)
        # Another spelling of a server hides nothing that is there already.
        names = {name: server for name, server in servers.spelled.items() if name.isidentifier() and not hasattr(builtins, name)}
        names.update({name: server for name, server in servers.shown.items() if name.isidentifier()})
        names.update({name: OwnAndServer(value, names[name]) if name in servers.shown else value for name, value in ours.items()})
        names.update(
            {
                plain.SETTLE: self._settle,
                plain.SETTLED: _to_awaitable,
                keep_tokens.CHANGE: keep_changed,
                keep_tokens.CHANGER: keep_changer,
            },
        )
        own_builtins = {**vars(builtins), "__import__": create_import({"http": mend_http, "urllib": mend_http}), "exit": sys.exit, "quit": sys.exit, "print": create_print(print)}
        world.update(names, __builtins__=own_builtins, **{prepare.RETURN: Return, prepare.KEEP: None, prepare.CALLED: None})
        self._token_classes = start.get("tokenClasses")
        if start.get("skills"):
            from .skills import Skills

            calls.place_of_call = place_of_call
            Skills(start["skills"], lambda *given: self._make_module({**own_builtins, **names}, *given)).install()
        return world

    def _make_module(self, names, module, source, file):
        """Of a skill. What is global in programs is built in there, so that it is no part of the module."""
        module.__builtins__ = names
        code = prepare.prepare_skill(source, file, self._server_names, self._token_classes)
        done = types.FunctionType(code, module.__dict__)()
        if inspect.iscoroutine(done):
            asyncio.run(done)

    def _search_tools(self, query=None, detail=None, limit=None, **more):
        asked = detail if isinstance(detail, dict) else {"detail": detail, **more}
        args = {"query": query, "limit": limit, **asked}
        return self._calls.call_own("searchTools", {key: value for key, value in args.items() if value is not None})

    def _settle(self, value):
        """What a plain use of a call's value gives. A coroutine that is not awaited is run as if it were."""
        if type(value) is PendingCall:
            return value.result()
        if type(value) is types.CoroutineType and self._loop.is_mine():
            return self._loop.run_until_complete(value)
        if type(value) is map:
            return (settle(item) for item in value)
        return value

    def _new_loop(self):
        return HostLoop(self._hub, self._has_work, self._threads.has_work, lambda: self._hub.wait(lambda: False, 0.05))

    async def _program(self, source):
        world = self._globals
        try:
            keep_source(source)
            hide_own_frames()
            code, after = prepare.prepare(source, self._server_names, self._token_classes)
            try:
                done = types.FunctionType(code, world)()
                if inspect.iscoroutine(done):
                    await done
                value = world[prepare.KEEP] if after is None else world[after]()
                value = await _awaited(value)
                if value is None and after is None:
                    value = await _awaited(world[prepare.CALLED])
            except Return as returned:
                value = await _awaited(returned.value)
            self._returned = (value,)
        except BaseException as error:
            self._fail(error)

    def _has_work(self):
        return self._calls.open_count > 0

    def _on_late_error(self, loop, context):
        error = context.get("exception")
        if error is not None and "never retrieved" not in context.get("message", ""):
            self._fail(error)

    def _on_idle(self):
        """Nothing is left to do."""
        if self._order is not None and self._order.is_replaying:
            self._done({"ok": False, "error": {"message": _OFF_TRACK, "name": "Diverged"}})
        for task in self._loop.failed:
            if task._log_traceback:
                self._fail(task._exception)
        if self._returned is None:
            return self._done({"ok": False, "error": describe_stuck(self._places())})
        places = self._places()
        if places:
            text = f"(line {places[0]['line']} still awaits something that nothing can bring about any more)"
            self._hub.send("log", 2, text.encode())
        self._succeed(self._returned[0])

    def _places(self):
        """Where tasks wait; those first that wait for no other task."""
        tasks = sorted(asyncio.all_tasks(self._loop), key=lambda task: isinstance(getattr(task, "_fut_waiter", None), asyncio.Task))
        places = []
        for task in tasks:
            frames = [frame for frame in _frames(task) if frame.f_code.co_filename == PROGRAM]
            if frames:
                places.append(place_of_frame(frames[-1]))
        return places[:5]

    def _succeed(self, value):
        try:
            text = b"" if value is None else to_result_json(value)
        except BaseException as error:
            self._fail(error)
        self._send_done(b'{"ok":true}' if value is None else b'{"ok":true,"value":%b}' % text)

    def _fail(self, error):
        if isinstance(error, SystemExit):
            return self._end_itself(error.code)
        self._done({"ok": False, "error": describe(error)})

    def _end_itself(self, code):
        """`sys.exit()`: what was logged and called stays, and nothing runs after it."""
        if code in (None, 0, False):
            return self._send_done(b'{"ok":true}')
        if not isinstance(code, int):
            self._outputs[1].write(f"{code}\n")
            code = 1
        self._done({"ok": False, "error": {"message": f"The program ended itself with the exit code {code}", "name": "SystemExit"}})

    def _done(self, outcome):
        self._send_done(to_json(outcome, "The failure"))

    def _send_done(self, text):
        """Nothing runs after it: the host ends what is left."""
        for output in self._outputs:
            output.end()
        self._is_done = True
        self._hub.send("done", 0, text)
        self._hub.flush()
        try:
            while True:
                self._hub.wait(lambda: False)
        finally:
            self._exit(0)


def _reseed():
    """What was loaded while the process waited may have been copied with it, as the clones of a VM are."""
    random, ssl = sys.modules.get("random"), sys.modules.get("ssl")
    if random is not None:
        random.seed()
    if ssl is not None:
        ssl.RAND_add(os.urandom(32), 32.0)


def _frames(task):
    frames = []
    at = task.get_coro()
    while at is not None:
        frame = getattr(at, "cr_frame", None) or getattr(at, "gi_frame", None)
        if frame is not None:
            frames.append(frame)
        at = getattr(at, "cr_await", None)
    return frames


async def _awaited(value):
    """A coroutine, a task, a call; also those in a list or a dict; a function of the program's own is called."""
    if inspect.isfunction(value) and value.__module__ == "__main__" and not inspect.signature(value).parameters:
        value = value()
    if inspect.isawaitable(value):
        value = await value
    if isinstance(value, (list, tuple)) and any(inspect.isawaitable(item) for item in value):
        return [await item if inspect.isawaitable(item) else item for item in value]
    if type(value) is dict and any(inspect.isawaitable(item) for item in value.values()):
        return {key: await item if inspect.isawaitable(item) else item for key, item in value.items()}
    return value


def _to_awaitable(value):
    """A value that is awaited though it is none to await is what it is, as in JavaScript."""
    return value if inspect.isawaitable(value) else _same(value)


async def _same(value):
    return value
