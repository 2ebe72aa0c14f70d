"""The servers as a program finds them: `github.create_issue(…)`, `from servers.github import create_issue`."""

import importlib.machinery
import sys
import types
import unicodedata

from .calls import ToolError

_TYPE_ENDINGS = ("Input", "Response", "Result", "Output", "Args", "Params")


def create_tool(calls, server, name):
    """A function of a server. Which tool it calls is held here: no attribute of it changes that."""

    class Tool:
        __slots__ = ("__weakref__",)
        __module__ = f"servers.{server}"
        __doc__ = f"{name} of {server}. It takes keyword arguments, or one dict; timeout_ms beside a dict is the call's own limit."

        def __call__(self, *given, **named):
            args, timeout_ms = read_arguments(given, named, name)
            return calls.call_tool(server, name, args, timeout_ms)

        def __getattr__(self, asked):
            if asked in ("__name__", "__qualname__"):
                return name
            # `from servers.github.create_issue import create_issue`: the file of a function is taken for the function.
            if not asked.startswith("__") and (fold(asked) == fold(name) or is_type_name(asked)):
                return dict if is_type_name(asked) else self
            raise AttributeError(f'The function "{name}" has no "{asked}"')

        def __setattr__(self, asked, value):
            raise AttributeError(f'The function "{name}" cannot be changed')

        def __repr__(self):
            return f"<function {name} of {server}>"

    return Tool()


def read_arguments(given, named, tool):
    if not given:
        return named, None
    first, *rest = given
    if first is None:
        first = {}
    if not hasattr(first, "keys"):
        raise TypeError(f"{tool} takes keyword arguments or one dict, and got {type(first).__name__} {first!r:.80}")
    options = rest[0] if rest and isinstance(rest[0], dict) else {}
    named = dict(named)
    timeout_ms = named.pop("timeout_ms", None) if "timeout_ms" not in first else None
    if timeout_ms is None:
        timeout_ms = options.get("timeout_ms", options.get("timeoutMs"))
    return {**first, **named}, timeout_ms


class Server(types.ModuleType):
    """Any name is a function of it: the host knows more spellings than are listed, and says what was meant when it knows none."""

    def __init__(self, calls, name, functions):
        super().__init__(f"servers.{name}")
        tools = {}
        self.__dict__.update(_keyhole=(calls, name, functions, tools), __path__=[], __all__=list(functions or []))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        calls, server, functions, tools = self.__dict__["_keyhole"]
        if name == "ToolError":
            return ToolError
        if is_type_name(name) and name not in (functions or ()):
            return dict
        if name not in tools:
            tools[name] = create_tool(calls, server, name)
        return tools[name]

    def __getitem__(self, name):
        return getattr(self, name)

    def __dir__(self):
        _, server, functions, _ = self.__dict__["_keyhole"]
        if functions is None:
            raise TypeError(f'The functions of "{server}" are not listed for a program that does not write its name: use search_tools')
        return list(functions)

    def __iter__(self):
        return iter(self.__dir__())

    def __contains__(self, name):
        return any(fold(name) == fold(known) for known in self.__dict__["_keyhole"][2] or ())

    def __repr__(self):
        return f"<server {self.__dict__['_keyhole'][1]}>"


class Servers:
    """All servers of a program by the names that it has for them, and how it imports them."""

    def __init__(self, calls, servers, aliases, functions):
        lists = dict((name, names) for name, names in functions)
        self._calls = calls
        self.shown = {name: Server(calls, name, lists.get(name)) for name in servers}
        self.spelled = {alias: self.shown.get(name) or Server(calls, name, None) for alias, name in aliases}
        self._folded = {fold(name): server for name, server in [*self.spelled.items(), *self.shown.items()]}

    def find(self, name):
        known = self.shown.get(name) or self.spelled.get(name) or self._folded.get(fold(name))
        if known is None:
            known = self._folded[fold(name)] = Server(self._calls, name, None)
        return known

    # As a finder and a loader of modules.
    def find_spec(self, name, path=None, target=None):
        if name == "servers" or name.startswith("servers."):
            return importlib.machinery.ModuleSpec(name, self, is_package=name.count(".") < 2)
        return None

    def create_module(self, spec):
        _, *parts = spec.name.split(".")
        if not parts:
            return _Folder(self)
        server = self.find(parts[0])
        return server if len(parts) == 1 else getattr(server, parts[-1])

    def exec_module(self, module):
        pass

    def install(self):
        sys.meta_path.insert(0, self)


class _Folder(types.ModuleType):
    """`servers` itself."""

    def __init__(self, servers):
        super().__init__("servers")
        self.__dict__.update(_keyhole=servers, __path__=[], __all__=list(servers.shown))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return ToolError if name == "ToolError" else self.__dict__["_keyhole"].find(name)

    def __dir__(self):
        return list(self.__dict__["_keyhole"].shown)


class OwnAndServer:
    """Something of ours whose name is a server's, too: `fetch(url)` is ours, `fetch.fetch(url=url)` the server's."""

    def __init__(self, own, server):
        self.__dict__["_keyhole"] = (own, server)

    def __call__(self, *given, **named):
        return self.__dict__["_keyhole"][0](*given, **named)

    def __getattr__(self, name):
        own, server = self.__dict__["_keyhole"]
        return getattr(own if hasattr(own, name) else server, name)

    def __getitem__(self, name):
        return self.__dict__["_keyhole"][1][name]

    def __repr__(self):
        return repr(self.__dict__["_keyhole"][1])


def create_call_by_name(calls):
    def call_mcp_tool(*given, timeout_ms=None, **named):
        """`(name, args)`, by place or as `args=` or `arguments=`; other keywords are arguments, too."""
        name, args = (*given, None, None)[:2]
        if isinstance(args, str):
            raise TypeError(f'call_mcp_tool takes the server and the tool as one name: call_mcp_tool("{name}__{args}", {{…}})')
        if name is None:
            name = named.pop("name", "")
        for key in ("args", "arguments"):
            if args is None and hasattr(named.get(key), "keys"):
                args = named.pop(key)
        return _call_by_name(calls, name, {**(args or {}), **named}, timeout_ms)

    return call_mcp_tool


def _call_by_name(calls, name, args, timeout_ms):
    """`github__create_issue`: what stands before the first mark is the server's name or its beginning; the host knows better."""
    text = str(name)
    start = next((at for at, letter in enumerate(text) if letter.isalnum()), len(text)) + 1
    for marks in ("__", "./:", "_-"):
        options = [marks] if marks == "__" else list(marks)
        found = [(at, mark) for mark in options if (at := text.find(mark, start)) >= 0]
        if found:
            at, mark = min(found)
            if text[at + len(mark) :]:
                return calls.call_tool(text[:at], text[at + len(mark) :], args, timeout_ms)
            break
    raise TypeError(f'Cannot call "{text}": expected "server__tool"')


def is_type_name(name):
    return name[:1].isupper() and name.endswith(_TYPE_ENDINGS)


def fold(name):
    """As `foldName` of the host has it."""
    text = unicodedata.normalize("NFKC", name[:600]).lower()
    return "".join(letter for letter in text if unicodedata.category(letter)[0] in "LMN")


__all__ = ["OwnAndServer", "Servers", "ToolError", "create_call_by_name", "fold"]
