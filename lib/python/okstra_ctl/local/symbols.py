"""Which names of a Python module mean nothing, and which serve nothing: over `symtable`. Pure.

It names only what is certain: whatever could bind a name in a way that cannot be seen here (a star
import, `exec`, a string that holds it) keeps it silent.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from typing import Iterator, NamedTuple, Sequence, TypeGuard

from okstra_ctl.local.hit import UNDEFINED, UNUSED

_BUILTINS = frozenset({*dir(builtins), "WindowsError"})
_BLIND = {"exec", "eval", "globals", "locals", "vars"}  # they bind and read names unseen
_SILENT_STRING = 300  # characters of a text in which a name may stand for a use
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


class Problem(NamedTuple):
    topic: str
    name: str
    line: int
    end: int
    imported: bool = False


class Names(NamedTuple):
    problems: tuple[Problem, ...]  # by line
    settled: tuple[tuple[str, str, int, int], ...]  # topic, name, line, the line that disproves it


class _Use(NamedTuple):
    name: str
    line: int
    guarded: bool  # somebody catches its NameError
    bound: bool  # a scope inside the module binds it, or may
    late: bool  # it runs when the module has been read: inside a function


def resolve(tree: ast.Module, top: symtable.SymbolTable) -> Names:
    """Return the problems of a module. Raises RecursionError for a tree too deep."""
    tables = list(_tables(top))
    uses = list(_Walk(tables).uses(tree))
    module = _bound_at_module(top, tables)
    problems: list[Problem] = []
    starred = any(
        isinstance(one, ast.ImportFrom) and one.names[0].name == "*" for one in ast.walk(tree)
    )
    blind = any(use.name in _BLIND for use in uses)
    if not starred and not blind:
        problems += _undefined(uses, module)
    if not blind:
        problems += _unused(tree, top, tables)
    problems.sort(key=lambda one: (one.line, one.topic, one.name))
    settled = () if starred or blind else tuple(_settled(tree, uses))
    return Names(tuple(dict.fromkeys(problems)), settled)


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _bound_at_module(
    top: symtable.SymbolTable, tables: Sequence[symtable.SymbolTable]
) -> frozenset[str]:
    own = {one.get_name() for one in top.get_symbols() if _binds(one)}
    for table in tables[1:]:
        declared = (one for one in table.get_symbols() if one.is_declared_global())
        own |= {one.get_name() for one in declared if _binds(one)}
    return frozenset(own)


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _undefined(uses: Sequence[_Use], module: frozenset[str]) -> Iterator[Problem]:
    for use in uses:
        known = use.name in module or use.name in _BUILTINS or use.name.startswith("__")
        if not known and not use.bound and not use.guarded:
            yield Problem(UNDEFINED, use.name, use.line, use.line)


class _Walk:
    """Goes through a tree with the names that each scope on the way binds."""

    def __init__(self, tables: Sequence[symtable.SymbolTable]) -> None:
        self._locals: dict[tuple[int, str], set[str]] = {}
        for table in tables[1:]:
            key = (table.get_lineno(), table.get_name())
            own = {s.get_name() for s in table.get_symbols() if s.is_local() or s.is_parameter()}
            self._locals.setdefault(key, set()).update(own)
        self._scopes: list[tuple[bool, set[str]]] = []  # is it a class; what it binds
        self._guards = 0
        self._functions = 0

    def uses(self, node: ast.AST) -> Iterator[_Use]:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                bound = any(node.id in names for _, names in self._scopes)
                late = bool(self._functions)
                yield _Use(node.id, node.lineno, bool(self._guards), bound, late)
        elif isinstance(node, (*_Function, ast.Lambda)):
            yield from self._function(node)
        elif isinstance(node, ast.ClassDef):
            yield from self._class(node)
        elif isinstance(node, _COMPREHENSIONS):
            stored = {one.id for one in ast.walk(node) if _is_stored(one)}
            yield from self._inside(False, stored, ast.iter_child_nodes(node))
        elif isinstance(node, ast.Try) and any(_catches(one) for one in node.handlers):
            self._guards += 1
            yield from self._each(node.body)
            self._guards -= 1
            yield from self._each([*node.handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.AnnAssign):  # annotations may never be evaluated
            yield from self._each([node.target, *([node.value] if node.value else [])])
        else:
            yield from self._each(ast.iter_child_nodes(node))

    def _each(self, nodes: Iterator[ast.AST] | Sequence[ast.AST]) -> Iterator[_Use]:
        for node in nodes:
            yield from self.uses(node)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    ) -> Iterator[_Use]:
        given = node.args
        yield from self._each([*given.defaults, *(one for one in given.kw_defaults if one)])
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        every += [one for one in (given.vararg, given.kwarg) if one]
        name = "lambda" if isinstance(node, ast.Lambda) else node.name
        bound = {one.arg for one in every} | self._bound(node, name)
        body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
        yield from self._each(getattr(node, "decorator_list", []))
        kept, self._scopes = self._scopes, [one for one in self._scopes if not one[0]]
        self._functions += 1
        yield from self._inside(False, bound, body)
        self._functions -= 1
        self._scopes = kept

    def _class(self, node: ast.ClassDef) -> Iterator[_Use]:
        bound = self._bound(node, node.name)
        yield from self._each(node.decorator_list)
        outside = [*node.bases, *(one.value for one in node.keywords)]
        yield from self._inside(False, _type_parameters(node), outside)
        yield from self._inside(True, bound, node.body)

    def _bound(self, node: ast.AST, name: str) -> set[str]:
        line = getattr(node, "lineno", 0)
        return self._locals.get((line, name), set()) | _type_parameters(node)

    def _inside(
        self, is_class: bool, bound: set[str], nodes: Iterator[ast.AST] | Sequence[ast.AST]
    ) -> Iterator[_Use]:
        self._scopes = [*self._scopes, (is_class, bound)]
        yield from self._each(nodes)
        self._scopes = self._scopes[:-1]


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


def _unused(
    tree: ast.Module, top: symtable.SymbolTable, tables: Sequence[symtable.SymbolTable]
) -> Iterator[Problem]:
    texts = " ".join(
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.Constant)
        and isinstance(one.value, str)
        and len(one.value) <= _SILENT_STRING
    )
    told = set(re.findall(r"\w+", texts))  # in __all__, in a quoted annotation, …
    read = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    for table in tables[1:]:
        read |= {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    for node in tree.body:
        for name in _imported(node):
            if name not in read and name not in told:
                end = node.end_lineno or node.lineno
                yield Problem(UNUSED, name, node.lineno, end, True)
    for function in (one for one in ast.walk(tree) if isinstance(one, _Function)):
        same = [
            table
            for table in tables[1:]
            if (table.get_lineno(), table.get_name()) == (function.lineno, function.name)
        ]
        if same and isinstance(same[-1], symtable.Function):
            yield from _unread(function, same[-1], told)


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the names that an import binds; those it passes on (`x as x`) it does not."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        if getattr(node, "module", "") == "__future__":
            return
        for alias in node.names:
            if alias.name != "*" and alias.asname != alias.name:
                yield alias.asname or alias.name.partition(".")[0]


def _unread(
    function: ast.FunctionDef | ast.AsyncFunctionDef, table: symtable.Function, told: set[str]
) -> Iterator[Problem]:
    inner = {
        symbol.get_name()
        for child in table.get_children()
        for one in _tables(child)
        for symbol in one.get_symbols()
        if not symbol.is_local() or symbol.is_referenced()
    }
    counted = {
        one.target.id
        for one in ast.walk(function)
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
    }
    for node in _statements(function.body):
        imported = list(_imported(node))
        for name in [*imported, *_assigned(node)]:
            known = name in inner or name in counted or name in told or name.startswith("_")
            symbol = table.lookup(name)
            if symbol.is_local() and not symbol.is_referenced() and not known:
                end = (node.end_lineno or node.lineno) if imported else node.lineno
                yield Problem(UNUSED, name, node.lineno, end, bool(imported))


def _assigned(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target: ast.AST = node.targets[0]
    elif isinstance(node, ast.AnnAssign) and node.value:
        target = node.target
    else:
        return
    if isinstance(target, ast.Name):
        yield target.id


def _statements(body: Sequence[ast.AST]) -> Iterator[ast.stmt]:
    """Yield the statements of a function that are not those of one inside it."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, (*_Function, ast.ClassDef, ast.expr)):
            yield from _statements(list(ast.iter_child_nodes(node)))


def _settled(tree: ast.Module, uses: Sequence[_Use]) -> Iterator[tuple[str, str, int, int]]:
    """Yield what can be disproved: a name is bound for sure, or an import is used for sure.

    Only what the module's own statements bind, once, counts; in a branch it may not run.
    """
    times: dict[str, int] = {}
    for node in ast.walk(tree):
        for name in _ever_bound(node):
            times[name] = times.get(name, 0) + 1
    for node in tree.body:
        for name in (*_ever_bound(node), *_assigned(node)):
            if times[name] != 1:
                continue
            meant = [use for use in uses if use.name == name and not use.bound]
            for use in meant:
                if use.late or use.line > node.lineno:
                    yield UNDEFINED, name, use.line, node.lineno
            if meant:
                yield UNUSED, name, node.lineno, meant[0].line


def _ever_bound(node: ast.AST) -> Iterator[str]:
    yield from _imported(node)
    if isinstance(node, (*_Function, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
