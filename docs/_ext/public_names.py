"""The directive `public-names`: every name that a package exports, with its parameters, result and example.

A name that several packages export is documented with the first of them; the others link to it. Docstrings
explain parameters and attributes on lines such as `seed, run: the seed, and the number of the run`, which
become lists here.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject
from sphinx.util.docutils import SphinxDirective

# A name is documented in the first of these that exports it.
ROOMS = (
    "stats",
    "boolean",
    "circuit",
    "theory",
    "synthesis",
    "learn",
    "campaign",
    "analysis",
    "report",
    "studies",
)
PACKAGES = ["gatewalk", *(f"gatewalk.{room}" for room in ROOMS)]


def home_of(package: str, name: str) -> str:
    """The package that documents a name which this one exports."""
    value = getattr(import_module(package), name)
    for first in PACKAGES[: PACKAGES.index(package)]:
        module = import_module(first)
        if name in module.__all__ and getattr(module, name) is value:
            return first
    return package


def described(package: str) -> str:
    """The names of a package in reStructuredText: a table of them, then each in full."""
    names: list[str] = import_module(package).__all__
    table = ["", ".. list-table::", "   :widths: 30 70", ""]
    full = []
    for name in names:
        home = home_of(package, name)
        value = getattr(import_module(package), name)
        kind = "class" if inspect.isclass(value) else "func" if inspect.isroutine(value) else "data"
        summary = _comment(package, name) if kind == "data" else _summary(value)
        table += [f"   * - :py:{kind}:`~{home}.{name}`", f"     - {summary}"]
        if home == package:
            _import_for_hints(value)
            full += ["", _directive(package, name, value)]
    return "\n".join([*table, *full, ""])


def _import_for_hints(value: Any) -> None:
    """Import what the module of a value imports for type checkers only: a hint with it could not be read."""
    name = getattr(value, "__module__", "")
    if not name.startswith("gatewalk."):
        return
    module = sys.modules[name]
    for statement in ast.parse(inspect.getsource(module)).body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(statement.body, []), module.__name__, "exec"), vars(module))


def _summary(value: Any) -> str:
    """The first sentence of a docstring."""
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


def _comment(package: str, name: str) -> str:
    """The comment behind a constant, or above it, as a sentence."""
    pattern = re.compile(rf"^(?:# (.*)\n)?{name}\b[^#\n=]*=[^#\n]*(?:# (.*))?$", re.MULTILINE)
    modules = [module for path, module in sys.modules.items() if path.startswith(f"{package}.")]
    lines = filter(None, (pattern.search(inspect.getsource(module)) for module in modules))
    comments = [line[2] or line[1] for line in lines if line[2] or line[1]]
    return f"{comments[0][0].upper()}{comments[0][1:].rstrip('.')}." if comments else "A constant."


def _directive(package: str, name: str, value: Any) -> str:
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return f".. py:data:: {package}.{name}\n\n   {_comment(package, name)}"
    if inspect.isclass(value) and issubclass(value, BaseException):
        return f".. autoexception:: {package}.{name}"
    if inspect.isclass(value):
        return f".. autoclass:: {package}.{name}\n   :members:"
    return f".. autofunction:: {package}.{name}"


class PublicNames(SphinxDirective):
    """`public-names` with the name of a package."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(f"```{{eval-rst}}\n{described(self.arguments[0])}\n```")


def leave_out(app: Sphinx, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out methods that are not the package's own, as estimators inherit them."""
    module = getattr(value, "__module__", None) or "gatewalk"
    return True if not module.startswith("gatewalk") else None


ENTRY = re.compile(r"([a-z]\w*(?:, [a-z]\w*)*): (.*)")


def list_entries(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Write the lines that explain parameters and attributes as the lists that Sphinx knows."""
    role = "ivar" if inspect.isclass(value) else "param"
    written: list[str] = []
    is_within = False  # an entry
    for line in lines:
        if entry := ENTRY.fullmatch(line):
            if not is_within:
                written.append("")
            first, *others = entry[1].replace("_", "\\_").split(", ")
            written += [f":{role} {other}: see `{first}`." for other in others]
            written.append(f":{role} {first}: {entry[2]}")
        elif is_within and not line.startswith(" "):
            written += ["", line]
        else:
            written.append(line)
        is_within = bool(entry) or (is_within and line.startswith(" "))
    lines[:] = written


def hide_lambdas(
    app: Sphinx, what: str, name: str, value: Any, options: Any, signature: str | None, result: str | None
) -> tuple[str, str | None] | None:
    """Write dots for a default that is a function without a name."""
    return None if signature is None else (re.sub(r"<function .*? at 0x\w+>", "...", signature), result)


def write_dashes(app: Sphinx, domain: str, kind: str, content: addnodes.desc_content) -> None:
    """Write the dash between a name and its description, for which Sphinx has two hyphens."""
    for text in list(content.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-docstring", list_entries)
    app.connect("autodoc-process-signature", hide_lambdas)
    app.connect("object-description-transform", write_dashes)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True}
