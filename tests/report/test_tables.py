"""Tables are written so that readers, computers and LaTeX understand them."""

from __future__ import annotations

import csv
import io
from math import inf

from gatewalk.report.tables import (
    FORMATS,
    Table,
    as_csv,
    as_html,
    as_latex,
    as_markdown,
    save,
)

TABLE = Table(
    title="Times & <such>",
    columns=("model", "mean_1", "p"),
    rows=(("CGP, D = n−1", "−3.5", "< 10⁻³⁰⁰"), ("a|b", "–", "∞")),
    note="100 % of it.",
)


def test_csv_is_read_back_as_numbers():
    rows = list(csv.DictReader(io.StringIO(as_csv(TABLE))))
    assert [row["model"] for row in rows] == ["CGP, D = n-1", "a|b"]
    assert float(rows[0]["mean_1"]) == -3.5
    assert rows[1]["mean_1"] == ""
    assert float(rows[1]["p"]) == inf


def test_markdown_keeps_its_columns():
    lines = as_markdown(TABLE).splitlines()
    assert lines[0] == "### Times & <such>"
    assert lines[3] == "| --- | ---: | ---: |"
    assert lines[5] == "| a\\|b | – | ∞ |"


def test_latex_and_html_escape():
    latex = as_latex(TABLE)
    assert r"Times \& $<$such$>$" in latex
    assert r"mean\_1" in latex
    assert r"CGP, D = n$-$1 & $-$3.5" in latex
    assert latex.isascii()
    assert "&lt;such&gt;" in as_html(TABLE)


def test_every_format_is_saved(tmp_path):
    save(TABLE, tmp_path / "tables", "t")
    assert sorted(path.suffix[1:] for path in (tmp_path / "tables").iterdir()) == sorted(FORMATS)


def test_short_words_to_the_left_numbers_to_the_right():
    lines = as_latex(Table(title="Times", columns=("model", "mean"), rows=(("CGP", "3.5"),))).splitlines()
    assert lines[2:5] == [r"\begin{longtable}{lr}", r"\caption{Times}\\", r"\toprule"]
    assert r"CGP & 3.5 \\" in lines
    assert r"\footnotesize" in lines[1]


def test_long_words_are_broken_and_share_the_page():
    row = ("a claim of many words, " * 4, "3", "another of half as many, " * 2)
    latex = as_latex(Table(title="Claims", columns=("claim", "n", "why"), rows=(row,), texts=3))
    widths = [float(part.split(r"\linewidth")[0]) for part in latex.split("p{")[1:]]
    assert len(widths) == 2
    assert 0.9 < sum(widths) < 1.0
    assert widths[0] > 1.5 * widths[1]


def test_many_columns_take_a_smaller_print():
    columns = tuple(f"column {i}" for i in range(12))
    assert r"\scriptsize" in as_latex(Table(title="Many", columns=columns, rows=(columns,), texts=0))
