"""Skills as a program finds them: `from skills.open_issues import list_open`. Each is a module that is made once, at its first import."""

import importlib
import importlib.machinery
import keyword
import sys
import types

from .failures import keep_source, skill_file
from .servers import fold

PACKAGE = "skills"


class Skills:
    """A finder and a loader of modules. `run(module, source, file)` makes a module of a text."""

    def __init__(self, skills, run):
        self._run = run
        self._by_module = {_module_name(one["name"]): (one["name"], one["code"]) for one in skills}
        self._folded = {fold(module): module for module in self._by_module}
        self._modules = {}

    def install(self):
        sys.meta_path.insert(0, self)

    def names(self):
        return list(self._by_module)

    def find_spec(self, name, path=None, target=None):
        root, *parts = name.split(".")
        if root != PACKAGE:
            return None
        # Each is a package, so that `from ..other import f` is another skill; as is `from .other import f`, which models write as well.
        if parts and (len(parts) > 2 or self._meant(parts[-1]) is None):
            message = f'There is no skill "{".".join(parts)[:100]}" in this program: it is handed those that it imports by name, as in from skills.name import …'
            raise ModuleNotFoundError(message, name=name)
        return importlib.machinery.ModuleSpec(name, self, origin=self._file(parts), is_package=True)

    def create_module(self, spec):
        _, *parts = spec.name.split(".")
        if not parts:
            return _Folder(self)
        module = self._meant(parts[-1])
        # By another spelling it is the same one.
        made = self._modules.get(module)
        if made is None:
            made = self._modules[module] = types.ModuleType(f"{PACKAGE}.{module}")
            made.__file__ = self._file(parts)
        return made

    def exec_module(self, module):
        if isinstance(module, _Folder) or hasattr(module, "__builtins__"):
            return
        name = module.__name__.rpartition(".")[2]
        skill, source = self._by_module[name]
        try:
            keep_source(source, module.__file__)
            self._run(module, source, module.__file__)
        except BaseException:
            # Python makes it anew at the next import.
            self._modules.pop(name, None)
            raise

    def _meant(self, spelling):
        return spelling if spelling in self._by_module else self._folded.get(fold(spelling))

    def _file(self, parts):
        return skill_file(self._by_module[self._meant(parts[-1])][0]) if parts else None


class _Folder(types.ModuleType):
    """`skills` itself: `skills.open_issues` imports it."""

    def __init__(self, skills):
        super().__init__(PACKAGE)
        self.__dict__.update(_keyhole=skills, __path__=[], __all__=skills.names())

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return importlib.import_module(f"{PACKAGE}.{name}")

    def __dir__(self):
        return self.__dict__["_keyhole"].names()


def _module_name(skill):
    """As `toPythonModule` of the host has it."""
    name = skill.replace("-", "_")
    return f"_{name}" if name[0].isdigit() else f"{name}_" if keyword.iskeyword(name) else name
