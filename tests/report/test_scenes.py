"""Animations: what an SVG shows at a moment is the scene of that moment; a GIF has a picture for each."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from gatewalk.boolean.gates import gate
from gatewalk.cgp.genotype import active_nodes
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.drawing.picture import Disc, Words
from gatewalk.circuit.drawing.themes import LOOKS
from gatewalk.circuit.own_targets import target
from gatewalk.report.animation import animation_gif, animation_svg
from gatewalk.report.scenes import gene_words, outcome_of, scene_pictures, scenes_of
from gatewalk.search.options import search_for
from gatewalk.search.recording import Triggers, parents, record


@pytest.fixture(scope="module")
def recording():
    return record(search_for("and:6", nodes=12), seed=3)


def test_scenes_show_the_start_picks_accepted_moves_and_the_end(recording):
    scenes = scenes_of(recording)
    assert scenes[0].words == f"start: {recording.start_fitness} mismatches"
    assert scenes[0].genes.tolist() == recording.start.tolist()
    assert scenes[-1].words == f"solved: 5 gates after {recording.run.iterations} iterations"
    assert scenes[-1].genes.tolist() == recording.run.program.tolist()
    picks = recording.frames[0].made[0].picks
    assert [scene.picked for scene in scenes[1 : 1 + min(5, len(picks))]] == [gene for gene, _ in picks[:5]]
    improved = [scene.frame for scene in scenes if scene.outcome == "improved"]
    assert improved == [
        number for number, frame in enumerate(recording.frames, start=1) if outcome_of(frame) == "improved"
    ]
    shape = recording.run.search.shape
    states = [after.tolist() for _, after in parents(recording)]
    for scene in scenes:
        if scene.outcome is not None:
            assert scene.genes.tolist() == states[scene.frame - 1]
            assert list(scene.lit) == active_nodes(shape, scene.genes.astype(np.int64)).tolist()


@pytest.mark.parametrize("most", [72, 30, 1])
def test_there_are_no_more_scenes_than_asked_for(recording, most):
    whole, scenes = scenes_of(recording), scenes_of(recording, most=most)
    assert len(scenes) == max(2, min(most, len(whole)))
    assert (scenes[0].words, scenes[-1].words) == (whole[0].words, whole[-1].words)
    assert [scene.frame for scene in scenes] == sorted(scene.frame for scene in scenes)


def test_a_run_that_is_solved_at_the_start_has_a_start_and_an_end():
    scenes = scenes_of(record(search_for("and:1"), seed=1))
    assert [scene.words for scene in scenes] == ["start: 0 mismatches", "solved: 1 gate after 0 iterations"]


def test_genes_in_words():
    shape = search_for("and:6", nodes=12).shape
    assert [gene_words(shape, gene) for gene in (0, 5, 36)] == ["node 6, gate", "node 7, input 2", "output 1"]


@pytest.mark.parametrize(
    ("text", "words"), [("and:6", {"nodes": 12}), ("and:30", {"nodes": 100}), ("and:1", {})]
)
def test_every_mark_is_within_the_picture_and_has_a_look(text, words):
    recording = record(search_for(text, **words), seed=1, triggers=Triggers(first=30, neutral=0))
    pictures = scene_pictures(recording, scenes_of(recording))
    assert len({(picture.width, picture.height) for picture in pictures}) == 1
    for picture in pictures:
        for mark in picture.marks():
            assert mark.role in LOOKS["dark", mark.faded]
            points = [(mark.x, mark.y)] if isinstance(mark, Disc | Words) else []
            if not points:
                points = [point for _, at in mark.steps for point in zip(at[::2], at[1::2], strict=True)]
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points)


def test_active_nodes_are_lit_and_the_gene_that_was_picked_is_framed():
    recording = record(search_for("and:6", nodes=12), seed=1)
    scenes = scenes_of(recording)
    for scene, picture in zip(scenes, scene_pictures(recording, scenes), strict=True):
        marks = list(picture.marks())
        lit = sum(isinstance(mark, Disc) and mark.role == "lit" for mark in marks)
        assert lit == sum(scene.lit)
        assert sum(isinstance(mark, Words) and mark.role == "changed" for mark in marks) == len(scene.changed)
        # One more is the line that says where the run is.
        assert sum(mark.role == "picked" for mark in marks) == 1 + (scene.picked >= 0)
        assert any(isinstance(mark, Words) and mark.text == scene.words for mark in marks)


@pytest.fixture(scope="module")
def animation_recording():
    return record(search_for("and:5", nodes=8), seed=4)


def test_an_svg_is_self_contained_reproducible_and_no_larger_than_asked(animation_recording):
    text = animation_svg(animation_recording)
    assert text == animation_svg(animation_recording)
    ElementTree.fromstring(text)
    assert re.findall(r"https?://[^\s\"]+|url\(|@import|<script", text) == ["http://www.w3.org/2000/svg"]
    assert "prefers-color-scheme:dark" in text
    assert "prefers-color-scheme" not in animation_svg(animation_recording, theme="dark")
    small = animation_svg(animation_recording, most_bytes=len(text) * 3 // 4)
    assert len(small) <= len(text) * 3 // 4
    ElementTree.fromstring(small)


def test_labels_are_text_in_an_svg():
    circuit = Circuit(("<a>", "&amp;"), (Node(gate("and"), (0, 1)),), (2,), ("]]>",))
    text = animation_svg(record(search_for(target(circuit), nodes=3, gates="and"), seed=2))
    texts = {words.text for words in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")}
    assert {"<a>", "&am…", "]]>"} <= texts


def test_a_gif_has_a_picture_for_each_scene(animation_recording):
    shares = []

    def on_progress(share, words):
        assert words == "of the animation"
        shares.append(share)

    scenes = scenes_of(animation_recording)
    with Image.open(BytesIO(animation_gif(animation_recording, on_progress=on_progress))) as image:
        times, pictures = [], []
        for number in range(image.n_frames):
            image.seek(number)
            times.append(image.info["duration"])
            pictures.append(np.asarray(image.convert("RGB")))
    assert image.info["loop"] == 0
    # Scenes that look alike are one picture, shown for the time of both.
    assert len(scenes) / 2 < len(times) <= len(scenes)
    assert sum(times) == sum(scene.milliseconds for scene in scenes)
    assert shares == [(k + 1) / len(scenes) for k in range(len(scenes))]
    assert all(picture[0, 0].tolist() == [255, 255, 255] for picture in pictures)
    lit = (pictures[0] == [0xD3, 0xF0, 0xE6]).all(axis=2).sum()
    assert lit > 100 * sum(scenes[0].lit)


def test_a_gif_is_no_larger_than_asked():
    recording = record(search_for("and:3", nodes=2), seed=1)
    small = animation_gif(recording, theme="dark", most_bytes=40_000)
    assert len(small) <= 40_000
    with Image.open(BytesIO(small)) as image:
        assert 2 <= image.n_frames < len(scenes_of(recording))
        assert image.convert("RGB").getpixel((0, 0)) == (0x14, 0x18, 0x1D)
