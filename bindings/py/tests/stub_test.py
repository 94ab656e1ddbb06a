"""The stub and the part of the package in Python, which editors show: what stubtest does not check."""

import ast
from pathlib import Path

import evenstep

PACKAGE = Path(evenstep.__file__).parent


def without_a_word(body: list[ast.stmt], prefix: str = "") -> list[str]:
    """The names in a body that no docstring describes: public ones, and those that a public class inherits from a private one in the body. Of
    overloads, one description is enough."""
    names = []
    bases = {base.id for statement in body if isinstance(statement, ast.ClassDef) for base in statement.bases if isinstance(base, ast.Name)}
    for statement, after in zip(body, [*body[1:], None], strict=True):
        match statement:
            case ast.ClassDef(name=name, body=inner) if not name.startswith("_") or name in bases:
                names += [] if ast.get_docstring(statement) else [name]
                names += without_a_word(inner, f"{name}.")
            case ast.FunctionDef(name=name) if name.startswith("__") or not name.startswith("_"):
                described = {other.name for other in body if isinstance(other, ast.FunctionDef) and ast.get_docstring(other)}
                names += [] if name in described else [prefix + name]
            case ast.AnnAssign(target=ast.Name(id=name)) if not (prefix == "" and name.startswith("_")):
                names += [] if isinstance(after, ast.Expr) else [prefix + name]
            case _:
                pass
    return names


def test_every_name_has_a_word() -> None:
    files = [*PACKAGE.glob("_*.py*")]
    assert len(files) > 3
    for file in files:
        assert without_a_word(ast.parse(file.read_text()).body) == []
