"""A recorded run as a page that plays it: one file, without a network.

The page holds the first program and the changes of each frame (`gatewalk.search.recording`). From these its
script computes every program with its active part and its circuit. Names and labels are shown as text, never
as markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from math import log2
from typing import Any

from gatewalk.bigint import short
from gatewalk.boolean.gates import Gate
from gatewalk.circuit.gate_shapes import GATE_WIDTH, gate_marks, input_depth
from gatewalk.circuit.layout import pin_offsets
from gatewalk.circuit.picture import Disc, Mark, Shape
from gatewalk.circuit.picture_svg import FONT, path_text
from gatewalk.circuit.themes import LOOKS
from gatewalk.report.replay_words import about, mutation_words, recorded_words, selection_words, title
from gatewalk.report.thinning import thinned
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.program_drawing import SIGNS
from gatewalk.search.recording import Frame, Recording
from gatewalk.version import __version__

MOST_BYTES = 2_000_000
_SCRIPTS = ("replay_run.js", "replay_views.js", "replay_player.js")
_LONGEST_SIGN = 4
# Variables of the style sheet: each takes the fill or the line colour of a role.
_VARIABLES = {
    "page": ("page", False, "fill"),
    "panel": ("page", False, "fill"),
    "ink": ("label", False, "fill"),
    "quiet": ("name", False, "fill"),
    "line": ("gate", True, "stroke"),
    "faded": ("gate", True, "fill"),
    "gate": ("gate", False, "fill"),
    "wire": ("wire", False, "stroke"),
    "input": ("input", False, "fill"),
    "input-line": ("input", False, "stroke"),
    "output": ("output", False, "fill"),
    "output-line": ("output", False, "stroke"),
    "lit": ("lit", False, "fill"),
    "lit-line": ("lit", False, "stroke"),
    "picked": ("picked", False, "stroke"),
    "changed": ("changed", False, "fill"),
    "improved": ("improved", False, "fill"),
    "neutral": ("neutral", False, "fill"),
}


def replay_page(recording: Recording, *, most_bytes: int = MOST_BYTES) -> str:
    """The page that plays a recorded run, as HTML.

    Parameters
    ----------
    recording
        From `gatewalk.search.recorder.record`.
    most_bytes
        If the page would be larger, frames are left out, and the page says how many.

    Returns
    -------
    str
        The text of the file.

    Examples
    --------
    >>> from gatewalk.search.recorder import record
    >>> from gatewalk.search.settings import settings
    >>> page = replay_page(record(settings("and:3", nodes=4), seed=1))
    >>> page.startswith("<!doctype html>")
    True
    """
    values = {
        "title": escape(title(recording)),
        "about": escape(about(recording)),
        "mutation": escape(mutation_words(recording.run.settings)),
        "selection": escape(selection_words(recording.run.settings)),
        "version": escape(__version__),
        "style": style(),
        "script": "\n".join(["'use strict';", *(_data(name) for name in _SCRIPTS)]),
    }
    frame_room = most_bytes - len(_filled(values | {"run": "", "recorded": ""}).encode()) - 2000
    shown = thinned(recording, lambda one: len(_run_text(one)) <= frame_room)
    values["recorded"] = escape(recorded_words(recording, shown))
    values["run"] = _run_text(shown)
    return _filled(values)


def style() -> str:
    """The style sheet with the colours of pictures; printed pages use the light ones."""
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{_colours('dark')}}}}}"
    font = f"--font:system-ui,{FONT}"
    return f":root{{{_colours('light')};{font}}}\n{dark}\n{_data('replay.css')}"


def _colours(theme: Any) -> str:
    looks = {name: LOOKS[theme, faded][role] for name, (role, faded, _) in _VARIABLES.items()}
    return ";".join(f"--{name}:{getattr(looks[name], kind)}" for name, (*_, kind) in _VARIABLES.items())


def _data(name: str) -> str:
    return files("gatewalk.report").joinpath(name).read_text(encoding="utf-8")


def _filled(values: dict[str, str]) -> str:
    """The template with its placeholders filled. Signs of placeholders in the values stay as they are."""
    first, *others = _data("replay.html").split("@")
    # Every second piece is the name of a placeholder.
    places, texts = others[::2], others[1::2]
    return first + "".join(values[place] + text for place, text in zip(places, texts, strict=True))


def _run_text(recording: Recording) -> str:
    """The run as JSON, escaped so that no browser takes a part of it for markup."""
    text = json.dumps(_run_values(recording), ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _run_values(recording: Recording) -> dict[str, Any]:
    settings = recording.run.settings
    shape = shape_of(settings)
    found = {recording.start_fitness}
    for frame in recording.frames:
        found |= {frame.before, *(one.fitness for one in frame.made)}
    fitness = sorted(found)
    place = {value: index for index, value in enumerate(fitness)}
    return {
        "inputs": shape.inputs,
        "outputs": shape.outputs,
        "nodes": shape.nodes,
        "block": shape.block,
        "inputLabels": list(recording.run.circuit.input_labels),
        "outputLabels": list(recording.run.circuit.output_labels),
        "gates": [_gate(gate) for gate in shape.gates.gates],
        "mutation": (settings.mutation or "sam").partition(":")[0],
        "strict": settings.strict,
        "isRandom": settings.start == "random",
        "fitness": [[short(value), round(log2(1 + value), 4)] for value in fitness],
        "start": recording.start.tolist(),
        "startFitness": place[recording.start_fitness],
        "frames": [_frame(frame, place) for frame in recording.frames],
    }


def _frame(frame: Frame, place: dict[int, int]) -> list[Any]:
    """A frame as `replay_run.js` reads it."""
    values: list[Any] = [frame.offspring, 0 if frame.chosen is None else frame.chosen + 1]
    values += [_flat(frame.jump), place[frame.before]]
    for one in frame.made:
        values += [place[one.fitness], _flat(one.picks)]
    return values


def _flat(picks: Iterable[tuple[int, int]]) -> list[int]:
    return [number for pick in picks for number in pick]


def _gate(gate: Gate) -> dict[str, Any]:
    """A gate as the page draws it. middle: the place of its node's number. pins: where edges end."""
    *marks, name = gate_marks(gate, "", 0, 0, faded=False)
    return {
        "name": gate.name,
        "arity": gate.arity,
        "sign": SIGNS.get(gate.name, gate.name[:_LONGEST_SIGN]),
        "width": GATE_WIDTH,
        "marks": [_mark(mark) for mark in marks],
        "middle": [getattr(name, "x", 0.0), getattr(name, "y", 0.0)],
        "pins": [[round(input_depth(gate, y), 1), y] for y in pin_offsets(gate.arity)],
    }


def _mark(mark: Mark) -> list[Any]:
    if isinstance(mark, Shape):
        return ["path", mark.role, path_text(mark)]
    if isinstance(mark, Disc):
        return ["disc", mark.role, mark.x, mark.y, mark.radius]
    return ["words", mark.role, mark.x, mark.y, mark.text, LOOKS["light", False][mark.role].size]
