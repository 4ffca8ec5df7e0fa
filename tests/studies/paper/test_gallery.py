"""Which figures there are depends on what was run; each is drawn once, under its heading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paper_cells import TRUE, made

from gatewalk.studies.paper import gallery
from gatewalk.studies.paper.experiments import Cell, Place

COMPLETE: dict[Place, Cell] = made(TRUE)
SAMPLED = {replace(place, part="incomplete"): cell for place, cell in COMPLETE.items()}


def names(cells: dict[Place, Cell], profiles: tuple[str, ...]) -> dict[str, list[str]]:
    wanted = gallery._wanted(cells, profiles, [], [], {})
    return {title: [name for name, _, _ in drawings] for title, drawings in wanted.items()}


def test_parts_that_were_run_have_their_figures() -> None:
    found = names(COMPLETE | SAMPLED, ("paper",))
    assert list(found.values()) == [
        [f"{name}-paper" for name in ("figure2", "figure3", "success", "distributions", "ert", "exact")],
        ["bounds"],
    ]
    assert list(names(SAMPLED, ("paper",)).values()) == [["figure3-paper"], []]
    assert list(names(COMPLETE, ("tinyverse",)).values()) == [[], ["bounds"]]


def test_a_figure_gets_the_cells_of_its_part_only() -> None:
    wanted = gallery._wanted(COMPLETE | SAMPLED, ("paper",), [], [], {})
    for drawings in wanted.values():
        for name, draw, _ in drawings:
            part = "incomplete" if name.startswith("figure3") else "complete"
            assert {place.part for place in draw.args[0]} == {part}  # type: ignore[attr-defined]


def test_figures_are_drawn_later_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "save_all", lambda figure, folder, name: f"{figure} {name}".encode())
    monkeypatch.setattr(
        gallery,
        "_wanted",
        lambda *_: {"Heading": [("one", lambda: "drawn", "Caption."), ("two", lambda: "as", "")]},
    )
    order: list[str] = []

    def later(function: Any, *arguments: Any) -> Any:
        order.append(f"ask for {arguments[-1]}")
        return lambda: function(*arguments)

    found = gallery.pictures({}, (), (), (), {}, tmp_path, later=later, say=order.append)
    assert order == ["ask for one", "ask for two", "drawing one", "drawing two"]
    (first, second) = found["Heading"]
    assert (first.name, first.svg, first.caption) == ("one", b"drawn one", "Caption.")
    assert second.svg == b"as two"
