"""Models are told apart without colour, and exact values from all of them."""

from __future__ import annotations

import pytest

from gatewalk.analysis.style import EXACT
from gatewalk.studies.paper.looks import LOOKS, exact_handle, handle
from gatewalk.studies.paper.models import MODELS, XOR_MODELS, Model


@pytest.mark.parametrize("models", [MODELS, XOR_MODELS])
def test_models_differ_in_colour_line_and_marker(models: tuple[Model, ...]) -> None:
    looks = [LOOKS[model.name] for model in models]
    for name in ("colour", "dashes", "marker"):
        assert len({str(getattr(look, name)) for look in looks}) == len(looks)


def test_exact_values_have_a_colour_of_their_own() -> None:
    assert EXACT["color"] not in {look.colour for look in LOOKS.values()}
    assert exact_handle().get_color() == EXACT["color"]


def test_entries_of_a_legend() -> None:
    entry = handle(MODELS[0], "tinyverse")
    assert entry.get_label() == "CGP, $D = n+1$"
    assert entry.get_markerfacecolor() == "white"
    assert handle(MODELS[0], filled=True).get_markerfacecolor() == LOOKS[MODELS[0].name].colour
