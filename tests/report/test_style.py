"""The style sheet: every text can be read, in the light, in the dark and on paper."""

from __future__ import annotations

import re

import pytest

from gatewalk.report.style import CSS

BLOCKS = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
LOOKS = dict(zip(("light", "dark", "paper"), BLOCKS, strict=True))
TEXTS = ("text", "soft", "link", "yes", "partly", "no", "unknown")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", LOOKS)
def test_texts_stand_out_from_their_ground(look: str) -> None:
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", LOOKS[look]))
    for text in TEXTS:
        for ground in ("ground", "raised"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for ground in ("differs", "borderline"):
        assert contrast(colours["text"], colours[ground]) >= 4.5


def test_nothing_is_fetched() -> None:
    assert not re.search(r"url\(|@import", CSS)
