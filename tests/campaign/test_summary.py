"""A row per cell: its numbers are those of `gatewalk.stats`, in records, in CSV and in a table of LaTeX."""

import csv
import shutil
import subprocess
from math import inf

import pandas
import pytest

from gatewalk.campaign import Campaign, campaign, grid, run
from gatewalk.campaign.export import export
from gatewalk.campaign.summary import COLUMNS, as_latex
from gatewalk.search.evolve import run_many
from gatewalk.stats import ert, median, sample
from gatewalk.stats.resampling import ert_interval

MIXED = Campaign(
    seed=3,
    grids=(
        grid(target=["and:3", "xor:2"], nodes="2n", ties=["accept", "coin"], replications=9),
        grid(target="xor:6", nodes="n", budget=4, replications=3),
        grid(target="and:3", algorithm="tgp-multi", replications=4),
        grid(target="f_1&2@table:3:0x96:a,b,c:y", mutation="point:10%", budget=20_000, replications=4),
    ),
)


@pytest.fixture(scope="module")
def results():
    with run(MIXED, jobs=1) as stored:
        yield stored


def test_the_numbers_are_those_of_the_runs(results):
    record = results.summary()[0]
    runs = run_many("and:3", nodes="2n", seed=3, runs=9, jobs=1)
    data = sample(runs.iterations, runs.solved)
    band = ert_interval(data, resamples=400)
    assert tuple(record) == COLUMNS
    assert (record["target"], record["n"], record["nodes"], record["seed"]) == ("and:3", 3, 6, 3)
    assert (record["planned"], record["runs"], record["solved"]) == (9, 9, 9)
    assert (record["ert"], record["median"]) == (ert(data), median(data).value)
    assert (record["ert_low"], record["ert_high"]) == (band.low, band.high)
    assert record["mean_of_solved"] == runs.iterations.mean()


def test_what_no_run_tells(results):
    (record,) = results.where(target="xor:6").summary()
    assert (record["solved"], record["ert"], record["median"]) == (0, inf, inf)
    assert (record["ert_low"], record["ert_high"], record["mean_of_solved"]) == (0, inf, None)


def test_a_cell_without_runs_is_there():
    with run(campaign(target="and:2", replications=2), jobs=1) as results:
        results.connection.execute("DELETE FROM run")
        results.connection.execute("UPDATE cell SET finished = 0, solved = 0, iterations = 0")
        (record,) = results.summary()
        assert (record["planned"], record["runs"], record["solved"], record["ert"]) == (2, 0, 0, None)
        assert "2 & 4 & 0 & 0 & -- & -- & -- & --" in as_latex(results)


def test_records_are_a_frame_and_a_csv(results, tmp_path):
    path = export(results, "summary", tmp_path / "cells.csv")
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    records = results.summary()
    assert tuple(rows[0]) == COLUMNS
    for row, record in zip(rows, records, strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in record.items()}
    frame = pandas.DataFrame(records)
    assert frame["runs"].sum() == len(results)


def test_a_table_has_the_columns_that_vary(results):
    lines = as_latex(results.where(target="and", algorithm="cgp")).splitlines()
    head = next(line for line in lines if "ERT &" in line)
    assert head.startswith("options & $n$ & $D$ & runs & solved & ERT & ")
    assert [line.partition(" & ")[0] for line in lines if "& 9 & 9 &" in line] == ["--", "ties=coin"]
    assert "{@{}lrrrrrrrr@{}}" in "".join(lines)
    lines = as_latex(results).splitlines()
    head = next(line for line in lines if "ERT &" in line)
    assert head.startswith("target & algorithm & options & budget & $n$ &")
    (unsolved,) = (line for line in lines if line.startswith("xor:6"))
    assert unsolved.endswith(r"& 6 & 6 & 3 & 0 & not solved & -- & not reached & -- \\")
    (own,) = (line for line in lines if line.startswith(r"f\_1\&2 "))
    assert "xor:6" not in own
    (tree,) = (line for line in lines if "tgp-multi" in line)
    assert "& 3 & -- & 4 &" in tree


def test_the_table_compiles(results, tmp_path):
    """A table of one setting, set small, is also not wider than a page: LaTeX would call it overfull."""
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("pdflatex is not installed (apt-get install texlive-latex-base)")
    export(results, "tex", tmp_path / "cells.tex")
    export(results.where(target="and", algorithm="cgp"), "tex", tmp_path / "few.tex")
    page = (
        r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}\footnotesize"
        r"\noindent\resizebox{\linewidth}{!}{\input{cells}}\par\noindent\input{few}\end{document}"
    )
    (tmp_path / "page.tex").write_text(page)
    done = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout
