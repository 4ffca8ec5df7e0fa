"""What a study's own code may hand back."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.report.tables import Table
from gatewalk.studies.findings import Drawing, Findings, checked

TABLE = Table(title="T", columns=("a",), rows=(("1",),))


def drawing(name: Any = "one", caption: Any = "C") -> Drawing:
    return Drawing(name=name, caption=caption, draw=lambda: None)  # type: ignore[arg-type,return-value]


def test_good_findings_pass() -> None:
    found = Findings(summary=("s",), figures=(drawing(),), tables=(("two", TABLE),))
    assert checked(found) is found


@pytest.mark.parametrize("name", ["../up", "A", "", "a b", "x" * 100, 3, "."])
def test_names_of_files_are_tame(name: object) -> None:
    with pytest.raises(InputError):
        drawing(name)
    with pytest.raises(InputError):
        checked(Findings(tables=((name, TABLE),)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "found",
    [
        None,
        {"claims": ()},
        Findings(summary=(3,)),  # type: ignore[arg-type]
        Findings(claims=("S",)),  # type: ignore[arg-type]
        Findings(figures=("one",)),  # type: ignore[arg-type]
        Findings(tables=(TABLE,)),  # type: ignore[arg-type]
        Findings(figures=(drawing("a"), drawing("a"))),
    ],
)
def test_anything_else_is_refused(found: object) -> None:
    with pytest.raises(InputError):
        checked(found)


def test_a_figure_has_a_caption() -> None:
    with pytest.raises(InputError, match="caption"):
        drawing(caption="")
