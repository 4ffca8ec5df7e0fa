"""A table of texts, written as CSV, Markdown, LaTeX (booktabs) and HTML.

In LaTeX a long table continues over several pages, the print is small enough for the width of a page, and
long texts are broken into lines.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gatewalk.numbers import as_programs_read
from gatewalk.typeset import to_html, to_latex

FORMATS = ("csv", "md", "tex")
PACKAGES = "array,booktabs,longtable"  # of LaTeX
_LONG = 24  # letters: longer texts are broken into lines
_LEAST = 19  # letters per line of such a text, on average
_MANY = 10  # columns: with more, the print is smaller still
_PAGE = 112  # letters in a line of a page


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns and rows of texts.

    texts: how many columns at the left hold words, not numbers.
    data: the same for programs, if their columns should differ from those for readers; it is what CSV has.

    >>> print(as_csv(Table(title="Times", columns=("target", "ERT"), rows=(("and:8", "1,200"),))), end="")
    target,ERT
    and:8,1200
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    note: str = ""
    data: Table | None = None


def as_csv(table: Table) -> str:
    """The table as CSV with a header, in numbers as programs read them."""
    buffer = io.StringIO()
    table = table.data or table
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow([as_programs_read(text) for text in row])
    return buffer.getvalue()


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
    """The table in LaTeX. Columns of words are aligned left, the others right."""
    head = " & ".join(map(to_latex, table.columns)) + r" \\"
    size = r"\scriptsize" if len(table.columns) > _MANY else r"\footnotesize"
    caption = table.title + ". " + table.note if table.note else table.title
    lines = [
        f"% \\usepackage{{{PACKAGES}}}",
        rf"\begingroup{size}\setlength{{\tabcolsep}}{{2pt}}\setlength{{\LTcapwidth}}{{\linewidth}}",
        rf"\begin{{longtable}}{{{_layout(table)}}}",
        rf"\caption{{{to_latex(caption)}}}\\",
        r"\toprule",
        head,
        r"\midrule",
        r"\endfirsthead",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *(" & ".join(map(to_latex, row)) + r" \\" for row in table.rows),
        r"\end{longtable}",
        r"\endgroup",
    ]
    return "\n".join(lines) + "\n"


def _layout(table: Table) -> str:
    """The column specification for LaTeX. Columns of long texts share the width that the others leave."""
    widths = [max(map(len, column)) + 2 for column in zip(table.columns, *table.rows, strict=True)]
    is_long = [index < table.texts and width > _LONG for index, width in enumerate(widths)]
    long = sum(width for width, is_one in zip(widths, is_long, strict=True) if is_one)
    left = max(_PAGE - (sum(widths) - long), _LEAST * sum(is_long))
    share = min(1.0, left / long) / _PAGE if long else 0.0
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{{share * width:.3f}\linewidth}}"
        if is_long[index]
        else "lr"[index >= table.texts]
        for index, width in enumerate(widths)
    )


def as_html(table: Table) -> str:
    """A table element with its caption; rows with the verdict "differs" or "borderline" have that class."""
    head = "".join(
        f'<th class="{"n" if _numeric_column(table, i) else "t"}">{to_html(name)}</th>'
        for i, name in enumerate(table.columns)
    )
    body = []
    for row in table.rows:
        cells = "".join(
            f'<td class="{"t" if i < table.texts or not _numeric(text) else "n"}">{to_html(text)}</td>'
            for i, text in enumerate(row)
        )
        body.append(f'<tr class="{_row_class(row)}">{cells}</tr>')
    caption = f"<caption>{to_html(table.title)}</caption>" if table.title else ""
    note = f"<p class=note>{to_html(table.note)}</p>" if table.note else ""
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
