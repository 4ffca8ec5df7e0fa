"""Exports read back as samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from gatewalk.analysis.reading import read_runs, series
from gatewalk.errors import InputError

TEXT = """target,n,nodes,iterations,solved
and:4,4,8,10,True
and:3,3,6,5,True
and:4,4,8,99,False
and:4,4,4,7,1
"""


def test_samples_by_label_and_size(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TEXT)
    found = series(read_runs(tmp_path / "a.csv"), lambda run: f"D = {int(run['nodes']) // int(run['n'])}n")
    assert list(found) == ["D = 2n", "D = 1n"]
    assert list(found["D = 2n"]) == [3, 4]
    assert found["D = 2n"][4].iterations.tolist() == [10, 99]
    assert found["D = 2n"][4].solved.tolist() == [True, False]
    assert found["D = 1n"][4].successes == 1
    by_nodes = series(read_runs(tmp_path / "a.csv"), lambda run: "all", by=lambda run: int(run["nodes"]))
    assert list(by_nodes["all"]) == [4, 6, 8]


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="not an export"):
        read_runs(tmp_path / "b.csv")
    with pytest.raises(InputError, match="cannot read"):
        read_runs(tmp_path / "c.csv")
