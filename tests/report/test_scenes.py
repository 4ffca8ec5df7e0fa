import numpy as np
import pytest

from gatewalk.cgp.genotype import active_nodes
from gatewalk.report.scenes import gene_words, outcome_of, scenes_of
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.recorder import record
from gatewalk.search.recording import Recording, parents
from gatewalk.search.settings import settings


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record(settings("and:6", nodes=12), seed=3)


def test_scenes_show_the_start_picks_accepted_moves_and_the_end(recording: Recording) -> None:
    scenes = scenes_of(recording)
    assert scenes[0].words == f"start: {recording.start_fitness} mismatches"
    assert scenes[0].genes.tolist() == recording.start.tolist()
    assert scenes[-1].words == f"solved: 5 gates after {recording.run.iterations} iterations"
    assert scenes[-1].genes.tolist() == recording.run.program.tolist()
    picks = recording.frames[0].made[0].picks
    assert [scene.picked for scene in scenes[1 : 1 + min(5, len(picks))]] == [gene for gene, _ in picks[:5]]
    improved = [scene.frame for scene in scenes if scene.outcome == "improved"]
    assert improved == [
        place for place, frame in enumerate(recording.frames, start=1) if outcome_of(frame) == "improved"
    ]
    shape = shape_of(recording.run.settings)
    states = [after.tolist() for _, after in parents(recording)]
    for scene in scenes:
        if scene.outcome is not None:
            assert scene.genes.tolist() == states[scene.frame - 1]
            assert list(scene.lit) == active_nodes(shape, scene.genes.astype(np.int64)).tolist()


@pytest.mark.parametrize("most", [72, 30, 1])
def test_there_are_no_more_scenes_than_asked_for(recording: Recording, most: int) -> None:
    whole, scenes = scenes_of(recording), scenes_of(recording, most=most)
    assert len(scenes) == max(2, min(most, len(whole)))
    assert (scenes[0].words, scenes[-1].words) == (whole[0].words, whole[-1].words)
    assert [scene.frame for scene in scenes] == sorted(scene.frame for scene in scenes)


def test_a_run_that_is_solved_at_the_start_has_a_start_and_an_end() -> None:
    scenes = scenes_of(record(settings("and:1"), seed=1))
    assert [scene.words for scene in scenes] == ["start: 0 mismatches", "solved: 1 gate after 0 iterations"]


def test_genes_in_words() -> None:
    shape = shape_of(settings("and:6", nodes=12))
    assert [gene_words(shape, gene) for gene in (0, 5, 36)] == ["node 6, gate", "node 7, input 2", "output 1"]
