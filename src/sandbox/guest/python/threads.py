"""Threads of a program: a call made in one of a pool has its answer there, and the run waits for their work."""

import concurrent.futures
import concurrent.futures.thread as pools
import threading

from .calls import settle


class Threads:
    def __init__(self, hub):
        self._hub = hub
        self._lock = threading.Lock()
        self._submitted = set()

    def install(self, is_inline):
        """Inline: a steady program must do the same each time, so work is done where it is submitted."""
        executor = concurrent.futures.ThreadPoolExecutor
        submit = executor.submit

        def submit_inline(pool, work, /, *given, **named):
            future = concurrent.futures.Future()
            future.set_running_or_notify_cancel()
            try:
                future.set_result(settle(work(*given, **named)))
            except BaseException as error:
                future.set_exception(error)
            return future

        def submit_counted(pool, work, /, *given, **named):
            with self._lock:
                # Before a worker can be done with it.
                future = submit(pool, lambda: settle(work(*given, **named)))
                self._submitted.add(future)
            future.add_done_callback(lambda done: self._drop(done) if done.cancelled() else None)
            return future

        executor.submit = submit_inline if is_inline else submit_counted
        if is_inline:
            _run_threads_inline()
        else:
            self._watch_items()

    def _watch_items(self):
        """Work is over when all who wait for it have been told: a callback of the future would come before theirs."""
        run = pools._WorkItem.run

        def run_and_drop(item):
            future = item.future
            try:
                run(item)
            finally:
                self._drop(future)

        pools._WorkItem.run = run_and_drop

    def _drop(self, future):
        with self._lock:
            self._submitted.discard(future)
        self._hub.wake()

    def has_work(self):
        if self._submitted:
            return True
        current = threading.current_thread()
        return any(_is_working(thread) for thread in threading.enumerate() if thread is not current)


def _is_working(thread):
    # Workers of a pool wait for work for ever.
    is_worker = getattr(thread, "_target", None) is pools._worker
    return thread is not threading.main_thread() and thread.is_alive() and not thread.daemon and not is_worker


def _run_threads_inline():
    def start(thread):
        if getattr(thread, "_keyhole_has_run", False):
            raise RuntimeError("threads can only be started once")
        thread._keyhole_has_run = True
        try:
            thread.run()
        except Exception as error:
            threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, thread)))

    def join(thread, timeout=None):
        if not getattr(thread, "_keyhole_has_run", False):
            raise RuntimeError("cannot join thread before it is started")

    threading.Thread.start = start
    threading.Thread.join = join
    threading.Thread.is_alive = lambda thread: False
