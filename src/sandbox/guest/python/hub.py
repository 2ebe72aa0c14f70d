"""Who reads the host's frames. There is one reader at a time: whoever waits for something takes over when nobody reads."""

import threading

from .frames import FRAME


class Hub:
    def __init__(self, transport):
        self._transport = transport
        self._changed = threading.Condition(threading.RLock())
        self._is_reading = False
        self._handlers = {}
        self.on_end = lambda: None

    def handle(self, kinds, handler):
        """`handler(kind, id, payload)` is called by the thread that reads."""
        for kind in kinds:
            self._handlers[FRAME[kind]] = handler

    def send(self, kind, id=0, payload=b""):
        with self._changed:
            self._transport.send(FRAME[kind], id, payload)

    def flush(self):
        with self._changed:
            self._transport.flush()

    def wake(self):
        """What somebody waits for may be there, though no frame came."""
        with self._changed:
            self._changed.notify_all()
            if self._is_reading:
                self._transport.wake()

    def wait(self, is_there, timeout=None):
        """Reads frames, or waits for who reads them, until `is_there()`, or until the time is over. Says whether it is there."""
        changed = self._changed
        with changed:
            while not is_there():
                # Each time: another thread may have made a call whose answer it does not wait for.
                self._transport.flush()
                if self._is_reading:
                    if not changed.wait(timeout) or timeout is not None:
                        return is_there()
                    continue
                self._is_reading = True
                changed.release()
                try:
                    frame = self._transport.receive(timeout)
                except EOFError:
                    self.on_end()
                    raise
                finally:
                    changed.acquire()
                    self._is_reading = False
                    changed.notify_all()
                if frame is not None:
                    self._take(*frame)
                if timeout is not None:
                    # Whoever waits for a time looks again at how much of it is left.
                    return is_there()
            self._transport.flush()
            return True

    def poll(self):
        """Takes the frames that are there already."""
        changed = self._changed
        with changed:
            self._transport.flush()
            if self._is_reading:
                return
            while True:
                try:
                    frame = self._transport.receive(0)
                except EOFError:
                    self.on_end()
                    raise
                if frame is None:
                    return
                self._take(*frame)

    def _take(self, kind, id, payload):
        handler = self._handlers.get(kind)
        if handler is not None:
            handler(kind, id, payload)
