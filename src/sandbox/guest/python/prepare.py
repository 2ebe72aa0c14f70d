"""Makes of a program's text what can be run, in the program's own lines. The rule of results is that of docs/programs.md."""

import ast
import contextlib
import re
import sys

from . import keep_tokens, plain
from .failures import PROGRAM

KEEP = "__keyhole_keep__"
CALLED = "__keyhole_called__"
RETURN = "__keyhole_return__"
_FENCE = re.compile(r"^\s*(?:```|~~~)[\w+-]*[ \t]*\n(.*?)\n?[ \t]*(?:```|~~~)\s*$", re.S)
_DEEPEST = 5_000
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def prepare(source, servers, token_classes):
    """A code object, and the function of the program that is to be called after it, if any."""
    tree = ast.parse(read_source(source), PROGRAM)
    after = _function_to_call(tree)
    if after is None:
        _keep_tails(tree.body)
        _keep_called(tree)
    with _deeper():
        _ReturnsToRaises().visit(tree)
        return _compile(tree, PROGRAM, servers, token_classes), after


def prepare_skill(source, file, servers, token_classes):
    """The code object of a module."""
    tree = ast.parse(read_source(source), file)
    with _deeper():
        return _compile(tree, file, servers, token_classes)


@contextlib.contextmanager
def _deeper():
    """What Python itself can compile, we can look through."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _compile(tree, file, servers, token_classes):
    if token_classes:
        keep_tokens.mark_case_changes(tree)
    plain.mark_plain_uses(tree, servers)
    return compile(tree, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


def read_source(source):
    """Fences of Markdown around a program, and a byte order mark, are taken for what they are; lines keep their numbers."""
    text = source[1:] if source.startswith("\ufeff") else source
    fenced = _FENCE.match(text)
    if fenced is None:
        return text
    return "\n" * text.count("\n", 0, fenced.start(1)) + fenced.group(1)


def _function_to_call(tree):
    """`main`, or the only function of a program that does nothing but declare, if the program never uses it."""
    functions = [node for node in tree.body if isinstance(node, _FUNCTION)]
    uncalled = [node for node in functions if not _is_used_outside(tree, node)]
    doing = [node for node in tree.body if not _is_declaring(node)]
    is_returning = bool(doing) and isinstance(doing[-1], ast.Return)
    main = next((node for node in uncalled if node.name == "main"), None)
    if main is not None and not is_returning and _can_call(main):
        return "main"
    if len(uncalled) != 1 or not all(isinstance(node, (ast.Assign, ast.AnnAssign)) for node in doing):
        return None
    has_awaited = any(isinstance(node, ast.Await) for statement in doing for node in ast.walk(statement))
    return uncalled[0].name if not has_awaited and _can_call(uncalled[0]) else None


def _is_declaring(node):
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return isinstance(node, (*_FUNCTION, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)) or is_text


def _is_used_outside(tree, function):
    inside = set(map(id, ast.walk(function)))
    return any(
        isinstance(node, ast.Name) and node.id == function.name and id(node) not in inside for node in ast.walk(tree)
    )


def _can_call(function):
    arguments = function.args
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return needed <= 0 and all(default is not None for default in arguments.kw_defaults)


def _keep_tails(body):
    """The value of the last statement, also of one in an `if`, a `with` or a `try`."""
    last = body[-1] if body else None
    if isinstance(last, ast.Expr):
        body[-1] = _kept(KEEP, last)
    elif isinstance(last, ast.If):
        _keep_tails(last.body)
        _keep_tails(last.orelse)
    elif isinstance(last, (ast.With, ast.AsyncWith)):
        _keep_tails(last.body)
    elif isinstance(last, ast.Try):
        _keep_tails(last.orelse or last.body)
        for handler in last.handlers:
            _keep_tails(handler.body)
    elif type(last).__name__ == "Match":
        for case in last.cases:
            _keep_tails(case.body)


def _keep_called(tree):
    """`main()` and then `print("started")`: the value of what was called without using it, where the last statement has none."""
    names = {node.name for node in tree.body if isinstance(node, _FUNCTION)}
    for at, node in enumerate(tree.body):
        value = node.value if isinstance(node, ast.Expr) else None
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(call, ast.Call) and _called_name(call) in names:
            tree.body[at] = _kept(CALLED, node)


def _kept(name, statement):
    target = ast.copy_location(ast.Name(id=name, ctx=ast.Store()), statement)
    return ast.copy_location(ast.Assign(targets=[target], value=statement.value), statement)


def _called_name(call):
    """Of `main()`, and of `asyncio.run(main())`."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("run", "run_until_complete") and call.args:
        inner = call.args[0]
        return _called_name(inner) if isinstance(inner, ast.Call) else None
    return None


class _ReturnsToRaises(ast.NodeTransformer):
    """`return` at the top level: the module stays a module, so it leaves by an exception that no handler of the program's gets."""

    def __init__(self):
        self._found = False

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef

    def visit_Return(self, node):
        self._found = True
        value = [node.value] if node.value is not None else []
        call = ast.Call(func=_leave(node), args=value, keywords=[])
        return ast.copy_location(ast.Raise(exc=ast.copy_location(call, node), cause=None), node)

    def visit_Try(self, node):
        before, self._found = self._found, False
        self.generic_visit(node)
        if self._found and node.handlers:
            first = node.handlers[0]
            again = ast.copy_location(ast.Raise(), first)
            node.handlers.insert(0, ast.copy_location(ast.ExceptHandler(type=_leave(first), name=None, body=[again]), first))
        self._found = self._found or before
        return node


def _leave(node):
    return ast.copy_location(ast.Name(id=RETURN, ctx=ast.Load()), node)
