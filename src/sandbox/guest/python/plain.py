"""
Which calls of a program block. A tool's call gives a PendingCall, and the program's text says what is meant by it:

- kept, to be awaited: under `await`; handed to asyncio (`gather`, `create_task`, `wait_for` …); put into a variable, a list or a
  dict that is awaited or handed to asyncio somewhere in its scope; handed to a parameter of the program's own that is;
  what a plain function, a lambda or a generator gives back, since whoever calls it decides, unless it stands in a `try`;
- plain, so that it blocks until the answer is there: anywhere else.

A value that is awaited though it was taken already stays what it is, so that a wrong guess costs concurrency and nothing else.
"""

import ast
import builtins

SETTLE = "__keyhole_settle__"
SETTLED = "__keyhole_settled__"

_PACKAGES = ("servers", "skills")

_TAKES_AWAITABLES = frozenset(
    "gather create_task ensure_future wait wait_for shield as_completed run run_until_complete run_coroutine_threadsafe "
    "start_soon isawaitable iscoroutine isfuture wrap_future".split()
)
_ADDS = frozenset("append add insert extend put put_nowait appendleft setdefault update".split())
# Methods of Python's own values: what they give is no call.
_ORDINARY = frozenset(
    "append extend items keys values join split rsplit splitlines strip lstrip rstrip format lower upper title startswith "
    "endswith replace sort add encode decode isdigit isalpha count index most_common total_seconds isoformat strftime "
    "group groups write writerow writerows write_text mkdir exists is_file is_dir setdefault discard fromkeys".split()
)
_ORDINARY_NAMES = frozenset(name for name in dir(builtins) if name not in ("map", "filter", "next", "getattr", "max", "min", "zip", "enumerate", "eval"))


def mark_plain_uses(tree, servers):
    """Wraps the plain uses of what may be a call, and every awaited value; in place."""
    scopes = _Scopes(tree)
    _Marker(scopes, set(servers) | scopes.imported).visit(tree)


# Each run goes through its program's tree: what has nothing below it is left out, and ast's own ways to go take twice as long.
_BARE_FIELDS = frozenset(["ctx", "op", "ops", "id", "attr", "arg", "kind", "lineno", "type_comment", "type_ignores"])


def _children(node):
    for field in node._fields:
        value = None if field in _BARE_FIELDS else getattr(node, field, None)
        if value.__class__ is list:
            for item in value:
                if isinstance(item, ast.AST):
                    yield item
        elif isinstance(value, ast.AST):
            yield value


class _Scopes:
    """Which names are awaited in the scope they belong to. A name is (scope, name); attributes are (None, ".name")."""

    def __init__(self, tree):
        self.of = {}
        self._bound = {tree: set()}
        self._outer = {tree: None}
        self._functions = {}
        self._flows = []
        self._uses = []
        self.awaited = set()
        # Names of servers and skills, and of what is theirs.
        self.imported = set()
        self._collect(tree, tree)
        self._find()
        self._spread()

    def _collect(self, node, scope):
        self.of[node] = scope
        inner = scope
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = node
            self._outer[node] = scope
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            self._bound[node] = {one.arg for one in every}
            if arguments.vararg:
                self._bound[node].add(arguments.vararg.arg)
            if not isinstance(node, ast.Lambda):
                self._bound[scope].add(node.name)
                self._functions.setdefault(node.name, node)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self._bound[scope].add(node.id)
            return
        elif isinstance(node, _USES):
            self._uses.append(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
        for child in _children(node):
            self._collect(child, inner)

    def _import(self, node):
        if isinstance(node, ast.Import):
            roots = [(alias.asname, alias.name.split(".")[0]) for alias in node.names]
            self.imported.update(given or root for given, root in roots if root in _PACKAGES)
        # A relative import is one of another skill's.
        elif node.level > 0 or (node.module or "").split(".")[0] in _PACKAGES:
            self.imported.update(alias.asname or alias.name for alias in node.names)

    def key(self, scope, name):
        at = scope
        while at is not None:
            if name in self._bound[at]:
                return (at, name)
            at = self._outer[at]
        return (None, name)

    def roots(self, node):
        """The names whose contents an expression is made of."""
        found = set()
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                found.add(self.key(self.of[one], one.id))
            elif isinstance(one, ast.Attribute):
                found.add((None, f".{one.attr}"))
        return found

    def _find(self):
        for node in self._uses:
            if isinstance(node, ast.Await):
                self.awaited |= self._kept(node.value)
            elif isinstance(node, ast.Call) and takes_awaitables(node):
                for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                    self.awaited |= self._kept(argument)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    self._flows.append((self.roots(target), node.value))
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                self._flows.append((self.roots(node.target), node.iter))
            elif isinstance(node, ast.Call):
                self._flow_into_parameters(node)

    def _flow_into_parameters(self, call):
        function = self._functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if function is None:
            return
        for name, value in _matched(function, call):
            self._flows.append(({(function, name)}, value))

    def _kept(self, node):
        """The names that come to be awaited where this expression is: not those that a call within it takes or is made on."""
        if isinstance(node, ast.Name):
            return {self.key(self.of[node], node.id)}
        if isinstance(node, ast.Attribute):
            return {(None, f".{node.attr}")}
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "set", "zip", "enumerate", "reversed", "iter", "next"):
                return set().union(*(self._kept(one) for one in node.args)) if node.args else set()
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("values", "items", "pop", "get", "copy", "popleft"):
                return self._kept(node.func.value)
            return set()
        if isinstance(node, (ast.Subscript, ast.Starred, ast.NamedExpr)):
            return self._kept(node.value)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self._kept(node.elt)
        if isinstance(node, ast.DictComp):
            return self._kept(node.value)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.BoolOp, ast.IfExp, ast.Dict, ast.BinOp)):
            return set().union(*(self._kept(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)))
        return set()

    def _spread(self):
        """What is put into something that is awaited is awaited, too."""
        is_more = True
        while is_more:
            before = len(self.awaited)
            for targets, value in self._flows:
                if targets & self.awaited:
                    self.awaited |= self._kept(value)
            is_more = len(self.awaited) > before

    def is_awaited(self, target):
        return bool(self.roots(target) & self.awaited)

    def parameter_of(self, call, value):
        """Whether a value goes to a parameter of the program's own that is awaited."""
        function = self._functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if function is None:
            return False
        return any(one is value and (function, name) in self.awaited for name, one in _matched(function, call))


_USES = (ast.Await, ast.Call, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension)


def _matched(function, call):
    names = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
    for at, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            break
        if at < len(names):
            yield names[at], value
        elif function.args.vararg:
            yield function.args.vararg.arg, value
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value


def takes_awaitables(call):
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    return name in _TAKES_AWAITABLES


class _Marker:
    """Goes down with what the place of an expression does with it: `self._keeps`."""

    def __init__(self, scopes, tools):
        self._scopes = scopes
        self._tools = tools
        self._keeps = False
        self._in_async = False
        # What fails there is caught there.
        self._in_try = False

    def _see(self, node, keeps):
        before, self._keeps = self._keeps, keeps
        try:
            return self.visit(node)
        finally:
            self._keeps = before

    def visit(self, node):
        if isinstance(node, (ast.Name, ast.Constant)):
            return node
        visitor = getattr(self, f"visit_{node.__class__.__name__}", None)
        return self.generic_visit(node) if visitor is None else visitor(node)

    def generic_visit(self, node):
        before = self._keeps
        if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, _HANDS_ON):
            self._keeps = False
        try:
            self._visit_children(node)
        finally:
            self._keeps = before
        return node

    def _visit_children(self, node):
        for field in node._fields:
            value = None if field in _BARE_FIELDS else getattr(node, field, None)
            if value.__class__ is list:
                value[:] = [self.visit(item) if isinstance(item, ast.AST) else item for item in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))

    def visit_Await(self, node):
        node.value = _call(SETTLED, self._see(node.value, True))
        return node

    def visit_Assign(self, node):
        keeps = any(self._scopes.is_awaited(target) for target in node.targets)
        node.targets = [self._see(target, False) for target in node.targets]
        node.value = self._see(node.value, keeps)
        return node

    def visit_AnnAssign(self, node):
        keeps = self._scopes.is_awaited(node.target)
        node.target = self._see(node.target, False)
        node.annotation = self._see(node.annotation, False)
        if node.value is not None:
            node.value = self._see(node.value, keeps)
        return node

    def visit_AugAssign(self, node):
        keeps = self._scopes.is_awaited(node.target)
        node.target = self._see(node.target, False)
        node.value = self._see(node.value, keeps)
        return node

    def visit_NamedExpr(self, node):
        node.value = self._see(node.value, self._keeps or self._scopes.is_awaited(node.target))
        return node

    def visit_Return(self, node):
        if node.value is not None:
            node.value = self._see(node.value, not self._in_async and not self._in_try)
        return node

    def visit_Try(self, node):
        before, self._in_try = self._in_try, self._in_try or bool(node.handlers)
        node.body = [self._see(one, False) for one in node.body]
        self._in_try = before
        for name in ("handlers", "orelse", "finalbody"):
            setattr(node, name, [self._see(one, False) for one in getattr(node, name)])
        return node

    visit_TryStar = visit_Try

    def visit_Lambda(self, node):
        self._arguments(node)
        node.body = self._see(node.body, True)
        return node

    def visit_Yield(self, node):
        if node.value is not None:
            node.value = self._see(node.value, True)
        return node

    def visit_FunctionDef(self, node):
        return self._function(node, False)

    def visit_AsyncFunctionDef(self, node):
        return self._function(node, True)

    def _arguments(self, node):
        """Defaults and annotations, which are evaluated where the function stands."""
        given = node.args
        places = [*given.posonlyargs, *given.args]
        names = [one.arg for one in places[len(places) - len(given.defaults) :]]
        keeps = [(node, name) in self._scopes.awaited for name in names]
        given.defaults = [self._see(one, keep) for one, keep in zip(given.defaults, keeps)]
        given.kw_defaults = [
            one and self._see(one, (node, place.arg) in self._scopes.awaited) for one, place in zip(given.kw_defaults, given.kwonlyargs)
        ]
        for one in [*places, *given.kwonlyargs, given.vararg, given.kwarg]:
            if one is not None and one.annotation is not None:
                one.annotation = self._see(one.annotation, False)

    def _function(self, node, is_async):
        self._arguments(node)
        node.decorator_list = [self._see(one, False) for one in node.decorator_list]
        if node.returns is not None:
            node.returns = self._see(node.returns, False)
        before = self._in_async, self._in_try
        self._in_async, self._in_try = is_async, False
        node.body = [self._see(statement, False) for statement in node.body]
        self._in_async, self._in_try = before
        return node

    def visit_For(self, node):
        keeps = self._scopes.is_awaited(node.target)
        node.target = self._see(node.target, False)
        node.iter = self._see(node.iter, keeps)
        node.body = [self._see(one, False) for one in node.body]
        node.orelse = [self._see(one, False) for one in node.orelse]
        return node

    def visit_comprehension(self, node):
        node.iter = self._see(node.iter, self._scopes.is_awaited(node.target))
        node.ifs = [self._see(one, False) for one in node.ifs]
        return node

    def visit_ListComp(self, node):
        return self._comprehension(node)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def _comprehension(self, node):
        keeps = self._keeps
        node.generators = [self.visit(one) for one in node.generators]
        node.elt = self._see(node.elt, keeps)
        return node

    def visit_DictComp(self, node):
        keeps = self._keeps
        node.generators = [self.visit(one) for one in node.generators]
        node.key = self._see(node.key, False)
        node.value = self._see(node.value, keeps)
        return node

    def visit_Call(self, node):
        keeps = self._keeps
        holds = self._holds_arguments(node)
        node.args = [self._see(one, holds(one)) for one in node.args]
        for keyword in node.keywords:
            keyword.value = self._see(keyword.value, holds(keyword.value))
        is_tool = self._may_give_call(node)
        node.func = self._see(node.func, False)
        return node if keeps or not is_tool else _call(SETTLE, node)

    def _holds_arguments(self, node):
        """Whether an argument stays a call."""
        if takes_awaitables(node):
            return lambda value: True
        if isinstance(node.func, ast.Attribute) and node.func.attr in _ADDS:
            is_awaited = self._scopes.is_awaited(node.func.value)
            return lambda value: is_awaited
        if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "set", "zip", "enumerate", "iter", "dict"):
            keeps = self._keeps
            return lambda value: keeps
        return lambda value: self._scopes.parameter_of(node, value)

    def _may_give_call(self, node):
        func = node.func
        if isinstance(func, ast.Name):
            return func.id in self._tools or func.id not in _ORDINARY_NAMES
        if isinstance(func, ast.Attribute):
            root = func
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in self._tools:
                return True
            if isinstance(root, ast.Constant):
                return False
            return func.attr not in _ORDINARY
        return True


# What an expression in them is, is what they are.
_HANDS_ON = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.BoolOp)


def _call(name, argument):
    wrapped = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[argument], keywords=[])
    ast.copy_location(wrapped, argument)
    ast.copy_location(wrapped.func, argument)
    return wrapped
