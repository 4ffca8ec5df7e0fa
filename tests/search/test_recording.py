import numpy as np

from gatewalk.search.cgp_search import shape_of
from gatewalk.search.recorder import record
from gatewalk.search.recording import active_part, changes, parents, with_frames
from gatewalk.search.settings import settings


def test_some_frames_still_lead_to_the_same_programs() -> None:
    found = record(settings("and:5", nodes=8), seed=4)
    states = [after.tolist() for _, after in parents(found)]
    chosen = [1, 4, 5, len(states) - 1]
    some = with_frames(found, chosen)
    assert [after.tolist() for _, after in parents(some)] == [states[place] for place in chosen]
    assert [frame.offspring for frame in some.frames] == [found.frames[place].offspring for place in chosen]


def test_genes_of_inactive_nodes_are_no_part_of_the_active_part() -> None:
    shape = shape_of(settings("and:2", nodes=3))
    genes = np.array([0, 0, 1, 0, 2, 0, 0, 1, 1, 3], dtype=np.int32)  # node 4 is read by nobody
    assert active_part(shape, genes) == [0, 0, 1, 0, 2, 0, -1, -1, -1, 3]


def test_changes_lead_from_one_program_to_another() -> None:
    old, new = np.array([3, 1, 4, 1], dtype=np.int32), np.array([3, 5, 4, 9], dtype=np.int32)
    assert changes(old, new) == ((1, 5), (3, 9))
