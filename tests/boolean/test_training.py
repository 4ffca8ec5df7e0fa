"""Training sets: what is in them, and fitness and generalisation as defined."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gatewalk.boolean import training
from gatewalk.boolean.tables import masked, pack, projections, unpack
from gatewalk.boolean.targets import family_target
from gatewalk.errors import InputError


def words_from(seed):
    generator = np.random.default_rng(seed)
    return lambda count: generator.integers(0, 2**64, count, dtype=np.uint64)


def test_complete():
    everything = training.complete(family_target("mul:2"))
    assert everything.kind == "complete"
    assert everything.rows == 16
    assert (everything.inputs == projections(4)).all()
    assert everything.outputs.shape == (4, 1)
    assert "rows=16" in repr(everything)


@pytest.mark.parametrize("name", ["nand:3", "xnor:2", "nor:1"])
def test_unused_bits_are_0(name):
    everything = training.complete(family_target(name))
    assert (everything.outputs == masked(everything.outputs, everything.rows)).all()


@pytest.mark.parametrize(
    ("name", "memory"), [("and:30", "3.9 GiB"), ("and:40", r"5.1 TiB"), ("xor:100", r"2\^103 bytes")]
)
def test_complete_tables_that_are_too_large(name, memory):
    with pytest.raises(InputError, match=f"{memory} of memory; use --training sample"):
        training.complete(family_target(name))


@given(st.integers(1, 100), st.integers(1, 300), st.integers(0, 2**32))
def test_sample_has_the_targets_outputs(n, rows, seed):
    drawn = training.sample(family_target(f"maj:{n}"), rows, words_from(seed))
    inputs, outputs = unpack(drawn.inputs, rows), unpack(drawn.outputs, rows)
    assert inputs.shape == (n, rows)
    assert drawn.kind == "sample"
    assert (outputs[0] == (inputs.sum(axis=0) > n / 2)).all()
    assert (drawn.inputs == masked(drawn.inputs, rows)).all()


def test_sampled_rows_are_uniform_with_replacement():
    # 2^14 rows over 2^4 assignments; chi-square with 15 degrees, false alarm below 1e-7.
    drawn = training.sample(family_target("and:4"), 1 << 14, words_from(5))
    bits = unpack(drawn.inputs, 1 << 14)
    assignment = (bits * (1 << np.arange(4))[:, None]).sum(axis=0)
    assert stats.chisquare(np.bincount(assignment, minlength=16)).pvalue > 1e-7
    # Rows are independent: pairs of neighbours over 2^8 values.
    pairs = assignment[::2] * 16 + assignment[1::2]
    assert stats.chisquare(np.bincount(pairs, minlength=256)).pvalue > 1e-7


def test_sample_depends_on_its_source_only():
    one, same, other = (training.sample(family_target("xor:60"), 100, words_from(seed)) for seed in (1, 1, 2))
    assert (one.inputs == same.inputs).all()
    assert (one.inputs != other.inputs).any()


def test_sample_of_no_rows():
    with pytest.raises(InputError, match="at least 1 row"):
        training.sample(family_target("and:4"), 0, words_from(1))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 15, 50, 1024, 1000, 10**6])
def test_sample_rows_is_the_ceiling_exactly(n):
    rows = training.sample_rows(n)
    assert rows**10 >= n**13 > (rows - 1) ** 10


@pytest.mark.parametrize(("n", "rows"), [(1, 1), (2, 3), (10, 20), (15, 34), (50, 162), (1024, 8192)])
def test_sample_rows_of_known_sizes(n, rows):
    assert training.sample_rows(n) == rows


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=8, max_size=8))
def test_fitness_counts_mismatched_outputs(columns):
    # sum:2 has 4 inputs and 3 outputs; take any answers as the outputs of a program.
    everything = training.complete(family_target("sum:2"))
    answers = np.resize(np.array(columns).ravel(), (3, 16))
    wrong = int((answers != unpack(everything.outputs, 16)).sum())
    assert training.fitness(pack(answers), everything) == wrong
    assert training.generalisation_error(pack(answers), everything) == wrong / 48
    assert training.generalisation_ability(pack(answers), everything) == 1 - wrong / 48


def test_a_program_and_its_complement():
    drawn = training.sample(family_target("xor:9"), 200, words_from(3))
    assert training.fitness(drawn.outputs, drawn) == 0
    assert training.generalisation_ability(drawn.outputs, drawn) == 1.0
    assert training.fitness(~drawn.outputs, drawn) == 200
    assert training.generalisation_ability(~drawn.outputs, drawn) == 0.0


@pytest.mark.parametrize("n", range(1, 11))
def test_lemma_2_conjunction_of_i_inputs(n):
    # A conjunction of i of n inputs mismatches and:n on 2^(n-i) - 1 rows.
    everything = training.complete(family_target(f"and:{n}"))
    for i in range(1, n + 1):
        partial = np.bitwise_and.reduce(everything.inputs[:i], axis=0, keepdims=True)
        assert training.fitness(partial, everything) == 2 ** (n - i) - 1


@pytest.mark.parametrize("n", range(1, 9))
def test_xor_fitness_is_0_or_half_the_rows(n):
    everything = training.complete(family_target(f"xor:{n}"))
    for subset in range(1 << n):
        chosen = everything.inputs[[i for i in range(n) if subset >> i & 1]]
        partial = np.bitwise_xor.reduce(chosen, axis=0, keepdims=True)
        expected = 0 if subset == (1 << n) - 1 else 2 ** (n - 1)
        assert training.fitness(partial, everything) == expected


def test_many_samples_need_a_target_that_cares_for_all_rows():
    some = replace(family_target("and:3"), cares=lambda inputs: inputs[:1])
    with pytest.raises(ValueError, match="leave rows out"):
        training.samples(some, 10, np.zeros((2, 3), dtype=np.uint64))
