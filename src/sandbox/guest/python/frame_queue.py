"""What every transport of a guest has: frames that wait to leave, and those that came and wait to be read."""

from .frames import ChunkJoiner, Decoder, create_encoder

_FLUSH_AT_BYTES = 64 * 1024


class FrameQueue:
    def __init__(self):
        self._encode = create_encoder()
        self._decoder = Decoder()
        self._chunks = ChunkJoiner()
        self._waiting = []
        self._out = []
        self._out_bytes = 0

    def send(self, kind, id, payload=b""):
        """Kept until `flush`, so that frames made in one go leave in one write."""
        data = self._encode(kind, id, payload)
        self._out.append(data)
        self._out_bytes += len(data)
        if self._out_bytes > _FLUSH_AT_BYTES:
            self.flush()

    def flush(self):
        if not self._out:
            return
        data = b"".join(self._out)
        self._out.clear()
        self._out_bytes = 0
        self._leave(data)

    def _arrive(self, data):
        """The frames that are whole with these bytes wait, the last one first."""
        for frame in self._decoder.feed(data):
            whole = self._chunks.join(*frame)
            if whole:
                self._waiting.append(whole)
        self._waiting.reverse()
