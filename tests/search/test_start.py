"""Where a search begins: named programs, genes and circuits from files, and what is refused."""

import json

import numpy as np
import pytest

from gatewalk.circuit.construction import circuit_named
from gatewalk.circuit.files import write_file
from gatewalk.errors import InputError
from gatewalk.search.options import search_for, start_text
from gatewalk.search.session import begin
from gatewalk.search.start import genes_text, near_optimum


def test_penultimate_start_is_one_input_short():
    for n in range(3, 9):
        search = search_for(f"and:{n}", nodes="n-1", start="penultimate", selection="strict")
        session = begin(search, seed=1, run=0)
        assert session.fitness == 1
        genes = session.current.program.tolist()
        assert genes == list(search.start)
        # the last node reads neither the input left over nor the node that the output reads
        assert genes[-1] == n + n - 3
        assert not {n - 1, genes[-1]} & set(genes[-3:-1])


def test_near_optimum_is_one_input_short_whatever_the_number_of_nodes():
    for n in range(2, 9):
        for nodes in (n - 1, n, n + 1, 2 * n):
            genes = search_for(f"xor:{n}", nodes=nodes, start="near-optimum").start
            assert list(genes) == near_optimum(n, nodes)
            parities = [{i} for i in range(n)]
            for node in range(nodes):
                parities.append(parities[genes[3 * node + 1]] ^ parities[genes[3 * node + 2]])
            assert parities[genes[-1]] == set(range(n - 1))
    with pytest.raises(InputError, match="at least n-1 nodes"):
        search_for("xor:5", nodes=3, start="near-optimum")
    with pytest.raises(InputError, match="gates xor"):
        search_for("xor:5", gates="xor,and", start="near-optimum")


def test_a_start_from_a_file(tmp_path):
    genes = [0, 0, 1, 0, 0, 1, 3]
    for content in (genes, {"genes": genes}):
        path = tmp_path / "start.json"
        path.write_text(json.dumps(content))
        search = search_for("and:2", nodes=2, start=str(path))
        assert begin(search, seed=0, run=0).current.program.tolist() == genes
    for wrong, words in (("[" * 100_000, "not JSON"), (f"[{10**30}]", "larger than any")):
        path.write_text(wrong)
        with pytest.raises(InputError, match=words):
            search_for("and:2", nodes=2, start=str(path))
    path.write_text("{}")
    with pytest.raises(InputError, match="contains no genes"):
        search_for("and:2", nodes=2, start=str(path))


def test_a_circuit_becomes_the_first_nodes(tmp_path):
    circuit = circuit_named("add:2")
    write_file(circuit, tmp_path / "adder.blif")
    for start in (circuit, str(tmp_path / "adder.blif")):
        search = search_for("add:2", nodes=40, gates="and,or,xor,not", start=start)
        assert begin(search, seed=0, run=0).current.solved
    with pytest.raises(InputError, match=f"use --nodes {len(circuit)}"):
        search_for("add:2", nodes=3, gates="and,or,xor,not", start=circuit)
    with pytest.raises(InputError, match="inputs and 3 outputs"):
        search_for("and:4", nodes=40, gates="and,or,xor,not", start=circuit)


def test_genes_may_be_given_as_values_and_as_text():
    genes = [0, 0, 1, 0, 0, 1, 3]
    searches = [
        search_for("and:2", nodes=2, start=start)
        for start in (genes, tuple(genes), np.array(genes), "genes:0,0,1,0,0,1,3")
    ]
    assert len(set(searches)) == 1
    assert searches[0].start == tuple(genes)
    assert start_text(searches[0]) == genes_text(genes) == "genes:0,0,1,0,0,1,3"
    assert search_for("and:2", nodes=2, start=start_text(searches[0])) == searches[0]
    assert search_for("and:2", nodes=2).start is None
    assert start_text(search_for("and:2", nodes=2)) == "random"


@pytest.mark.parametrize("wrong", [5, None, b"genes:0", 1.5, {"genes": [0]}])
def test_what_is_no_start_is_refused(wrong):
    with pytest.raises(InputError, match="start"):
        search_for("and:2", nodes=2, start=wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([0, 0], "7 genes, not 2"),
        ([0, 0, 1, 0, 0, 1, 9], "gene 6 is 9"),
        (["x"] * 7, "genes must be integers"),
    ],
)
def test_genes_that_cannot_be_are_refused(wrong, words):
    with pytest.raises(InputError, match=words) as error:
        search_for("and:2", nodes=2, start=wrong)
    assert error.value.option == "start"


def test_trees_start_at_random():
    assert start_text(search_for("and:4", algorithm="tgp-single")) == "random"
    with pytest.raises(InputError, match="trees start at random"):
        search_for("and:4", algorithm="tgp-single", start="penultimate")
