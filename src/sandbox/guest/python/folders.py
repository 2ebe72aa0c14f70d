"""
The folders of a program. Those on disk lie beside each other and are the kernel's business: `open("workspace/a.csv")` is Python's own.
Those that only the host knows (`./servers`, `workspace/results`) are asked for, by the functions of `os` and `open` that read.
"""

import builtins
import errno
import io
import os
import stat
import sys

from .host_folders import HostFolders


def install_folders(start, calls):
    folders = start["folders"]
    _go_beside(folders)
    writable = next((folder for folder in folders if folder["access"] == "write"), None)
    if writable is not None and "tempfile" in sys.modules:
        sys.modules["tempfile"].tempdir = writable["dir"]
    os.environ.clear()
    if writable is not None:
        os.environ["TMPDIR"] = writable["dir"]
    refused = [(folder["dir"], errno.ENOSPC, folder["full"]) for folder in folders if "full" in folder]
    # Where folders are copied, the kernel would take what nobody keeps.
    refused += [(folder["dir"], errno.EROFS, f'"./{folder["name"]}" is read-only') for folder in folders if folder["access"] == "read"]
    if refused:
        _refuse_writing(refused)
    if start["hostFolders"]:
        _install(HostFolders(start["hostFolders"], start["hostFiles"], folders, calls))


def _go_beside(folders):
    """To where `workspace/…` is a path."""
    parents = {os.path.dirname(folder["dir"]) for folder in folders if os.path.basename(folder["dir"]) == folder["name"]}
    if len(parents) == 1:
        os.chdir(parents.pop())


def _refuse_writing(refused):
    """The words for a folder that is full, or read-only; that nothing of it is kept is the host's to hold."""
    real = io.open

    def open_to_read(file, mode="r", *given, **options):
        if any(letter in mode for letter in "wax+") and not isinstance(file, int):
            path = os.path.abspath(os.fsdecode(file))
            found = next((one for one in refused if f"{path}/".startswith(f"{one[0]}/")), None)
            if found is not None:
                raise OSError(found[1], found[2], str(file))
        return real(file, mode, *given, **options)

    builtins.open = io.open = open_to_read


def _install(host):
    real = {name: getattr(os, name) for name in ("stat", "lstat", "listdir", "scandir", "access", "open")}
    real_open = io.open

    def open_file(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
        place = host.place(file)
        data = None if place is None else host.read(place, is_writing=any(letter in mode for letter in "wax+"))
        if data is None:
            return real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        raw = io.BytesIO(data)
        raw.name = str(file)
        raw.mode = mode
        return raw if "b" in mode else io.TextIOWrapper(raw, encoding or "utf-8", errors, newline)

    def look(name):
        def stat_of(path, *, dir_fd=None, follow_symlinks=True):
            place = host.place(path) if dir_fd is None else None
            found = None if place is None else host.look(place)
            if found is not None:
                return _to_stat(found)
            if name == "lstat":
                return real["lstat"](path, dir_fd=dir_fd)
            return real["stat"](path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)

        return stat_of

    def list_names(path="."):
        return [entry.name for entry in scan(path)] if host.concerns(path) else real["listdir"](path)

    def scan(path="."):
        if not host.concerns(path):
            return real["scandir"](path)
        entries = {name: _Entry(path, name, is_file) for name, is_file in host.list(path)}
        place = host.place(path)
        if place is None or host.lies_on_disk(place):
            try:
                with real["scandir"](path) as found:
                    entries = {**{entry.name: entry for entry in found}, **entries}
            except FileNotFoundError:
                if not entries:
                    raise
        return _Scan(entries.values())

    def can_access(path, mode, **options):
        place = host.place(path)
        if place is None or host.look(place) is None:
            return real["access"](path, mode, **options)
        return not mode & os.W_OK

    builtins.open = io.open = open_file
    os.stat, os.lstat = look("stat"), look("lstat")
    os.listdir, os.scandir, os.access = list_names, scan, can_access


class _Entry:
    """As `os.DirEntry`."""

    def __init__(self, folder, name, is_file):
        self.name = name
        self.path = os.path.join(folder if isinstance(folder, str) else os.fspath(folder), name)
        self._is_file = is_file

    def is_file(self, *, follow_symlinks=True):
        return self._is_file

    def is_dir(self, *, follow_symlinks=True):
        return not self._is_file

    def is_symlink(self):
        return False

    def is_junction(self):
        return False

    def inode(self):
        return 0

    def stat(self, *, follow_symlinks=True):
        return os.stat(self.path)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Scan:
    def __init__(self, entries):
        self._entries = iter(sorted(entries, key=lambda entry: entry.name))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._entries = iter(())


def _to_stat(size):
    """Of a file of so many bytes; of a folder for None or less."""
    mode = stat.S_IFREG | 0o444 if size >= 0 else stat.S_IFDIR | 0o555
    return os.stat_result((mode, 0, 0, 1, 65534, 65534, max(size, 0), 0, 0, 0))
