"""Saved searches: every change of them is refused or harmless, and only `InputError` leaves."""

import json
from dataclasses import replace

import numpy as np
import pytest
from attacks import judged
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st
from saved import CASES, go_on, parts, saved, whole

from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.search.saving import restore, saved_sizes


def tried(search, data):
    """Was it taken? A search that was goes on."""
    return judged(lambda: go_on(search, data))


@pytest.mark.parametrize("case", CASES)
def test_what_was_saved_is_taken(case):
    assert tried(CASES[case], saved(case))
    note, arrays = parts(saved(case))
    assert whole(note, arrays) == saved(case)
    sizes = saved_sizes(CASES[case])
    assert set(arrays) == set(sizes)
    assert all(size in (None, arrays[name].size) for name, size in sizes.items())


def test_only_the_same_search_is_continued():
    data = saved("small")
    with pytest.raises(InputError, match="the saved search has other settings"):
        restore(search_for("and:5", nodes=8, budget=300), data)
    restored = restore(search_for("and:5", nodes=7, budget=500, evaluation="table"), data)
    assert (restored.seed, restored.run, restored.iterations) == (1, 3, 20)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("value", [-1, 7_000, 2**31 - 1, -(2**31)])
def test_a_gene_out_of_its_range_is_refused(case, value):
    note, arrays = parts(saved(case))
    for place in range(arrays["program"].size):
        changed = arrays["program"].copy()
        if changed[place] < 0 and value < 0:
            continue  # a leaf of a tree; other values of it are for the fuzzer
        changed[place] = value
        assert not tried(CASES[case], whole(note, arrays | {"program": changed}))


@pytest.mark.parametrize("case", CASES)
def test_counters_and_streams_out_of_their_range_are_refused(case):
    note, arrays = parts(saved(case))
    for name in arrays.keys() - {"program", "stream"}:
        for place in range(arrays[name].size):
            for value in (-1, 2**63 - 1):
                changed = arrays[name].copy()
                changed[place] = value
                assert not tried(CASES[case], whole(note, arrays | {name: changed}))
    assert not tried(CASES[case], whole(note, arrays | {"stream": np.zeros(4, dtype=np.uint64)}))


@pytest.mark.parametrize("case", CASES)
def test_counters_fit_the_budget_and_each_other(case):
    search = CASES[case]
    note, arrays = parts(saved(case))
    offspring, steps = arrays["counters"][:2].tolist()
    for counters in (
        {0: search.limit + 1, 1: 2**61},
        {0: 0, 1: steps or 1},
        {0: offspring or 1, 1: 0},
        {0: 2**62, 1: 2**62},
        {0: 2**62 - 1, 1: 2**62 - 1},
    ):
        changed = arrays["counters"].copy()
        changed[list(counters)] = list(counters.values())
        assert not tried(search, whole(note, arrays | {"counters": changed}))


def test_a_budget_that_is_spent_already_is_refused():
    with pytest.raises(InputError, match="has made 20 offspring, and its budget allows 19; give it a larger"):
        restore(search_for("and:5", nodes=7, budget=19), saved("small"))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("huge", [2**61, 2**62 - 1, 2**62])
def test_huge_counters_overflow_nowhere(case, huge):
    """With the largest budget they are refused, or the search goes on and its numbers are right."""
    search = replace(CASES[case], budget=2**62)
    note, arrays = parts(saved(case))
    fewer = arrays["counters"].copy()
    fewer[:2] = huge
    if "undrawn" in arrays:
        made = arrays["counters"][0] - arrays["counters"][3] - arrays["undrawn"].sum()
        fewer[1], fewer[3] = arrays["counters"][1], huge - made - arrays["undrawn"].sum()
    assert tried(search, whole(note, arrays | {"counters": fewer})) or huge > 2**61
    for name in arrays.keys() - {"program", "stream"}:
        for place in range(arrays[name].size):
            changed = arrays[name].copy()
            changed[place] = huge
            tried(search, whole(note, arrays | {name: changed}))


@pytest.mark.parametrize("case", CASES)
def test_other_sizes_names_and_types_are_refused(case):
    note, arrays = parts(saved(case))
    for name in arrays:
        for changed in (arrays[name][:-1], np.append(arrays[name], arrays[name][:1]), arrays[name][:0]):
            assert not tried(CASES[case], whole(note, arrays | {name: changed}))
        assert not tried(CASES[case], whole(note, {k: v for k, v in arrays.items() if k != name}))
    assert not tried(CASES[case], saved(case) + b"\0")
    head, _, body = saved(case).partition(b"\n")
    more = json.loads(head)
    more["arrays"]["more"] = 4
    assert not tried(CASES[case], json.dumps(more).encode() + b"\n" + body + b"\0" * 32)


CHANGES = [
    lambda note: note.update(format="gatewalk-session-2"),
    lambda note: note.update(format=3),
    lambda note: note.update(law="{}"),
    lambda note: note.update(law=None),
    lambda note: note.update(seed=-1),
    lambda note: note.update(seed="1"),
    lambda note: note.update(run=2**64),
    lambda note: note.update(run=1.5),
    lambda note: note.update(seconds="long"),
    lambda note: note.update(seconds=float("nan")),
    lambda note: note.update(seconds=True),
    lambda note: note.update(seconds=10**29),
    lambda note: note.update(seconds=10**400),
    lambda note: note.update(improvements=[[False, note["improvements"][0][1]]]),
    lambda note: note.update(improvements=[[offspring, f" {f}"] for offspring, f in note["improvements"]]),
    lambda note: note.update(improvements=[]),
    lambda note: note.update(improvements=3),
    lambda note: note.update(improvements=[[0, "0x1"], [0, "0x0"]]),
    lambda note: note.update(improvements=[[0, 5]]),
    lambda note: note.update(improvements=[[0]]),
    lambda note: note["improvements"].append([10**30, "-0x1"]),
    lambda note: note["improvements"].pop(0),
    lambda note: note.update(more=1),
    lambda note: note.pop("seconds"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_other_words_are_refused(change):
    note, arrays = parts(saved("small"))
    change(note)
    assert not tried(CASES["small"], whole(note, arrays))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"[]\n",
        b"{}\n",
        b'"x"\n',
        b"[" * 100_000,
        b'{"a":' * 5000,
        b"1" * 5000 + b"\n",
        b"PK\3\4",
        b"\xff",
    ],
)  # fmt: skip
def test_bytes_that_are_no_saved_search_are_refused(data):
    with pytest.raises(InputError, match="not a saved search"):
        restore(CASES["small"], data)


def test_declared_sizes_take_no_memory():
    note, _ = parts(saved("tree"))
    for size in (10**18, -1, 2**31, "4", None, True):
        head = json.dumps(note | {"arrays": note["arrays"] | {"program": size}}).encode()
        assert not tried(CASES["tree"], head + b"\n" + b"\0" * 40)


@given(case=st.sampled_from(sorted(CASES)), data=st.data())
@limits(max_examples=150, deadline=None)
def test_structural_changes_never_harm(case, data):
    """A valid file with other numbers in it: refused, or a search that goes on."""
    note, arrays = parts(saved(case))
    name = data.draw(st.sampled_from(sorted(arrays)))
    kind = np.iinfo(arrays[name].dtype)
    small, whatever = st.integers(-3, 40), st.integers(int(kind.min), int(kind.max))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, arrays[name].size - 1))
        arrays[name][place] = max(int(kind.min), data.draw(small | whatever))
    tried(CASES[case], whole(note, arrays))
