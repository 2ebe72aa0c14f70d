"""
In a world of tokens they are opaque: `r["email"].lower()` is the same token as `r["email"]`. Python's texts can't be taught, so
the program's text is: what changes letters is asked of the functions here.
"""

import ast
import re

CHANGE = "__keyhole_change_case__"
CHANGER = "__keyhole_case_changer__"
_METHODS = ("lower", "casefold", "title", "capitalize", "swapcase", "upper")


def mark_case_changes(tree):
    _Marker().visit(tree)


def create_changers(classes):
    """`change(method, value, …)` as in the program's text, and `changer(method)` for `str.lower` itself."""
    token = re.compile(rf"(\[(?:{'|'.join(map(re.escape, classes))})_~{{0,1000}}\d{{1,18}}\])")

    def change(method, value, *rest, **options):
        if not isinstance(value, str) or rest or options or "[" not in value:
            return getattr(value, method)(*rest, **options)
        pieces = token.split(value)
        return "".join(piece if at % 2 else getattr(piece, method)() for at, piece in enumerate(pieces))

    def changer(owner, method):
        return (lambda value: change(method, value)) if owner is str else getattr(owner, method)

    return change, changer


class _Marker(ast.NodeTransformer):
    def visit_Call(self, node):
        func = node.func
        self.generic_visit(node)
        if not isinstance(func, ast.Attribute) or func.attr not in _METHODS or _is_str(func.value):
            return node
        name = ast.copy_location(ast.Name(id=CHANGE, ctx=ast.Load()), node)
        method = ast.copy_location(ast.Constant(func.attr), node)
        return ast.copy_location(ast.Call(func=name, args=[method, func.value, *node.args], keywords=node.keywords), node)

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not _is_str(node.value) or node.attr not in _METHODS or not isinstance(node.ctx, ast.Load):
            return node
        name = ast.copy_location(ast.Name(id=CHANGER, ctx=ast.Load()), node)
        method = ast.copy_location(ast.Constant(node.attr), node)
        return ast.copy_location(ast.Call(func=name, args=[node.value, method], keywords=[]), node)


def _is_str(node):
    return isinstance(node, ast.Name) and node.id == "str"
