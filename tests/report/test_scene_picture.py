import pytest

from gatewalk.circuit.picture import Disc, Words
from gatewalk.circuit.themes import LOOKS
from gatewalk.report.scene_picture import scene_pictures
from gatewalk.report.scenes import scenes_of
from gatewalk.search.recorder import record
from gatewalk.search.settings import settings
from gatewalk.search.triggers import Triggers


@pytest.mark.parametrize(
    ("text", "options"), [("and:6", {"nodes": 12}), ("and:30", {"nodes": 100}), ("and:1", {})]
)
def test_every_mark_is_within_the_picture_and_has_a_look(text: str, options: dict) -> None:
    found = record(settings(text, **options), seed=1, triggers=Triggers(first=30, neutral=0))
    pictures = scene_pictures(found, scenes_of(found))
    assert len({(picture.width, picture.height) for picture in pictures}) == 1
    for picture in pictures:
        for mark in picture.marks():
            assert mark.role in LOOKS["dark", mark.faded]
            points = [(mark.x, mark.y)] if isinstance(mark, Disc | Words) else []
            if not points:
                points = [point for _, at in mark.steps for point in zip(at[::2], at[1::2], strict=True)]
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points)


def test_active_nodes_are_lit_and_the_gene_that_was_picked_is_framed() -> None:
    found = record(settings("and:6", nodes=12), seed=1)
    scenes = scenes_of(found)
    for scene, picture in zip(scenes, scene_pictures(found, scenes), strict=True):
        marks = list(picture.marks())
        lit = sum(isinstance(mark, Disc) and mark.role == "lit" for mark in marks)
        assert lit == sum(scene.lit)
        assert sum(isinstance(mark, Words) and mark.role == "changed" for mark in marks) == len(scene.changed)
        # One more is the line that says where the run is.
        assert sum(mark.role == "picked" for mark in marks) == 1 + (scene.picked >= 0)
        assert any(isinstance(mark, Words) and mark.text == scene.words for mark in marks)
