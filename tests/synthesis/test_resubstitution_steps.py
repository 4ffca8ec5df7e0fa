"""The steps of a walk by resubstitution: one by one the same as those of the literal twin."""

from __future__ import annotations

from itertools import islice

import pytest
from resubstitution_walks import CASES, begun

from gatewalk.boolean.tables import table_numbers
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import complete, counted
from gatewalk.reference import resubstitution as reference
from gatewalk.reference.stream import Stream
from gatewalk.synthesis.resubstitution import Walk, advance
from gatewalk.synthesis.resubstitution_state import COST, Wiring
from gatewalk.synthesis.resubstitution_steps import OLD_ONE_IN


def _twin(walk: Walk) -> tuple[reference.Task, reference.Wires, Stream]:
    training = complete(walk.wanted)
    task = reference.Task(
        gates=walk.gates.gates,
        prices=walk.gate_arrays.prices.tolist(),
        level_price=int(walk.gate_arrays.level_price),
        inputs=table_numbers(training.inputs, training.rows),
        cares=table_numbers(counted(training), training.rows),
        rows=training.rows,
        capacity=walk.state.now.functions.size,
        slack=int(walk.state.counts[3]),
    )
    return task, _wires(walk.state.now), Stream(walk.state.stream.tolist())


def _wires(wiring: Wiring) -> reference.Wires:
    pairs = tuple((int(a), int(b)) for a, b in wiring.sources)
    return reference.Wires(tuple(wiring.functions.tolist()), pairs, tuple(wiring.outputs.tolist()))


@pytest.mark.parametrize(("name", "gates", "level_price", "slack"), CASES)
def test_the_walk_is_that_of_its_twin(name: str | Target, gates: str, level_price: int, slack: int) -> None:
    walk = begun(name, gates, level_price, slack, seed=4)
    task, start, stream = _twin(walk)
    changes = 0
    for step, place in enumerate(islice(reference.walk(task, start, stream), 400)):
        assert walk.steps == step
        assert reference.order(task, place.now) == walk.state.scratch.order[: walk.state.counts[0]].tolist()
        used = reference.order(task, place.now)
        now = _wires(walk.state.now)
        assert [now.functions[g] for g in used] == [place.now.functions[g] for g in used]
        assert [now.sources[g] for g in used] == [place.now.sources[g] for g in used]
        assert now.outputs == place.now.outputs
        assert (int(walk.state.counts[COST]), walk.best) == (place.cost, place.least)
        assert walk.state.stream.tolist() == stream.words
        changes += place.now != start
        advance(walk, 1)
    assert changes > 100


def test_the_twin_draws_old_sources_as_often() -> None:
    assert reference.OLD_ONE_IN == OLD_ONE_IN
