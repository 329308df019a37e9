"""The changes that `mutations` tries: one sign of one line of a module at a time.

Left alone are texts, types, decorators and what is asserted (`zip(…, strict=True)` asserts, too): no behaviour that a
test could promise hangs on them.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
"""Each sign, and what stands in its place."""

WHO = {
    "DIRECTORS": "MEMBERS",
    "MEMBERS": "ACCOUNTS",
    "ACCOUNTS": "EVERYBODY",
    "EVERYBODY": "ACCOUNTS",
    "OWNER": "DIRECTOR",
    "DIRECTOR": "HELPER",
    "HELPER": "DIRECTOR",
}
"""Names of `tournament.access.rules`: who else might be let in."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change; `key` names the change whatever its line's number is.

    `lines` are those of the change, `function` those of the function or class around it (of the module, if none is).
    """

    path: Path
    lines: range
    function: range
    key: str
    source: str

    @property
    def module(self) -> str:
        """How the module is imported."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every change of a module; equal ones of one function are numbered."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    times: Counter[str] = Counter()
    for place, function, node in list(_places(tree, "", range(0))):
        for variant in range(_variants(node)):
            before, kept = ast.unparse(node), dict(vars(node))
            _change(node, variant)
            key = f"{path.as_posix()} {place}: {_short(before)} → {_short(ast.unparse(node))}"
            source = ast.unparse(tree)
            vars(node).update(kept)
            times[key] += 1
            numbered = key if times[key] == 1 else f"{key} ({times[key]})"
            yield Mutant(path, _lines(node), function, numbered, source)


def _short(text: str) -> str:
    return " ".join(text.split())


def _lines(node: ast.AST) -> range:
    """The lines of what is changed: of a whole `if` or `while` those of its question."""
    if isinstance(node, ast.If | ast.While):
        return _lines(node.test)
    return range(getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) + 1)


def _places(node: ast.AST, name: str, lines: range) -> Iterator[tuple[str, range, ast.AST]]:
    """Every place that can be changed, with the function or class that it stands in and its lines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        name, lines = f"{name}.{node.name}".lstrip("."), _lines(node)
    if _variants(node):
        yield name or "module", lines, node
    for child in _children(node):
        yield from _places(child, name, lines)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside, without types, decorators, asserted and raised things."""
    if isinstance(node, ast.Assert | ast.Raise) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        return
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _variants(node: ast.AST) -> int:
    """In how many ways a node can be changed."""
    return len(node.ops) if isinstance(node, ast.Compare) else int(_can_change(node))


def _can_change(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=sign):
            found = type(sign) in SWAPPED and not _is_text(node)
        case ast.AugAssign(op=sign):
            found = type(sign) in SWAPPED
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            found = isinstance(test, ast.Name | ast.Attribute | ast.Call)
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(value=ast.Name(id="Role" | "Who"), attr=name):
            found = name in WHO
        case ast.Constant(value=value):
            found = isinstance(value, int)
        case ast.UnaryOp(op=sign):
            found = isinstance(sign, ast.Not | ast.USub)
        case _:
            found = isinstance(node, ast.BoolOp)
    return found


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.JoinedStr) for side in (node.left, node.right))


def _change(node: ast.AST, variant: int) -> None:
    """Change a node in place."""
    match node:
        case ast.Compare():
            other: Any = SWAPPED[type(node.ops[variant])]()
            node.ops = [*node.ops[:variant], other, *node.ops[variant + 1 :]]
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            swapped: Any = SWAPPED[type(node.op)]()
            node.op = swapped
        case ast.UnaryOp():
            node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
            node.operand = node.operand if isinstance(node.op, ast.UAdd) else ast.UnaryOp(ast.Not(), node.operand)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.If() | ast.IfExp() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Name():
            node.id = WHO[node.id]
        case ast.Attribute():
            node.attr = WHO[node.attr]
