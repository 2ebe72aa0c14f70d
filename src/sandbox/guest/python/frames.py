"""The guest's end of ../../protocol.json: length (u32), type (u8), id (u32), payload; little-endian."""

import struct

FRAME = {
    "ready": 1,
    "call": 2,
    "log": 3,
    "emit": 4,
    "done": 5,
    "cancel": 6,
    "pong": 7,
    "ownCall": 8,
    "streamOpen": 9,
    "streamData": 10,
    "streamEnd": 11,
    "chunk": 12,
    "streamCredit": 13,
    "streamClose": 14,
    "happened": 15,
    "start": 16,
    "result": 17,
    "resultBytes": 18,
    "failure": 19,
    "ping": 20,
    "facts": 21,
    "renew": 22,
}

CHUNK_BYTES = 128 * 1024
_HEADER = struct.Struct("<IBI")
_CHUNK = struct.Struct("<BIII")


def encode(kind, id, payload=b""):
    return _HEADER.pack(len(payload) + 5, kind, id) + payload


def create_encoder():
    """Frames as bytes; one that is larger than a chunk travels in chunks, which are frames themselves."""
    last_number = 0

    def to_bytes(kind, id, payload):
        nonlocal last_number
        if len(payload) <= CHUNK_BYTES:
            return encode(kind, id, payload)
        last_number += 1
        pieces = []
        for offset in range(0, len(payload), CHUNK_BYTES):
            header = _CHUNK.pack(kind, id, len(payload), offset)
            pieces.append(encode(FRAME["chunk"], last_number, header + payload[offset : offset + CHUNK_BYTES]))
        return b"".join(pieces)

    return to_bytes


class Decoder:
    """Takes bytes as they come, and hands out whole frames: (type, id, payload)."""

    def __init__(self):
        self._held = bytearray()

    def feed(self, data):
        held = self._held
        held += data
        frames = []
        at = 0
        while len(held) - at >= 9:
            length, kind, id = _HEADER.unpack_from(held, at)
            if len(held) - at - 4 < length:
                break
            frames.append((kind, id, bytes(held[at + 9 : at + 4 + length])))
            at += 4 + length
        if at:
            del held[:at]
        return frames


class ChunkJoiner:
    """Puts chunks together again; any other frame is handed back as it is, and a piece as nothing."""

    def __init__(self):
        self._messages = {}

    def join(self, kind, number, payload):
        if kind != FRAME["chunk"]:
            return kind, number, payload
        inner, id, total, offset = _CHUNK.unpack_from(payload)
        message = self._messages.setdefault(number, bytearray())
        message += payload[_CHUNK.size :]
        if len(message) < total:
            return None
        del self._messages[number]
        return inner, id, bytes(message)
