"""The transport of a guest that is a process: frames over two descriptors. What Pyodide has in its place offers the same four functions."""

import os
import select

from .frame_queue import FrameQueue

_READ_BYTES = 64 * 1024


class Pipes(FrameQueue):
    def __init__(self, reading, writing):
        super().__init__()
        self._reading = reading
        self._writing = writing
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        self._poll = select.poll()
        self._poll.register(reading, select.POLLIN)
        self._poll.register(self._woken, select.POLLIN)

    def _leave(self, data):
        data = memoryview(data)
        while data:
            data = data[os.write(self._writing, data) :]

    def receive(self, timeout):
        """The next frame. Nothing when the time (in seconds; None for no limit) is over, or when it was woken. EOFError at the end."""
        while not self._waiting:
            ready = self._poll.poll(None if timeout is None else max(0.0, timeout) * 1000)
            if not ready:
                return None
            is_woken = False
            for descriptor, _ in ready:
                if descriptor == self._woken:
                    os.read(self._woken, 4096)
                    is_woken = True
                    continue
                data = os.read(self._reading, _READ_BYTES)
                if not data:
                    raise EOFError
                self._arrive(data)
            if is_woken and not self._waiting:
                return None
        return self._waiting.pop()

    def wake(self):
        """Has a `receive` of another thread come back."""
        try:
            os.write(self._waker, b"x")
        except BlockingIOError:
            pass
