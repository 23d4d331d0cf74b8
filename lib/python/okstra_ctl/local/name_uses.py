"""Where a Python module uses names, and what the scopes around each use bind. Pure."""

from __future__ import annotations

import ast
import symtable
from typing import Iterable, NamedTuple, Sequence, TypeGuard

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Use(NamedTuple):
    name: str
    line: int
    guarded: bool  # somebody catches its NameError
    bound: bool  # a scope inside the module binds it, or may
    late: bool  # it runs when the module has been read: inside a function


class Walk:
    """Goes through a tree with the names that each scope on the way binds; `found` are its uses.

    `annotated` are the names in annotations: those may never be evaluated, and count as read.
    """

    def __init__(self, tables: Sequence[symtable.SymbolTable]) -> None:
        self.found: list[Use] = []
        self.annotated: set[str] = set()
        self._locals: dict[tuple[int, str], set[str]] = {}
        for table in tables[1:]:
            key = (table.get_lineno(), table.get_name())
            own = {s.get_name() for s in table.get_symbols() if s.is_local() or s.is_parameter()}
            self._locals.setdefault(key, set()).update(own)
        self._scopes: list[tuple[bool, set[str]]] = []  # is it a class; what it binds
        self._guards = 0
        self._functions = 0

    def visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind is ast.Name:
            self._name(node)  # type: ignore[arg-type]
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, _COMPREHENSIONS):
            stored = {one.id for one in ast.walk(node) if _is_stored(one)}
            self._inside(False, stored, ast.iter_child_nodes(node))
        elif isinstance(node, ast.Try) and any(_catches(one) for one in node.handlers):
            self._guards += 1
            self._each(node.body)
            self._guards -= 1
            self._each([*node.handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.AnnAssign):
            self._annotation(node.annotation)
            self._each([node.target, *([node.value] if node.value else [])])
        else:
            self._each(ast.iter_child_nodes(node))

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            bound = any(node.id in names for _, names in self._scopes)
            use = Use(node.id, node.lineno, bool(self._guards), bound, bool(self._functions))
            self.found.append(use)

    def _each(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _annotation(self, node: ast.AST | None) -> None:
        if node is not None:
            self.annotated |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        given = node.args
        self._each([*given.defaults, *(one for one in given.kw_defaults if one)])
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        every += [one for one in (given.vararg, given.kwarg) if one]
        for one in every:
            self._annotation(one.annotation)
        self._annotation(getattr(node, "returns", None))
        name = "lambda" if isinstance(node, ast.Lambda) else node.name
        bound = {one.arg for one in every} | self._bound(node, name)
        body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
        self._each(getattr(node, "decorator_list", []))
        kept, self._scopes = self._scopes, [one for one in self._scopes if not one[0]]
        self._functions += 1
        self._inside(False, bound, body)
        self._functions -= 1
        self._scopes = kept

    def _class(self, node: ast.ClassDef) -> None:
        bound = self._bound(node, node.name)
        self._each(node.decorator_list)
        outside = [*node.bases, *(one.value for one in node.keywords)]
        self._inside(False, _type_parameters(node), outside)
        self._inside(True, bound, node.body)

    def _bound(self, node: ast.AST, name: str) -> set[str]:
        line = getattr(node, "lineno", 0)
        return self._locals.get((line, name), set()) | _type_parameters(node)

    def _inside(self, is_class: bool, bound: set[str], nodes: Iterable[ast.AST]) -> None:
        kept, self._scopes = self._scopes, [*self._scopes, (is_class, bound)]
        self._each(nodes)
        self._scopes = kept


def _type_parameters(node: ast.AST) -> set[str]:
    return {str(getattr(one, "name", "")) for one in getattr(node, "type_params", ())}


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _catches(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler takes a NameError: by name, among others, or whatever comes."""
    if handler.type is None:
        return True
    names = {one.id for one in ast.walk(handler.type) if isinstance(one, ast.Name)}
    return bool(names & {"NameError", "Exception", "BaseException"})
