"""What kind of file bytes are, by how they begin: the same as ../javascript/binary.js."""

_MAGIC = (
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/gif", 0, b"GIF8"),
    ("image/webp", 8, b"WEBP"),
    ("application/pdf", 0, b"%PDF-"),
)


def sniff(data):
    for mime_type, at, magic in _MAGIC:
        if bytes(data[at : at + len(magic)]) == magic:
            return mime_type
    return None


def describe_bytes(data):
    return f"<{sniff(data) or 'bytes'}, {to_byte_text(len(data))}>"


def to_byte_text(count):
    if count < 1000:
        return f"{count} B"
    if count < 1_000_000:
        return f"{count / 1000:.{1 if count < 10_000 else 0}f} KB"
    return f"{count / 1_000_000:.1f} MB"
