"""Where a search begins: named programs, genes and circuits from files, and what is refused."""

import json

import pytest

from gatewalk.circuit.files import write_file
from gatewalk.circuit.target_circuit import circuit_named
from gatewalk.errors import InputError
from gatewalk.search.session import begin
from gatewalk.search.settings import settings
from gatewalk.search.start import near_optimum, start_genes


def test_penultimate_start_is_one_input_short():
    for n in range(3, 9):
        made = settings(f"and:{n}", nodes="n-1", start="penultimate", selection="strict")
        session = begin(made, seed=1, run=0)
        assert session.walk.fitness == 1
        genes = session.walk.program.tolist()
        # the last node reads neither the input left over nor the node that the output reads
        assert genes[-1] == n + n - 3
        assert not {n - 1, genes[-1]} & set(genes[-3:-1])


def test_near_optimum_is_one_input_short_whatever_the_number_of_nodes():
    for n in range(2, 9):
        for nodes in (n - 1, n, n + 1, 2 * n):
            genes = start_genes(settings(f"xor:{n}", nodes=nodes, start="near-optimum").start)
            assert genes == near_optimum(n, nodes)
            parities = [{i} for i in range(n)]
            for node in range(nodes):
                parities.append(parities[genes[3 * node + 1]] ^ parities[genes[3 * node + 2]])
            assert parities[genes[-1]] == set(range(n - 1))
    with pytest.raises(InputError, match="at least n-1 nodes"):
        settings("xor:5", nodes=3, start="near-optimum")
    with pytest.raises(InputError, match="gates xor"):
        settings("xor:5", gates="xor,and", start="near-optimum")


def test_a_start_from_a_file(tmp_path):
    genes = [0, 0, 1, 0, 0, 1, 3]
    for content in (genes, {"genes": genes}):
        path = tmp_path / "start.json"
        path.write_text(json.dumps(content))
        assert (
            begin(settings("and:2", nodes=2, start=str(path)), seed=0, run=0).walk.program.tolist() == genes
        )
    for wrong, words in (("[" * 100_000, "not JSON"), (f"[{10**30}]", "larger than any")):
        path.write_text(wrong)
        with pytest.raises(InputError, match=words):
            settings("and:2", nodes=2, start=str(path))
    path.write_text("{}")
    with pytest.raises(InputError, match="contains no genes"):
        settings("and:2", nodes=2, start=str(path))


def test_a_circuit_becomes_the_first_nodes(tmp_path):
    circuit = circuit_named("add:2")
    write_file(circuit, tmp_path / "adder.blif")
    for start in (circuit, str(tmp_path / "adder.blif")):
        session = begin(settings("add:2", nodes=40, gates="and,or,xor,not", start=start), seed=0, run=0)
        assert session.walk.solved
    with pytest.raises(InputError, match=f"use --nodes {len(circuit)}"):
        settings("add:2", nodes=3, gates="and,or,xor,not", start=circuit)
    with pytest.raises(InputError, match="inputs and 3 outputs"):
        settings("and:4", nodes=40, gates="and,or,xor,not", start=circuit)


def test_trees_start_at_random():
    assert start_genes(settings("and:4", algorithm="tgp-single").start) is None
    with pytest.raises(InputError, match="trees start at random"):
        settings("and:4", algorithm="tgp-single", start="penultimate")
