"""Names, nodes and labels of the paper's models."""

from __future__ import annotations

import pytest

from gatewalk.search.expression import in_n
from gatewalk.studies.paper.models import CGP, MODELS, TGP, XOR_CGP, XOR_MODELS


def test_the_published_runs_had_one_node_more() -> None:
    assert [in_n(model.nodes_under("paper"), 5) for model in CGP] == [5, 10, 15]
    assert [in_n(model.nodes_under("tinyverse"), 5) for model in CGP] == [6, 11, 16]
    assert [model.nodes_under("tinyverse") for model in TGP] == ["", ""]
    assert [in_n(model.nodes_under("paper"), 5) for model in XOR_CGP] == [4, 5, 10]


@pytest.mark.parametrize("models", [MODELS, XOR_MODELS])
def test_labels_and_names_tell_models_apart(models: tuple[object, ...]) -> None:
    assert len({model.name for model in models}) == len(models)  # type: ignore[attr-defined]
    assert len({model.label() for model in models}) == len(models)  # type: ignore[attr-defined]


def test_labels() -> None:
    assert [model.label() for model in MODELS] == [
        *("CGP, D = n", "CGP, D = 2n", "CGP, D = 3n"),
        *("TGP single", "TGP multi"),
    ]
    assert CGP[0].label("tinyverse") == "CGP, D = n+1"
    assert XOR_CGP[0].label() == "CGP, D = n\N{MINUS SIGN}1"
    assert [model.short for model in (CGP[1], TGP[0])] == ["2n", "single"]
