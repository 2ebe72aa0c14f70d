"""asyncio's loop over the host's frames. It can be entered again while it runs, and knows when nothing is left to do."""

import asyncio
import inspect
import threading

from .calls import PendingCall

_THREADS_LOOK_AGAIN_S = 0.05


class HostLoop(asyncio.BaseEventLoop):
    def __init__(self, hub, has_work, has_threads, on_idle):
        super().__init__()
        self._hub = hub
        self._has_work = has_work
        self._has_threads = has_threads
        self._on_idle = on_idle
        self._selector = self
        self._owner = threading.get_ident()
        self.failed = []
        # A steady program has its own (steady.py).
        self.pick = self._wait

    # What BaseEventLoop asks of its selector.
    def select(self, timeout):
        self.pick(timeout)
        return ()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        self._hub.wake()

    def _wait(self, timeout):
        if timeout == 0:
            return self._hub.poll()
        if timeout is not None:
            return self._hub.wait(self._is_ready, timeout)
        if self._has_work():
            # Nobody may take the last answer: then none makes the loop ready.
            return self._hub.wait(lambda: self._is_ready() or not self._has_work())
        if self._has_threads():
            return self._hub.wait(self._is_ready, _THREADS_LOOK_AGAIN_S)
        # What a thread did last may have come since.
        if not self._ready:
            self._on_idle()

    def _is_ready(self):
        return bool(self._ready)

    def is_mine(self):
        return threading.get_ident() == self._owner

    def run_forever(self):
        while not self._stopping:
            self._run_once()
        self._stopping = False

    def serve(self, main):
        """Runs the program, until `on_idle` ends it."""
        self._thread_id = self._owner
        asyncio.events._set_running_loop(self)
        task = self.create_task(main)
        while True:
            self._run_once()
            if task is not None and task.done():
                task = None

    def run_until_complete(self, future):
        """Also within a task that runs already: others go on meanwhile."""
        if not self.is_mine():
            raise RuntimeError("This loop is another thread's")
        outer = asyncio.events._get_running_loop()
        asyncio.events._set_running_loop(self)
        current = asyncio.current_task(self)
        if current is not None:
            asyncio.tasks._leave_task(self, current)
        try:
            future = asyncio.ensure_future(future, loop=self)
            while not future.done():
                self._run_once()
        finally:
            if current is not None:
                asyncio.tasks._enter_task(self, current)
            asyncio.events._set_running_loop(outer)
        return future.result()

    def create_task(self, coro, **options):
        if type(coro) is PendingCall or not asyncio.iscoroutine(coro):
            coro = _await(coro)
        options = {key: value for key, value in options.items() if value is not None}
        task = super().create_task(coro, **options)
        task.add_done_callback(self._note)
        return task

    def _note(self, task):
        # By its field: to ask for it would count as having seen it.
        if not task.cancelled() and task._exception is not None:
            self.failed.append(task)

    def close(self):
        """A program that made a loop closes it; it is the only one, and stays."""

    def stop(self):
        pass

    async def shutdown_default_executor(self, timeout=None):
        pass

    async def shutdown_asyncgens(self):
        pass


async def _await(value):
    return await value if inspect.isawaitable(value) else value
