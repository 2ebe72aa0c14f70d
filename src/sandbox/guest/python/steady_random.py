"""Random bytes that a seed decides: what a program draws can be drawn again, and nothing it has drawn tells what comes next."""

import hashlib
import os
import random
import sys
import uuid


def install_random(seed):
    counter = 0
    held = b""

    def draw(count):
        nonlocal counter, held
        parts = [held]
        size = len(held)
        while size < count:
            block = hashlib.blake2b(counter.to_bytes(16, "little"), key=seed).digest()
            counter += 1
            parts.append(block)
            size += len(block)
        data = b"".join(parts)
        held = data[count:]
        return data[:count]

    _mend_tls(draw)
    os.urandom = draw
    os.getrandom = lambda size, flags=0: draw(size)
    random._urandom = draw
    uuid._generate_time_safe = None
    uuid._UuidCreate = None
    uuid._node = int.from_bytes(draw(6), "big") | (1 << 40)
    seed_with = random.Random.seed

    def seed_steadily(self, a=None, version=2):
        seed_with(self, int.from_bytes(draw(32), "big") if a is None else a, version)

    random.Random.seed = seed_steadily
    # The module's own functions are those of one instance.
    random.seed = random._inst.seed
    random.seed()


def _mend_tls(draw):
    """`ssl` takes long to load and few programs need it: it is mended when it is there."""
    if "ssl" in sys.modules:
        sys.modules["ssl"].RAND_bytes = draw
        return
    import importlib.abc
    import importlib.machinery

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name != "ssl":
                return None
            sys.meta_path.remove(self)
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec is None or spec.loader is None:
                return spec
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                module.RAND_bytes = draw

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
