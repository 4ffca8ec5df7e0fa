"""A run as a short animation for a README or a talk: SVG that moves by itself, or GIF (the extra `plot`).

In the SVG, marks that several scenes share are written once, with the scenes in which they are visible. In
print, and for readers who ask for less motion, only the last scene is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from io import BytesIO
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.circuit.drawing.picture import Mark, Picture, Words
from gatewalk.circuit.drawing.svg import mark_text, style_text
from gatewalk.circuit.drawing.themes import LOOKS, Theme
from gatewalk.extras import need
from gatewalk.report.scenes import MOST_SCENES, scene_pictures, scenes_of
from gatewalk.search.recording import Recording
from gatewalk.search.scheduler import OnProgress

MOST_BYTES = 2_000_000
_GIF_DPI = 96
_BLENDS = (0.25, 0.5, 0.75)  # blends of a colour with the page, for pixels at the edges of shapes
Bytes = NDArray[np.uint8]


def animation_svg(recording: Recording, *, theme: Theme = "auto", most_bytes: int = MOST_BYTES) -> str:
    """The animation of a run as an SVG; if it would be larger than `most_bytes`, scenes are left out.

    theme: "light", "dark", or "auto", which follows the reader's screen.

    >>> from gatewalk import search_for
    >>> from gatewalk.search.recording import record
    >>> text = animation_svg(record(search_for("and:3", nodes=4), seed=1))
    >>> text.startswith("<svg") and "@keyframes" in text
    True
    """
    most = MOST_SCENES
    while True:
        scenes = scenes_of(recording, most=most)
        pictures = scene_pictures(recording, scenes)
        text = _svg(pictures, [scene.milliseconds for scene in scenes], theme)
        if len(text.encode()) <= most_bytes or most <= 1:
            return text
        most //= 2


def animation_gif(
    recording: Recording,
    *,
    theme: Literal["light", "dark"] = "light",
    most_bytes: int = MOST_BYTES,
    on_progress: OnProgress = lambda share, words: None,
) -> bytes:
    """The animation of a run as a GIF; if it would be larger than `most_bytes`, scenes are left out.

    >>> from gatewalk import search_for
    >>> from gatewalk.search.recording import record
    >>> animation_gif(record(search_for("and:2", nodes=2), seed=1))[:6]
    b'GIF89a'
    """
    need("matplotlib", "drawing an animation as GIF")
    from PIL import Image

    from gatewalk.circuit.drawing.pdf_png import pixels

    scenes = scenes_of(recording)
    pictures = scene_pictures(recording, scenes)
    marks = _layered(pictures)
    seen = [
        {index for index, numbers in enumerate(marks.values()) if number in numbers}
        for number in range(len(scenes))
    ]
    size = pictures[0].width, pictures[0].height
    palette = _palette(marks, theme)
    drawn = []
    for array in pixels(*size, list(marks), seen, theme=theme, dpi=_GIF_DPI):
        drawn.append(Image.fromarray(_nearest(array, palette)))
        drawn[-1].putpalette(palette.tobytes())
        on_progress(len(drawn) / len(scenes), "of the animation")
    stride = 1
    while True:
        chosen = sorted({*range(0, len(drawn), stride), len(drawn) - 1})
        first, *others = [drawn[number] for number in chosen]
        times = [scenes[number].milliseconds for number in chosen]
        buffer = BytesIO()
        first.save(buffer, "GIF", save_all=True, append_images=others, duration=times, loop=0)
        if len(buffer.getvalue()) <= most_bytes or stride >= len(drawn):
            return buffer.getvalue()
        stride *= 2


def _palette(marks: Iterable[Mark], theme: Literal["light", "dark"]) -> Bytes:
    """The colours of these marks as red, green and blue. All scenes share them, so nothing flickers."""
    looks = [LOOKS[theme, False]["page"], *(LOOKS[theme, mark.faded][mark.role] for mark in marks)]
    named = dict.fromkeys(colour for look in looks for colour in (look.fill, look.stroke) if colour)
    page, *others = (np.array(list(bytes.fromhex(colour[1:])), dtype=np.float64) for colour in named)
    blends = [share * colour + (1 - share) * page for colour in others for share in _BLENDS]
    return np.unique(np.rint([page, *others, *blends]).astype(np.uint8), axis=0)[:256]


def _nearest(picture: Bytes, palette: Bytes) -> Bytes:
    """For each pixel the index of its colour in the palette, or of the nearest colour."""
    packed = picture.astype(np.int64) @ np.array([65536, 256, 1])
    distinct, where = np.unique(packed, return_inverse=True)
    colours = np.stack([distinct >> 16, distinct >> 8 & 255, distinct & 255], axis=1)
    distances = ((colours[:, np.newaxis] - palette[np.newaxis].astype(np.int64)) ** 2).sum(axis=2)
    indices: Bytes = distances.argmin(axis=1).astype(np.uint8)[where].reshape(packed.shape)
    return indices


def _layered(pictures: Sequence[Picture]) -> dict[Mark, set[int]]:
    """All marks in the order in which they are drawn, each with the pictures that it is in.

    Lines are under shapes and shapes under letters, whatever picture a mark comes from.
    """

    def layer(mark: Mark) -> int:
        if mark.role == "picked":
            return 4
        if mark.role.endswith("wire"):
            return 0 if mark.role == "wire" else 1
        return 3 if isinstance(mark, Words) else 2

    seen: dict[Mark, set[int]] = {}
    for number, picture in enumerate(pictures):
        for mark in picture.marks():
            seen.setdefault(mark, set()).add(number)
    return {mark: seen[mark] for mark in sorted(seen, key=layer)}


def _svg(pictures: Sequence[Picture], times: Sequence[int], theme: Theme) -> str:
    marks = _layered(pictures)
    patterns: dict[frozenset[int], str] = {}
    body = []
    for mark, where in marks.items():
        text = mark_text(mark)
        if len(where) < len(pictures):
            name = patterns.setdefault(frozenset(where), f"t{len(patterns)}")
            text = text.replace('class="', f'class="{name} ', 1)
        body.append(text)
    content = "\n".join(body)
    used = {(mark.role, mark.faded) for mark in marks} | {("page", False)}
    scope = "gw-" + sha256(f"{theme}\n{content}".encode()).hexdigest()[:12]
    width, height = (f"{value:.0f}" for value in (pictures[0].width, pictures[0].height))
    motion = "".join(_motion(scope, name, where, times) for where, name in patterns.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{scope}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">\n<style>{style_text(scope, theme, used)}{motion}'
        f"@media print,(prefers-reduced-motion:reduce){{.{scope} *{{animation:none!important}}}}</style>\n"
        f'<rect class="gw-page" width="{width}" height="{height}"/>\n{content}\n</svg>\n'
    )


def _motion(scope: str, name: str, where: frozenset[int], times: Sequence[int]) -> str:
    """The style of marks that are seen in these scenes only."""
    total, steps, is_last = sum(times), [], len(times) - 1 in where
    was: bool | None = None
    at = 0
    for number, time in enumerate(times):
        now = number in where
        if now != was:
            steps.append(f"{100 * at / total:.3f}%{{visibility:{'visible' if now else 'hidden'}}}")
        was, at = now, at + time
    frames = f"{scope}-{name}"
    return (
        f"@keyframes {frames}{{{''.join(steps)}}}"
        f".{scope} .{name}{{visibility:{'visible' if is_last else 'hidden'};"
        f"animation:{frames} {total}ms step-end infinite}}"
    )
