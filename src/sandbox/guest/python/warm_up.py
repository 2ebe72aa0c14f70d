"""What most programs need, loaded in a process that waits for its program anyway: one thing after the other, until the program comes."""

import importlib

_OURS = ("folders", "host_folders", "fetch", "network", "skills", "steady")
_PYTHONS = ("csv", "collections", "itertools", "random", "statistics", "pathlib", "shutil", "tempfile", "urllib.parse", "textwrap", "sqlite3", "http.client")


def steps(prepare):
    for name in _OURS:
        yield lambda name=name: importlib.import_module(f".{name}", __package__)
    yield lambda: prepare("import asyncio\nx = [github.a(b=1) for _ in []]\nasync def main(): return await asyncio.gather(*x)", ["github"], None)
    for name in _PYTHONS:
        yield lambda name=name: importlib.import_module(name)
