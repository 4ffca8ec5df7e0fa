"""Saved searches of every kind, taken apart and put together again with something else in them."""

import json
from functools import cache

import numpy as np

from gatewalk.search.options import search_for
from gatewalk.search.runs import runs_of
from gatewalk.search.saving import DTYPES, restore, save
from gatewalk.search.session import advance, begin, result

CASES = {
    "small": search_for("and:5", nodes=7, budget=300),
    "large": search_for("and:6", nodes=80, budget=300),
    "several": search_for("mul:2", nodes=30, gates="and,xor", offspring=4, budget=300),
    "near": search_for("and:5", nodes=9, budget=300, options={"levels_back": 3}),
    "sampled": search_for("and:6", nodes=9, training="sample:11", budget=300),
    "waiting": search_for("and:6", nodes=6, selection="strict", options={"waiting": "drawn"}, budget=3000),
    "tree": search_for("and:5", algorithm="tgp-multi", budget=300),
    "twin": search_for("and:4", nodes=5, evaluation="reference", budget=60),
    "waiting twin": search_for(
        "and:4", nodes=4, selection="strict", options={"waiting": "drawn"}, evaluation="reference", budget=300
    ),
}


@cache
def saved(case):
    """A search that was saved on its way."""
    session = begin(CASES[case], seed=1, run=3)
    advance(session, 20)
    return save(session)


def parts(data):
    """What a saved search says of itself, and its arrays."""
    head, _, body = data.partition(b"\n")
    note = json.loads(head)
    arrays, start = {}, 0
    for name, size in note["arrays"].items():
        arrays[name] = np.frombuffer(body, DTYPES[name], size, start).copy()
        start += arrays[name].nbytes
    return note, arrays


def whole(note, arrays):
    """A saved search with these words and arrays."""
    sizes = {"arrays": {name: array.size for name, array in arrays.items()}}
    return json.dumps(note | sizes).encode() + b"\n" + b"".join(array.tobytes() for array in arrays.values())


def go_on(search, data):
    """Restore a search, let it go on, look at its result as columns, and save and restore it again."""
    session = restore(search, data)
    advance(session, 50)
    run = result(session)
    assert run.circuit is not None
    (again,) = runs_of([run])
    assert 0 <= again.iterations <= search.budget
    assert again.iterations <= again.evaluations <= search.limit + search.starts
    assert 0 <= again.elementary_steps < 2**63
    assert restore(search, save(session)).iterations == run.iterations
