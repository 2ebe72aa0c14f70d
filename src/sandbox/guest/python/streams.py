"""Streams of bytes over the frames to the host, which has the other ends of them: the proxy. They look like sockets, and block."""

import io
import struct
import threading

from .frames import FRAME

_WINDOW_BYTES = 128 * 1024
_PIECE_BYTES = 64 * 1024
_NOTED_BYTES = 64 * 1024
# The host takes no more at once.
_MOST_OPEN = 8
_MOST_HELD_BYTES = 64 * 1024 * 1024
_TOO_MANY = (
    f"{_MOST_OPEN} answers are open and unread, and too much to keep: read or close each before the next one (with urlopen(…) as answer)"
)


class NetworkError(OSError):
    """`code`: denied, limit or unreachable."""

    def __init__(self, message, code="unreachable"):
        super().__init__(message)
        self.code = code


class Streams:
    def __init__(self, hub):
        self._hub = hub
        self._open = {}
        self._last_id = 0
        self._opening = threading.Lock()
        self._arrived = 0
        self._held_bytes = 0
        hub.handle(["streamData", "streamEnd", "streamCredit", "streamClose"], self._receive)

    def open(self):
        while True:
            self._make_room()
            # Of several threads that were let in one may have taken the place, and the host wants ids in their order.
            with self._opening:
                if len(self._open) >= _MOST_OPEN:
                    continue
                self._last_id += 1
                stream = self._open[self._last_id] = Stream(self._hub, self._last_id, self._open)
                self._hub.send("streamOpen", self._last_id)
                return stream

    def _make_room(self):
        """Who opens one more may be the one who would read the others: the rest of their answers is fetched and kept for later."""
        while len(self._open) >= _MOST_OPEN:
            before = self._arrived
            self._held_bytes += sum(stream.hold() for stream in list(self._open.values()))
            if self._held_bytes > _MOST_HELD_BYTES:
                raise NetworkError(_TOO_MANY, "limit")
            self._hub.wait(lambda: self._arrived != before or len(self._open) < _MOST_OPEN)

    def _receive(self, kind, id, payload):
        self._arrived += 1
        stream = self._open.get(id)
        if stream is not None:
            stream.take(kind, payload)


class _Socket:
    """What http.client asks of a socket. As a real one it stays open until the files that were made of it are closed, too."""

    _files = 0
    _is_left = False

    def makefile(self, mode="rb", buffering=None, **options):
        self._files += 1
        return io.BufferedReader(_Raw(self), _PIECE_BYTES)

    def close(self):
        self._is_left = True
        if self._files == 0:
            self._close()

    def leave_file(self):
        self._files -= 1
        if self._is_left and self._files == 0:
            self._close()

    def settimeout(self, seconds):
        pass

    def setsockopt(self, *options):
        pass

    def shutdown(self, how):
        pass


class Stream(_Socket):
    def __init__(self, hub, id, others):
        self._hub = hub
        self._id = id
        self._others = others
        self._waiting = []
        self._held = b""
        self._sendable = _WINDOW_BYTES
        self._has_ended = False
        self._closed = None
        # Bytes that wait here and were asked for all the same.
        self._ahead = 0
        self._taking = threading.Lock()

    def take(self, kind, payload):
        if kind == FRAME["streamData"]:
            self._waiting.append(payload)
        elif kind == FRAME["streamEnd"]:
            self._has_ended = True
        elif kind == FRAME["streamCredit"]:
            self._sendable += struct.unpack("<I", payload)[0]
        else:
            self._end(payload.decode("utf-8", "replace"))

    def _end(self, reason):
        self._others.pop(self._id, None)
        code, _, why = reason.partition(" ")
        if self._closed is None:
            self._closed = NetworkError(why, code) if why else NetworkError("the connection was lost")
        self._hub.wake()

    def recv(self, count, flags=0):
        if not self._held:
            self._hub.wait(lambda: self._waiting or self._has_ended or self._closed)
            if self._waiting:
                with self._taking:
                    self._held = self._waiting.pop(0)
                    credit = max(0, len(self._held) - self._ahead)
                    self._ahead = max(0, self._ahead - len(self._held))
                self._ask_for(credit)
            elif self._has_ended:
                return b""
            else:
                raise self._closed
        data, self._held = self._held[:count], self._held[count:]
        return data

    def _ask_for(self, count):
        if count > 0 and self._closed is None and self._id in self._others:
            self._hub.send("streamCredit", self._id, struct.pack("<I", count))

    def hold(self):
        """Has the rest come though nobody reads it yet, and lets go of what has come whole. Says how much more is held."""
        has_ended = self._has_ended
        with self._taking:
            more = sum(map(len, self._waiting)) - self._ahead
            self._ahead += more
        self._ask_for(more)
        if has_ended and self._closed is None and self._others.pop(self._id, None):
            self._hub.send("streamClose", self._id)
        return more

    def sendall(self, data, flags=0):
        left = memoryview(bytes(data))
        while left:
            self._hub.wait(lambda: self._sendable > 0 or self._closed)
            if self._closed is not None:
                raise self._closed
            piece = bytes(left[: min(self._sendable, _PIECE_BYTES)])
            self._hub.send("streamData", self._id, piece)
            self._sendable -= len(piece)
            left = left[len(piece) :]

    def _close(self):
        if self._id in self._others and self._closed is None:
            self._hub.send("streamClose", self._id)
            self._end("unreachable the connection was closed")


class TlsStream(_Socket):
    """TLS ends in the program's process: the host sees where it goes, and nothing of it."""

    def __init__(self, stream, context, host):
        import ssl

        self._wanting = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
        self._stream = stream
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        self._do(self._tls.do_handshake)

    def _do(self, work, *given):
        while True:
            try:
                done = work(*given)
                self._send_out()
                return done
            except self._wanting:
                self._send_out()
                data = self._stream.recv(_PIECE_BYTES)
                if data:
                    self._incoming.write(data)
                else:
                    self._incoming.write_eof()

    def _send_out(self):
        data = self._outgoing.read()
        if data:
            self._stream.sendall(data)

    def recv(self, count, flags=0):
        import ssl

        try:
            return self._do(self._tls.read, count)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""

    def sendall(self, data, flags=0):
        left = memoryview(bytes(data))
        while left:
            left = left[self._do(self._tls.write, left) :]

    def _close(self):
        self._stream.close()


class NotedSocket(_Socket):
    """Tells what is about to be sent, before: the head of a request, then its body, and of both the beginning alone."""

    def __init__(self, socket, note):
        self._socket = socket
        self._note = note
        self._left = {"head": _NOTED_BYTES, "body": _NOTED_BYTES}
        self.recv = socket.recv

    def sendall(self, data, flags=0):
        # http.client sends a head whole, and by itself.
        part, is_head = ("head", True) if self._left["head"] else ("body", False)
        seen = bytes(data[: self._left[part]])
        if seen:
            self._left[part] = 0 if is_head else self._left[part] - len(seen)
            text = seen.decode("utf-8", "replace")
            self._note(*((_without_place(text), None) if is_head else (None, text)))
        self._socket.sendall(data)

    def _close(self):
        self._socket.close()


def _without_place(head):
    """Where it goes is told by the URL."""
    return "\n".join(line for line in head.split("\r\n")[1:] if not line.lower().startswith("host:")).strip()


class _Raw(io.RawIOBase):
    def __init__(self, stream):
        super().__init__()
        self._stream = stream

    def readable(self):
        return True

    def readinto(self, buffer):
        data = self._stream.recv(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self):
        if not self.closed:
            self._stream.leave_file()
        super().close()
