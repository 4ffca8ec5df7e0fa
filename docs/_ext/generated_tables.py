"""Tables that the package itself fills when the site is built, so they cannot go out of date.

`generated-table` with one of the names in `TABLES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.targets import defaults, families, family_member
from gatewalk.search.options import CELL_COLUMNS, OPTIONS, Column
from gatewalk.search.runs import RUN_COLUMNS

Rows = Iterable[tuple[str, ...]]
# Of settings that have no option of their own on the command line.
WORDS = {"target": "What to search for.", "law": "Single options of the profile."}
KINDS = {
    "text": "text",
    "count": "whole number",
    "total": "whole number",
    "number": "whole number of any size",
    "real": "number",
    "truth": "true or false",
    "bytes": "bytes",
}


def markdown(header: tuple[str, ...], rows: Rows) -> str:
    """A table in Markdown."""
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def columns(listed: Iterable[Column]) -> str:
    """The columns of runs, from their descriptions."""
    rows = [
        (f"`{one.name}`", KINDS[one.kind] + (" or null" if one.optional else ""), one.meaning)
        for one in listed
    ]
    return markdown(("name", "kind", "what it is"), rows)


def settings() -> str:
    """The settings of a search, from their options."""
    rows = []
    for name, option in OPTIONS.items():
        flag = option.flag or name
        written = "the argument" if name == "target" else f"`--{flag}`"
        if name == "law":
            written = "`--option NAME=VALUE`"
        what = option.help or WORDS[name]
        default = "" if option.default is None else f"`{option.default}`"
        rows.append((f"`{option.keyword or name}`", written, f"`{flag}`", default, what))
    return markdown(("Python", "command line", "TOML", "default", "what it is"), rows)


def gates() -> str:
    """Every gate by name: inputs, truth table and symbol."""
    rows = []
    for name, one in GATES.items():
        table = "".join(str(one.table >> row & 1) for row in range(2**one.arity))
        rows.append((f"`{name}`", str(one.arity), f"`{table}`", f"`{one.table:#x}`", f"`{one.symbol}`"))
    return markdown(("gate", "inputs", "values, row 0 first", "table", "in expressions"), rows)


def targets() -> str:
    """Every family of targets by one of its members, with the defaults of a search for it."""
    rows = []
    for family in families():
        one = family_member(family, family.example)
        usual = defaults(one)
        what = " ".join((family.rule.__doc__ or "").split("\n\n")[0].split())
        sizes = f"{family.smallest} to {family.largest:,}"
        used = ", ".join(f"`{gate}`" for gate in usual.gates)
        search = (used, f"{usual.nodes:,}", f"{usual.budget:,}")
        rows.append((f"`{one.name}`", sizes, str(one.inputs), str(one.outputs), *search, what))
    header = ("example", "sizes K", "inputs", "outputs", "gates", "nodes", "budget", "what it is")
    return markdown(header, rows)


TABLES: dict[str, Callable[[], str]] = {
    "cell-columns": lambda: columns(CELL_COLUMNS),
    "run-columns": lambda: columns(RUN_COLUMNS),
    "settings": settings,
    "gates": gates,
    "targets": targets,
}


class GeneratedTable(SphinxDirective):
    """`generated-table` with the name of a table."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(TABLES[self.arguments[0]]())


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("generated-table", GeneratedTable)
    return {"parallel_read_safe": True}
