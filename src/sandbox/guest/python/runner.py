"""What a tier starts. Its descriptors 0 and 1 are the host's frames; what else there is of the process is set here."""

import gc
import os
import sys
import types


def main():
    # What is loaded here stays: looking for what could be thrown away takes a tenth of the start.
    gc.disable()
    # Our files are a package of their own: a program's `import frames` must not find them.
    package = types.ModuleType("_keyhole")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["_keyhole"] = package
    # asyncio does without it, and loading it takes long; who asks for it later gets it.
    sys.modules["ssl"] = None
    from _keyhole.guest import Guest
    from _keyhole.pipes import Pipes

    del sys.modules["ssl"]
    gc.freeze()
    gc.enable()
    sys.dont_write_bytecode = True
    sys.path[:] = [path for path in sys.path if path and path != package.__path__[0]]
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    Guest(Pipes(reading, writing), os._exit).serve(has_time="wait" in sys.argv)


main()
