"""asyncio as programs use it: `asyncio.run` within our loop, one loop for all that a program asks for, and plain values where others are awaited."""

import asyncio
import inspect


def mend_asyncio(loop, new_loop):
    tasks = asyncio.tasks

    def own_loop():
        """Of this thread."""
        if loop.is_mine():
            return loop
        try:
            return asyncio.get_running_loop()
        except RuntimeError:
            return new_loop()

    def run(main, *, debug=None, loop_factory=None):
        return own_loop().run_until_complete(main)

    class Runner:
        def __init__(self, *, debug=None, loop_factory=None):
            self._loop = own_loop()

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()

        def run(self, coro, *, context=None):
            return self._loop.run_until_complete(coro)

        def get_loop(self):
            return self._loop

        def close(self):
            pass

    ensure_future = getattr(tasks, "_ensure_future", tasks.ensure_future)
    wait, wait_for, gather, as_completed = tasks.wait, tasks.wait_for, tasks.gather, tasks.as_completed

    def lenient_future(value, *, loop=None):
        return ensure_future(value if _is_awaitable(value) else _same(value), loop=loop)

    # What was taken already may be a dict, which these would look for in a set.
    def lenient_gather(*fs, **options):
        return gather(*[one if _is_awaitable(one) else lenient_future(one) for one in fs], **options)

    def lenient_as_completed(fs, **options):
        return as_completed([one if _is_awaitable(one) else lenient_future(one) for one in fs], **options)

    def lenient_wait(fs, **options):
        return wait([one if asyncio.isfuture(one) else lenient_future(one) for one in fs], **options)

    def lenient_wait_for(fut, timeout, **options):
        return wait_for(fut if _is_awaitable(fut) else _same(fut), timeout, **options)

    tasks.ensure_future = asyncio.ensure_future = lenient_future
    if hasattr(tasks, "_ensure_future"):
        tasks._ensure_future = lenient_future
    tasks.gather = asyncio.gather = lenient_gather
    tasks.as_completed = asyncio.as_completed = lenient_as_completed
    tasks.wait = asyncio.wait = lenient_wait
    tasks.wait_for = asyncio.wait_for = lenient_wait_for
    asyncio.run = run
    asyncio.Runner = Runner
    asyncio.new_event_loop = own_loop
    asyncio.get_event_loop = own_loop
    asyncio.set_event_loop = lambda given: None
    asyncio.events.new_event_loop = own_loop
    asyncio.events.get_event_loop = own_loop


def _is_awaitable(value):
    return inspect.isawaitable(value)


async def _same(value):
    return value
