"""Which names of a Python module mean nothing, and which serve nothing: over `symtable`. Pure.

It names only what is certain: whatever could bind a name in a way that cannot be seen here (a star
import, `exec`, a string that holds it) keeps it silent.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from typing import Iterator, NamedTuple, Sequence

from okstra_ctl.local.hit import UNDEFINED, UNUSED
from okstra_ctl.local.name_uses import FUNCTIONS, Use, Walk

_BUILTINS = frozenset({*dir(builtins), "WindowsError"})
_BLIND = {"exec", "eval", "globals", "locals", "vars"}  # they bind and read names unseen
_SILENT_STRING = 300  # characters of a text in which a name may stand for a use


class Problem(NamedTuple):
    topic: str
    name: str
    line: int
    end: int
    imported: bool = False


class Names(NamedTuple):
    problems: tuple[Problem, ...]  # by line
    settled: tuple[tuple[str, str, int, int], ...]  # topic, name, line, the line that disproves it


def resolve(tree: ast.Module, top: symtable.SymbolTable) -> Names:
    """Return the problems of a module. Raises RecursionError for a tree too deep."""
    tables = list(_tables(top))
    walk = Walk(tables)
    walk.visit(tree)
    nodes = list(ast.walk(tree))
    module = _bound_at_module(top, tables)
    problems: list[Problem] = []
    starred = any(isinstance(one, ast.ImportFrom) and one.names[0].name == "*" for one in nodes)
    blind = any(use.name in _BLIND for use in walk.found)
    if not starred and not blind:
        problems += _undefined(walk.found, module)
    if not blind:
        told = walk.annotated | _told(nodes)  # in __all__, in a quoted annotation, …
        problems += _unused_imports(tree, tables, told)
        problems += _unread_locals(nodes, tables, told)
    problems.sort(key=lambda one: (one.line, one.topic, one.name))
    settled = () if starred or blind else tuple(_settled(tree, nodes, walk.found))
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


def _undefined(uses: Sequence[Use], module: frozenset[str]) -> Iterator[Problem]:
    for use in uses:
        known = use.name in module or use.name in _BUILTINS or use.name.startswith("__")
        if not known and not use.bound and not use.guarded:
            yield Problem(UNDEFINED, use.name, use.line, use.line)


def _told(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the words of the short texts of a module: each may stand for a use."""
    texts = (
        one.value
        for one in nodes
        if isinstance(one, ast.Constant)
        and isinstance(one.value, str)
        and len(one.value) <= _SILENT_STRING
    )
    return set(re.findall(r"\w+", " ".join(texts)))


def _unused_imports(
    tree: ast.Module, tables: Sequence[symtable.SymbolTable], told: set[str]
) -> Iterator[Problem]:
    read = {s.get_name() for s in tables[0].get_symbols() if s.is_referenced()}
    for table in tables[1:]:
        read |= {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    for node in tree.body:
        for name in _imported(node):
            if name not in read and name not in told:
                end = node.end_lineno or node.lineno
                yield Problem(UNUSED, name, node.lineno, end, True)


def _unread_locals(
    nodes: Sequence[ast.AST], tables: Sequence[symtable.SymbolTable], told: set[str]
) -> Iterator[Problem]:
    by_place: dict[tuple[int, str], symtable.Function] = {}
    for table in tables[1:]:
        if isinstance(table, symtable.Function):
            by_place[table.get_lineno(), table.get_name()] = table
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            found = by_place.get((node.lineno, node.name))
            if found:
                yield from _unread(node, found, told)


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
    suspects = {s.get_name() for s in table.get_symbols() if s.is_local() and not s.is_referenced()}
    if not suspects:
        return
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
            if name in suspects and not known:
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
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.expr)):
            yield from _statements(list(ast.iter_child_nodes(node)))


def _settled(
    tree: ast.Module, nodes: Sequence[ast.AST], uses: Sequence[Use]
) -> Iterator[tuple[str, str, int, int]]:
    """Yield what can be disproved: a name is bound for sure, or an import is used for sure.

    Only what the module's own statements bind, once, counts; in a branch it may not run.
    """
    times: dict[str, int] = {}
    by_name: dict[str, list[Use]] = {}
    for use in uses:
        if not use.bound:
            by_name.setdefault(use.name, []).append(use)
    for node in nodes:
        for name in _ever_bound(node):
            times[name] = times.get(name, 0) + 1
    for node in tree.body:
        for name in (*_ever_bound(node), *_assigned(node)):
            if times[name] != 1:
                continue
            meant = by_name.get(name, [])
            for use in meant:
                if use.late or use.line > node.lineno:
                    yield UNDEFINED, name, use.line, node.lineno
            if meant:
                yield UNUSED, name, node.lineno, meant[0].line


def _ever_bound(node: ast.AST) -> Iterator[str]:
    yield from _imported(node)
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
