"""Labels spelt as identifiers of a programming language."""

from __future__ import annotations

import pytest

from gatewalk.circuit.identifiers import identifier


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("sum", "sum"),
        ("a b", "a_b"),
        ("A[3]", "A_3_"),
        ("3rd", "_3rd"),
        ("if", "if_"),
        ("__x", "_x"),
        ("é", "_x"),
        ("", "_x"),
        ("___", "_x"),
    ],
)
def test_spelling(label: str, name: str) -> None:
    spelt = identifier({"if", "for"})(label)
    assert spelt == name
    assert spelt.isidentifier()
