"""Tables are written so that readers, computers and LaTeX understand them."""

from __future__ import annotations

import csv
import io
from math import inf, nan
from pathlib import Path

import pytest

from gatewalk.report.tables import (
    FORMATS,
    Table,
    as_csv,
    as_html,
    as_latex,
    as_markdown,
    number,
    probability,
    save,
)

TABLE = Table(
    title="Times & <such>",
    columns=("model", "mean_1", "p"),
    rows=(("CGP, D = n−1", "−3.5", "< 1e−300"), ("a|b", "–", "∞")),
    note="100 % of it.",
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (3.0, "3"),
        (1234.4, "1234"),
        (12.345, "12.3"),
        (-0.25, "−0.25"),
        (nan, "–"),
        (inf, "∞"),
        (2.5e9, "2.50e+09"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("p", "text"), [(0.5, "0.500"), (0.0123, "0.012"), (1.3e-5, "1.3e−5"), (0.0, "< 1e−300"), (nan, "–")]
)
def test_probabilities(p: float, text: str) -> None:
    assert probability(p) == text


def test_csv_is_read_back_as_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(TABLE))))
    assert [row["model"] for row in rows] == ["CGP, D = n-1", "a|b"]
    assert float(rows[0]["mean_1"]) == -3.5
    assert rows[1]["mean_1"] == ""
    assert float(rows[1]["p"]) == inf


def test_markdown_keeps_its_columns() -> None:
    lines = as_markdown(TABLE).splitlines()
    assert lines[0] == "### Times & <such>"
    assert lines[3] == "| --- | ---: | ---: |"
    assert lines[5] == "| a\\|b | – | ∞ |"


def test_latex_and_html_escape() -> None:
    latex = as_latex(TABLE)
    assert r"Times \& $<$such$>$" in latex
    assert r"mean\_1" in latex
    assert r"CGP, D = n$-$1 & $-$3.5" in latex
    assert latex.isascii()
    assert "&lt;such&gt;" in as_html(TABLE)


def test_every_format_is_saved(tmp_path: Path) -> None:
    save(TABLE, tmp_path / "tables", "t")
    assert sorted(path.suffix[1:] for path in (tmp_path / "tables").iterdir()) == sorted(FORMATS)
