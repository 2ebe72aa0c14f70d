"""Folders that exist nowhere on a disk: each look at one is a question to the host, and nothing is asked before a program looks."""

import errno
import os

FOLDER = -1


class HostFolders:
    def __init__(self, names, files, folders, calls):
        self._names = [tuple(name.split("/")) for name in names]
        self._files = {name: dict(entries) for name, entries in files.items()}
        self._on_disk = {folder["name"] for folder in folders}
        self._calls = calls

    def place(self, path):
        """(folder, path within it) for what lies in a folder of the host's; else nothing."""
        parts = self._parts(path)
        if parts is None:
            return None
        for name in self._names:
            if parts[: len(name)] == name:
                return name, parts[len(name) :]
        return None

    def concerns(self, path):
        """Whether a list of it has something of the host's."""
        parts = self._parts(path)
        return parts is not None and any(parts[: len(name)] == name or parts == name[:-1] for name in self._names)

    def lies_on_disk(self, place):
        """`workspace/results` lies over what is on the disk there."""
        return len(place[0]) > 1

    def read(self, place, is_writing):
        """The bytes of a file; nothing where the disk is to be asked."""
        if is_writing:
            if self.lies_on_disk(place) and self._find(place) is None:
                return None
            raise _error(errno.EROFS, "It can be read alone", place)
        node = self._find(place)
        if node is None:
            return None
        if node["kind"] == "folder":
            raise _error(errno.EISDIR, "It is a folder: list it", place)
        text = node.get("text")
        return text.encode() if text is not None else self._read_pieces(place, node["bytes"])

    def look(self, place):
        """The size of a file, or FOLDER; nothing where the disk is to be asked."""
        node = self._find(place)
        if node is None:
            return None
        if node["kind"] == "folder":
            return FOLDER
        return len(node["text"].encode()) if node.get("text") is not None else node["bytes"]

    def list(self, path):
        """(name, whether it is a file) of what the host has there."""
        place = self.place(path)
        if place is None:
            parts = self._parts(path)
            return [(name[-1], False) for name in self._names if name[:-1] == parts and self._is_shown(name)]
        node = self._find(place)
        if node is None:
            return []
        if node["kind"] == "file":
            raise _error(errno.ENOTDIR, "It is a file: read it", place)
        return [*((name, False) for name in node["folders"]), *((name, True) for name in node["files"])]

    def _is_shown(self, name):
        """What lies over the disk and is empty is not there."""
        return len(name) == 1 or bool(self._files.get("/".join(name)))

    def _find(self, place):
        name, parts = place
        folder = "/".join(name)
        if self.lies_on_disk(place):
            known = self._files.get(folder, {})
            if parts and parts[0] not in known:
                return None
            if not parts:
                return {"kind": "folder", "files": list(known), "folders": []} if known else None
        answer = self._ask(place)
        if answer["kind"] in ("missing", "refused"):
            if answer["kind"] == "missing" and self.lies_on_disk(place):
                return None
            code = errno.ENOENT if answer["kind"] == "missing" else errno.EDQUOT
            raise _error(code, answer["message"], place)
        return answer

    def _ask(self, place, **more):
        name, parts = place
        asked = {"folder": "/".join(name), "path": "/".join(parts), "recursive": False, **more}
        return self._calls.call_own("readFolder", asked).result()

    def _read_pieces(self, place, size):
        """A file that is too large for one answer, or could be."""
        data = b""
        while len(data) < size:
            piece = self._ask(place, **{"from": len(data)})
            if not isinstance(piece, bytes) or not 0 < len(piece) <= size - len(data):
                raise _error(errno.EIO, "It changed, or too much of it was read. Try again", place)
            data += piece
        return data

    def _parts(self, path):
        try:
            text = os.fspath(path)
        except TypeError:
            return None
        if not isinstance(text, str):
            return None
        base = os.getcwd().rstrip("/")
        whole = os.path.normpath(text if text.startswith("/") else f"{base}/{text}")
        if base and whole.startswith(f"{base}/"):
            whole = whole[len(base) :]
        return tuple(part for part in whole.split("/") if part)


def _error(code, message, place):
    name, parts = place
    return OSError(code, message, "/".join((".", *name, *parts)))
