"""A table of texts, written as CSV, Markdown, LaTeX (booktabs) and HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf, isnan
from pathlib import Path

from gatewalk.report.latex import longtable
from gatewalk.report.prose import prose

FORMATS = ("csv", "md", "tex")


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns and rows of texts. texts: how many columns at the left hold words, not numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    note: str = ""


def number(value: float, digits: int = 3) -> str:
    """A number to so many digits, whole numbers in full; a dash for a missing one."""
    if isnan(value):
        return "–"
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    if value and abs(value) >= 1e7:
        return f"{value:.{digits - 1}e}"
    if abs(value) >= 10**digits or value == int(value):
        return f"{value:.0f}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def probability(p: float) -> str:
    """A p-value; the smallest ones as powers of ten."""
    if isnan(p):
        return "–"
    if p < 1e-300:
        return "< 1e−300"
    return f"{p:.2g}".replace("e-0", "e-").replace("-", "−") if p < 0.001 else f"{p:.3f}"


def as_csv(table: Table) -> str:
    """The table as CSV with a header, in characters that programs can read (a plain minus, for example)."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow([_machine(text) for text in row])
    return buffer.getvalue()


def _machine(text: str) -> str:
    return "" if text == "–" else text.replace("−", "-").replace("∞", "inf")


def as_markdown(table: Table) -> str:
    """A GitHub-flavoured table under its title."""
    rule = ["---" if i < table.texts else "---:" for i in range(len(table.columns))]
    lines = [f"### {table.title}", "", _bars(table.columns), _bars(rule), *map(_bars, table.rows)]
    if table.note:
        lines += ["", table.note]
    return "\n".join(lines) + "\n"


def _bars(row: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"


def as_latex(table: Table) -> str:
    """The table in LaTeX, by `gatewalk.report.latex`."""
    caption = table.title + ". " + table.note if table.note else table.title
    return longtable(caption=caption, columns=table.columns, rows=table.rows, texts=table.texts)


def as_html(table: Table) -> str:
    """A table element with its caption; rows with the verdict "differs" or "borderline" have that class."""
    head = "".join(
        f'<th class="{"n" if _numeric_column(table, i) else "t"}">{prose(name)}</th>'
        for i, name in enumerate(table.columns)
    )
    body = []
    for row in table.rows:
        cells = "".join(
            f'<td class="{"t" if i < table.texts or not _numeric(text) else "n"}">{prose(text)}</td>'
            for i, text in enumerate(row)
        )
        body.append(f'<tr class="{_row_class(row)}">{cells}</tr>')
    caption = f"<caption>{prose(table.title)}</caption>" if table.title else ""
    note = f"<p class=note>{prose(table.note)}</p>" if table.note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{note}"


def _numeric_column(table: Table, i: int) -> bool:
    return i >= table.texts and all(_numeric(row[i]) for row in table.rows)


def _numeric(text: str) -> bool:
    return not text or text[0] in "0123456789−–∞<+"


def _row_class(row: tuple[str, ...]) -> str:
    return next(
        (word for word in ("differs", "borderline") if any(text.startswith(word) for text in row)), ""
    )


def save(table: Table, folder: Path, name: str) -> None:
    """Write the table in every format."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, text in zip(FORMATS, (as_csv(table), as_markdown(table), as_latex(table)), strict=True):
        (folder / f"{name}.{kind}").write_text(text, encoding="utf-8")
