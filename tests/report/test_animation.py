"""Animations: what an SVG shows at a moment is the scene of that moment; a GIF has a picture for each."""

import re
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from live_browser import live_browser
from PIL import Image

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.own_target import target
from gatewalk.report.animation import animation_gif, animation_svg
from gatewalk.report.scenes import scenes_of
from gatewalk.search.recorder import record
from gatewalk.search.recording import Recording
from gatewalk.search.settings import settings


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record(settings("and:5", nodes=8), seed=4)


SEEN = """
(() => {
  const seen = (one) => getComputedStyle(one).visibility === "visible";
  return [[...document.querySelectorAll("circle.gw-lit")].filter(seen).length,
          [...document.querySelectorAll("text.gw-note")].filter(seen).map(one => one.textContent)];
})()
"""


def test_an_svg_shows_its_scenes_one_after_the_other(recording: Recording, tmp_path: Path) -> None:
    file = tmp_path / "run.svg"
    file.write_text(animation_svg(recording), encoding="utf-8")
    scenes = scenes_of(recording)
    ends = list(accumulate(scene.milliseconds for scene in scenes))
    with live_browser(tmp_path) as tab:
        tab.show(900, prefers_reduced_motion="no-preference")
        tab.open(file)
        for scene, end in zip(scenes, ends, strict=True):
            moment = end - scene.milliseconds / 2
            tab.ask(
                f"document.getAnimations().forEach(one => {{ one.pause(); one.currentTime = {moment}; }})"
            )
            lit, words = tab.ask(SEEN)
            assert lit == sum(scene.lit)
            assert scene.words in words
        tab.show(900, prefers_reduced_motion="reduce")
        tab.open(file)
        assert tab.ask("document.getAnimations().length") == 0
        assert tab.ask(SEEN)[0] == sum(scenes[-1].lit)
        assert scenes[-1].words in tab.ask(SEEN)[1]
        assert tab.complaints == []


def test_an_svg_is_self_contained_reproducible_and_no_larger_than_asked(recording: Recording) -> None:
    text = animation_svg(recording)
    assert text == animation_svg(recording)
    ElementTree.fromstring(text)
    assert re.findall(r"https?://[^\s\"]+|url\(|@import|<script", text) == ["http://www.w3.org/2000/svg"]
    assert "prefers-color-scheme:dark" in text
    assert "prefers-color-scheme" not in animation_svg(recording, theme="dark")
    small = animation_svg(recording, most_bytes=len(text) * 3 // 4)
    assert len(small) <= len(text) * 3 // 4
    ElementTree.fromstring(small)


def test_labels_are_text_in_an_svg() -> None:
    circuit = Circuit(("<a>", "&amp;"), (Node(gate("and"), (0, 1)),), (2,), ("]]>",))
    text = animation_svg(record(settings(target(circuit), nodes=3, gates="and"), seed=2))
    found = {one.text for one in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")}
    assert {"<a>", "&am…", "]]>"} <= found


def test_a_gif_has_a_picture_for_each_scene(recording: Recording) -> None:
    shares: list[float] = []
    scenes = scenes_of(recording)
    with Image.open(BytesIO(animation_gif(recording, tell=shares.append))) as found:
        times, pictures = [], []
        for number in range(found.n_frames):
            found.seek(number)
            times.append(found.info["duration"])
            pictures.append(np.asarray(found.convert("RGB")))
    assert found.info["loop"] == 0
    # Scenes that look alike are one picture, shown for the time of both.
    assert len(scenes) / 2 < len(times) <= len(scenes)
    assert sum(times) == sum(scene.milliseconds for scene in scenes)
    assert shares == [(k + 1) / len(scenes) for k in range(len(scenes))]
    assert all(picture[0, 0].tolist() == [255, 255, 255] for picture in pictures)
    lit = (pictures[0] == [0xD3, 0xF0, 0xE6]).all(axis=2).sum()
    assert lit > 100 * sum(scenes[0].lit)


def test_a_gif_is_no_larger_than_asked() -> None:
    found = record(settings("and:3", nodes=2), seed=1)
    small = animation_gif(found, theme="dark", most_bytes=40_000)
    assert len(small) <= 40_000
    with Image.open(BytesIO(small)) as image:
        assert 2 <= image.n_frames < len(scenes_of(found))
        assert image.convert("RGB").getpixel((0, 0)) == (0x14, 0x18, 0x1D)
