"""For a process that is a copy of another, in the middle of its life."""

import os
import sys

from .frame_queue import FrameQueue

_SAMPLE = """import asyncio
async def one(n):
    return {"n": n, "text": f"{n:.2f}"}
rows = await asyncio.gather(*[one(n) for n in range(3)])
print(rows)
len(rows)
"""
_START = {"servers": ["sample"], "aliases": [], "functions": [], "folders": [], "hostFolders": [], "hostFiles": {}, "code": _SAMPLE}


def renew_random(seed):
    """`os.urandom`, and all that draws from it, is the system's, which has been renewed before. What was sown earlier is sown again."""
    random = sys.modules.get("random")
    if random:
        random.seed(os.urandom(32) + seed)


def rehearse(run):
    """
    In an emulated machine each instruction is slow the first time: a program's whole way is gone once, for nothing. A child goes it,
    which has the same code in the same memory, and leaves nothing behind.
    """
    child = os.fork()
    if child == 0:
        try:
            run(Nobody(), _START)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


class Nobody(FrameQueue):
    """A transport with nobody at its other end."""

    def _leave(self, data):
        pass

    def receive(self, timeout):
        if timeout is None:
            raise EOFError

    def wake(self):
        pass
