"""Turns what a program raises into data, with places in the program's own lines."""

import errno
import linecache
import os
import re
import sys
import traceback

from .calls import ToolError

PROGRAM = "program.py"
_SKILL = re.compile(r"skills/([a-z0-9-]{1,64})/__init__\.py")
_MAX_MESSAGE = 16_000
_MAX_FRAMES = 20
_MAX_CAUSES = 3
_MAX_LEAVES = 5


def skill_file(skill):
    """As which the places of a skill are told."""
    return f"skills/{skill}/__init__.py"


def keep_source(source, file=PROGRAM):
    """`traceback` of a program shows its lines."""
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)


def describe(error):
    try:
        leaves = _leaves(error)
        inner = leaves[0] if len(leaves) == 1 else error
        stack = _with_call(_stack(inner) or _stack(error), inner)
        told = {"name": type(inner).__name__, "message": _message(inner, leaves)[:_MAX_MESSAGE], "stack": stack}
        is_syntax = isinstance(inner, SyntaxError) and inner.lineno
        # One in a skill is raised by the line that imports it.
        if is_syntax and (_skill_of(inner.filename) or not stack and inner.filename == PROGRAM):
            told["source"] = {"line": inner.lineno, "column": max(1, inner.offset or 1), **_skill_of(inner.filename)}
        elif stack:
            told["source"] = {key: stack[0][key] for key in ("line", "column", "skill") if key in stack[0]}
        if isinstance(inner, ToolError):
            told.update(server=str(inner.server), tool=str(inner.tool), code=inner.code)
        elif getattr(inner, "code", None) in ("denied", "limit") and isinstance(inner, OSError):
            told["code"] = inner.code
        return told
    except Exception:
        return {"message": "The program raised something that cannot be read"}


def describe_stuck(places):
    first, *others = places or [None]
    lines = sorted({place["line"] for place in others} - ({first["line"]} if first else set()))
    also = f" (line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))} too)" if lines else ""
    who = f"Line {first['line']}" if first else "The program"
    told = {"stuck": True, "message": f"{who} awaits something that nothing can bring about any more{also}"}
    if first:
        told["source"] = {"line": first["line"], "column": first["column"]}
    return told


def place_of_frame(frame):
    return {"line": frame.f_lineno or 1, "column": _column(frame.f_code, frame.f_lasti)}


def place_of_call():
    """The skill that calls, to be told of should the call fail where somebody else uses what it gave."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_filename == PROGRAM:
            return None
        if _skill_of(code.co_filename):
            return code, frame.f_lasti, frame.f_lineno
        frame = frame.f_back
    return None


def _with_call(stack, error):
    place = getattr(error, "_keyhole_place", None)
    if place is None or any("skill" in frame for frame in stack):
        return stack
    code, instruction, line = place
    return [_frame(code, line, instruction), *stack]


def _leaves(error):
    """What an ExceptionGroup is about."""
    inner = getattr(error, "exceptions", None)
    if not isinstance(inner, tuple) or not inner:
        return [error]
    return [leaf for one in inner for leaf in _leaves(one)][: _MAX_LEAVES * 10]


def _message(error, leaves):
    text = _text(error)
    if len(leaves) > 1:
        text += "".join(f"\n  {type(leaf).__name__}: {_text(leaf)}" for leaf in leaves[:_MAX_LEAVES])
    cause = error
    for _ in range(_MAX_CAUSES):
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        if cause is None:
            break
        text += f"\n  caused by: {type(cause).__name__}: {_text(cause)}"
    return text


def _text(error):
    if type(error) is KeyError and len(error.args) == 1:
        return f"{error.args[0]!r} is not a key"
    if isinstance(error, SyntaxError):
        return str(error.msg)
    text = str(error)
    if isinstance(error, OSError) and error.errno in _FILE_HINTS:
        return f"{text}. {_FILE_HINTS[error.errno]}"
    if isinstance(error, FileNotFoundError) and _is_elsewhere(error.filename):
        return f"{text}. Programs have the files of ./workspace and ./servers alone, and write to ./workspace"
    if isinstance(error, EOFError) and text == "EOF when reading a line":
        return f"{text}: nobody is there to type, so put the value into the program"
    if isinstance(error, MemoryError) and not text:
        return "MemoryError: more than resourceLimits.memory of keyhole.config allows"
    # A MemoryError and a failed assert say nothing.
    return text or type(error).__name__


_FILE_HINTS = {
    errno.EROFS: "Programs write to ./workspace alone",
    errno.EACCES: "Programs have the files of ./workspace and ./servers alone",
    errno.ENOSPC: "The workspace is full: remove what is no longer needed",
    errno.EDQUOT: "The workspace is full: remove what is no longer needed",
    errno.EFBIG: "The file is larger than the limit of the disk",
}


def _is_elsewhere(name):
    if not isinstance(name, str):
        return False
    path = os.path.normpath(os.path.join("/", name))
    return not path.startswith(("/workspace", "/servers", "/skills"))


def _stack(error):
    """The innermost first; frames of ours are left out."""
    frames = []
    at = error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if code.co_filename == PROGRAM or _skill_of(code.co_filename):
            frames.append(_frame(code, at.tb_lineno, at.tb_lasti))
        at = at.tb_next
    frames.reverse()
    return frames[:_MAX_FRAMES]


def _frame(code, line, instruction):
    told = {"line": line or 1, "column": _column(code, instruction), **_skill_of(code.co_filename)}
    if code.co_name != "<module>":
        told["function"] = code.co_name[:200]
    return told


def _skill_of(file):
    found = _SKILL.fullmatch(file) if isinstance(file, str) else None
    return {"skill": found.group(1)} if found else {}


def _column(code, instruction):
    """Known since Python 3.11."""
    try:
        positions = list(code.co_positions())[instruction // 2]
        return (positions[2] or 0) + 1
    except (AttributeError, IndexError, TypeError):
        return 1


def hide_own_frames():
    """`traceback` of a program shows its own frames and Python's: ours name files that are nothing to it."""
    own = os.path.dirname(os.path.abspath(__file__))

    def without_own(walk):
        def walk_others(*given):
            for step in walk(*given):
                if not step[0].f_code.co_filename.startswith(own):
                    yield step

        return walk_others

    for name in ("walk_tb", "walk_stack", "_walk_tb_with_full_positions"):
        if hasattr(traceback, name):
            setattr(traceback, name, without_own(getattr(traceback, name)))
