"""`sys.stdout` and `sys.stderr` of a program: what is written becomes log lines."""

import codecs
import io

from .values import to_utf8

_MOST_KEPT = 64 * 1024
LEVELS = ("debug", "info", "warn", "error")


class Output(io.TextIOBase):
    """What one `print` writes is one log, however many lines it has; what does not end a line is kept until something does."""

    encoding = "utf-8"
    errors = "replace"
    newlines = None
    line_buffering = True

    def __init__(self, hub, level, descriptor):
        super().__init__()
        self._send, self._flush = hub.send, hub.flush
        self._level = LEVELS.index(level)
        self._descriptor = descriptor
        self._open = []
        self._size = 0
        self.buffer = _Bytes(self)
        self.name = "<stdout>" if descriptor == 1 else "<stderr>"
        self.mode = "w"

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._open.append(text)
            self._size += len(text)
        if text.endswith("\n") or self._size > _MOST_KEPT:
            self.end()
        return len(text)

    def end(self):
        """Logs what is there, without the end of its last line."""
        text = "".join(self._open)
        self._open = []
        self._size = 0
        if text:
            self._send("log", self._level, to_utf8(text[:-1] if text.endswith("\n") else text))

    def flush(self):
        """A program that says so wants to be seen, also when it is ended in the middle of a line."""
        self.end()
        self._flush()

    def close(self):
        pass

    def writable(self):
        return True

    def isatty(self):
        return False

    def fileno(self):
        raise io.UnsupportedOperation("fileno")

    def reconfigure(self, **options):
        pass


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`"""

    def __init__(self, output):
        super().__init__()
        self._output = output
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data):
        self._output.write(self._decoder.decode(bytes(data)))
        return len(data)

    def flush(self):
        self._output.flush()

    def writable(self):
        return True

    def close(self):
        pass
