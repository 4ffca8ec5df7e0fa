"""The directive `public-names`: every name that a package exports, with its parameters, result and example.

A name that several packages export is documented with the first of them; the others link to it.
"""

from __future__ import annotations

import inspect
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
        kind = "class" if inspect.isclass(value) else "func"
        table += [f"   * - :py:{kind}:`~{home}.{name}`", f"     - {_summary(value)}"]
        if home == package:
            full += ["", _directive(package, name, value)]
    return "\n".join([*table, *full, ""])


def _summary(value: Any) -> str:
    """The first sentence of a docstring."""
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


def _directive(package: str, name: str, value: Any) -> str:
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


def write_dashes(app: Sphinx, domain: str, kind: str, content: addnodes.desc_content) -> None:
    """Write the dash between a name and its description, for which Sphinx has two hyphens."""
    for text in list(content.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-skip-member", leave_out)
    app.connect("object-description-transform", write_dashes)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True}
