"""The studies stay runnable: their specifications are campaigns, their pages have their figures and data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gatewalk.analysis.reading import read_runs, series
from gatewalk.campaign.spec import read

STUDIES = Path(__file__).parents[2] / "docs" / "studies"
PAGES = sorted(STUDIES.glob("*/README.md"))


@pytest.mark.parametrize(
    "path", sorted(STUDIES.glob("*/*.toml")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_specifications_are_campaigns(path: Path) -> None:
    assert read(path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_pages_have_their_figures_and_are_listed(page: Path) -> None:
    named = re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert named
    assert all((page.parent / name).is_file() for name in named)
    assert f"{page.parent.name}/README.md" in (STUDIES / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*/runs.csv")), ids=lambda path: path.parent.name)
def test_no_run_of_the_studies_was_censored(path: Path) -> None:
    for cells in series(read_runs(path), lambda run: run["target"]).values():
        assert all(cell.successes == cell.runs for cell in cells.values())
