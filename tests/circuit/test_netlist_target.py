"""Targets by their netlists: named by what they are, built again from the name, and whole in blocks."""

import base64
import zlib
from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.tables import projections
from gatewalk.circuit import netlist_target as module
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.netlist_target import Netlist, is_netlist, netlist_target, parse_netlist
from gatewalk.errors import InputError


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["", "mine", "a/b@c:d"])
def test_built_again_from_the_name(make_circuit, seed, name):
    circuit, cares = (make_circuit(seed + k, inputs=5, gates=10) for k in (0, 100))
    cares = replace(cares, outputs=cares.outputs[:1], output_labels=cares.output_labels[:1])
    circuit = replace(circuit, outputs=circuit.outputs[:1], output_labels=circuit.output_labels[:1])
    for made in (netlist_target(circuit, name=name), netlist_target(circuit, cares=cares, name=name)):
        assert is_netlist(made.name)
        assert parse_netlist(made.name) == made
    assert (made.evaluate(projections(5)) == evaluate(circuit, projections(5))).all()
    assert (made.cares(projections(5)) == evaluate(cares, projections(5))).all()


def test_what_it_is_called_is_not_what_it_is(make_circuit):
    circuit = make_circuit(3, inputs=4)
    renamed = replace(circuit, input_labels=("a", "b", "c", "d"))
    assert netlist_target(circuit).content == netlist_target(renamed, name="other").content
    assert netlist_target(circuit).content != netlist_target(make_circuit(4, inputs=4)).content
    assert netlist_target(circuit).content != netlist_target(circuit, cares=circuit).content


def test_in_blocks(make_circuit, monkeypatch):
    monkeypatch.setattr(module, "_MOST_WORDS", 1)
    circuit = make_circuit(7, inputs=6, gates=30)
    columns = np.random.default_rng(1).integers(0, 2**64, (6, 200), np.uint64)
    assert (Netlist(circuit)(columns) == evaluate(circuit, columns)).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("netlist:", "cut short"),
        ("netlist:%%%", "no packed netlist"),
        ("netlist:AAAA", "no packed netlist"),
        ("netlist:A/B/C", "more than two parts"),
        ("netlist:" + base64.urlsafe_b64encode(zlib.compress(b"{}")).decode(), "not a circuit of Gatewalk"),
        ("netlist:" + base64.urlsafe_b64encode(zlib.compress(b"\xff")).decode(), "no packed netlist"),
        ("netlist:" + base64.urlsafe_b64encode(zlib.compress(b"0" * (1 << 25))).decode(), "too large"),
    ],
)
def test_what_is_none(text, words):
    with pytest.raises(InputError, match=words):
        parse_netlist(text)


def test_what_counts_is_of_the_same_shape(make_circuit):
    circuit, other = make_circuit(3, inputs=4), make_circuit(3, inputs=5)
    with pytest.raises(InputError, match="of different sizes"):
        netlist_target(circuit, cares=other)
