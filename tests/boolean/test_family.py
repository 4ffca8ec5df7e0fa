"""Families: what the decorator registers, labels, and widths of addresses."""

from __future__ import annotations

import pytest

from gatewalk.boolean.family import FAMILIES, LARGEST_SIZE, address_bits, bus, family


def test_a_decorated_rule_becomes_a_family(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatewalk.boolean.family.FAMILIES", {})
    from gatewalk.boolean import family as module

    @family("copy", gates="and,or", symmetric=False, smallest=2, example=3)
    def copied(x, size):
        """The inputs, copied.

        More about it.
        """
        return x

    one = module.FAMILIES["copy"]
    assert one.rule is copied
    assert one.description == "The inputs, copied."
    assert (one.gates, one.symmetric, one.nodes) == (("and", "or"), False, None)
    assert (one.smallest, one.largest, one.example) == (2, LARGEST_SIZE, 3)
    assert (one.input_labels(2), one.output_labels(2), one.fewest_nodes(5)) == (("x1", "x2"), ("y",), 4)


def test_every_family_is_registered_under_its_name() -> None:
    from gatewalk.boolean.targets import families

    assert list(FAMILIES.values()) == list(families())
    assert all(name == one.name for name, one in FAMILIES.items())
    assert all(one.smallest <= one.example <= one.largest for one in FAMILIES.values())


def test_labels_of_a_bus() -> None:
    assert bus("A", 3) == ("A[0]", "A[1]", "A[2]")
    assert bus("A", 0) == ()


@pytest.mark.parametrize(("size", "bits"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (1025, 11)])
def test_addresses_tell_so_many_apart(size: int, bits: int) -> None:
    assert address_bits(size) == bits
