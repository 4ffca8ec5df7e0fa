"""PDF and PNG hold what the SVG holds."""

import io
import re
import zlib

import numpy as np
import pytest

from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture import Disc, Part, Picture, Shape, Words, rounded_box
from gatewalk.circuit.picture_matplotlib import image
from gatewalk.circuit.picture_matplotlib import pixels as scene_pixels


def pixels(data):
    from matplotlib.image import imread

    return imread(io.BytesIO(data), format="png")


def test_marks_are_where_the_picture_has_them():
    box = Shape("junction", (("M", (10, 5)), ("L", (20, 5)), ("L", (20, 9)), ("L", (10, 9)), ("Z", ())))
    picture = Picture(40, 20, (Part(None, (box, Disc("junction", 32, 14, 3))),))
    found = pixels(image(picture, "png", theme="light"))
    assert found.shape[:2] == (40, 80)
    dark = found[:, :, :3].mean(axis=2) < 0.6
    assert dark[11:17, 21:39].all()
    assert dark[26:30, 62:66].all()
    assert dark.sum() == pytest.approx(20 * 8 + np.pi * 36, rel=0.15)


def test_themes_colour_the_page():
    picture = Picture(10, 10, ())
    assert pixels(image(picture, "png", theme="light"))[0, 0, 0] == 1
    assert pixels(image(picture, "png", theme="dark"))[0, 0, 0] < 0.2


def test_a_pdf_is_the_same_every_time_and_has_its_size(figure_1):
    picture = schematic(figure_1)
    data = image(picture, "pdf", theme="light")
    assert data.startswith(b"%PDF")
    assert data == image(picture, "pdf", theme="light")
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", data)
    assert float(box[1]) == pytest.approx(picture.width * 0.75)
    assert float(box[2]) == pytest.approx(picture.height * 0.75)
    streams = [
        zlib.decompress(s) for s in re.findall(rb"stream\r?\n(x.*?)\r?\nendstream", data, re.DOTALL)[:1]
    ]
    assert b" c\n" in streams[0]  # curves are curves


def test_labels_are_text_and_no_formulas():
    words = Words("label", 30, 12, "$a_1$ \\frac{")
    assert image(Picture(60, 20, (Part(None, (words,)),)), "png", theme="light")


def test_scenes_are_the_pictures_of_their_marks():
    marks = [Shape("lit", rounded_box(0, 0, 20, 20, 2)), Shape("changed_wire", rounded_box(30, 0, 20, 20, 2))]
    scenes = [{0}, {1}, {0, 1}, set()]
    first, second, both, none = scene_pixels(60, 20, marks, scenes, theme="light", dpi=96)
    assert first.shape == (20, 60, 3)
    assert (none == 255).all()
    assert first[10, 10].tolist() == both[10, 10].tolist() == [0xD3, 0xF0, 0xE6]
    assert (second[:, :25] == 255).all()
    assert (second[:, 25:] == both[:, 25:]).all()
    assert not (both[:, 25:] == none[:, 25:]).all()
