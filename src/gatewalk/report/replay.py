"""A recorded run as a page that plays it, or as an animation: search, record, write.

The page is one file that needs no network. It holds the first program and the changes of each frame
(`gatewalk.search.recording`), from which its script computes every program with its active part and its
circuit. Names and labels are shown as text, never as markup. If a recording is too long, frames are left out,
improvements last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from math import log2
from pathlib import Path
from typing import Any, Unpack

from gatewalk.boolean.gates import Gate
from gatewalk.campaign.export import complete_file
from gatewalk.cgp.cgp_search import CgpSearch, Ties
from gatewalk.cgp.drawing import SIGNS
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.operators import OwnMutation
from gatewalk.circuit.drawing.gate_shapes import GATE_WIDTH, gate_marks, input_depth
from gatewalk.circuit.drawing.layout import pin_offsets
from gatewalk.circuit.drawing.picture import Disc, Mark, Shape
from gatewalk.circuit.drawing.svg import FONT, path_text
from gatewalk.circuit.drawing.themes import LOOKS
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.numbers import counted, fitness_text
from gatewalk.report.page import as_json, asset, filled
from gatewalk.search.options import Words, search_for, shows_words
from gatewalk.search.recording import Frame, Recording, Triggers, record, with_frames
from gatewalk.search.runs import Run, what_was_run
from gatewalk.search.scheduler import OnProgress
from gatewalk.version import __version__


def search_of(recording: Recording) -> CgpSearch:
    """The search of a recording; other than CGP, none can be recorded."""
    search = recording.run.search
    assert isinstance(search, CgpSearch)
    return search


def title(recording: Recording) -> str:
    """The title: the target and the algorithm."""
    search = recording.run.search
    return f"{search.target.label}: a run of the (1+{search.offspring}) CGP"


def about(recording: Recording) -> str:
    """The outcome and all settings."""
    run = recording.run
    after = counted(run.iterations, "iteration")
    if run.solved:
        outcome = f"Solved after {after} with {counted(run.gates, 'gate')}"
    elif recording.finished:
        outcome = f"Not solved after {after}: {mismatches(run.fitness)} left"
    else:
        outcome = f"Interrupted after {after}, with {mismatches(run.fitness)} left"
    return f"{outcome}. {what_was_run(run)}."


def mutation_words(search: CgpSearch) -> str:
    """A sentence on how offspring are made."""
    mutation = search.mutation
    if isinstance(mutation, Point):
        return f"Point mutation picks {mutation.genes} genes at random and gives each a new value."
    if isinstance(mutation, Rate):
        return (
            f"Every gene gets a new value with probability {mutation.written}; those that do are the picks."
        )
    if isinstance(mutation, OwnMutation):
        return (
            f"The mutation {mutation} is a function of its user's; the genes that it changes are the picks."
        )
    return (
        "Single active-gene mutation (SAM) picks genes at random, one by one, and gives each a new value, "
        f"until it has {search.law.sam_ends} a gene of a node that is active in the parent. What it changed "
        "on the way stays changed: so inactive nodes drift at no cost."
    )


def selection_words(search: CgpSearch) -> str:
    """A sentence on which offspring becomes the parent."""
    several = (
        f"A generation makes {search.offspring} offspring of the parent. " if search.offspring > 1 else ""
    )
    if search.strict:
        return several + "Selection is strict: an offspring must have fewer mismatches to become the parent."
    if isinstance(search.selection, Ties):
        chance = f"{search.selection.probability:g}"
        return several + (
            "An offspring with fewer mismatches becomes the parent, and one with as many with "
            f"probability {chance}."
        )
    if not isinstance(search.selection, str):
        return (
            several + f"The selection {search.selection}, a function of its user's, chooses the next parent."
        )
    if search.law.ties == "coin":
        return several + "An offspring with fewer mismatches becomes the parent; a tie is decided at random."
    return (
        several
        + "An offspring with no more mismatches than its parent becomes the parent, so that the search "
        "moves on neutral ground while nothing improves."
    )


def recorded_words(recording: Recording, shown: Recording) -> str:
    """Which iterations were recorded, and how many of those are left out of the page."""
    triggers, last = recording.triggers, recording.frames[-1].offspring if recording.frames else 0
    iterations = sum(len(frame.made) for frame in shown.frames)
    words = []
    if triggers.first:
        words.append(f"all of the first {triggers.first:,}")
    if triggers.improvements:
        near = f" with up to {triggers.around} generations before and after each" if triggers.around else ""
        words.append(f"improvements{near}")
    if triggers.neutral > triggers.first:
        words.append(f"neutral moves of the active part in the first {triggers.neutral:,}")
    if triggers.powers:
        words.append("powers of two")
    if triggers.every:
        words.append(f"every {triggers.every:,}th")
    text = f"Shown are {iterations:,} of {last:,} iterations; recorded were {', '.join(words) or 'none'}."
    if recording.full is not None:
        text += f" From iteration {recording.full:,} on only improvements and powers of two were recorded."
    if iterations == last and recording.finished:
        text = "Every iteration of the run is shown."
    left_out = len(recording.frames) - len(shown.frames)
    if left_out:
        recorded = f"{left_out:,} of {len(recording.frames):,} recorded generations"
        text += f" To keep this page small, {recorded} are left out."
    uncounted = recording.run.search.law.uncounted
    if uncounted:
        text += f" Here all iterations are numbered; the profile reports {uncounted} fewer."
    return text


def mismatches(fitness: int) -> str:
    """A fitness in words, such as "3 mismatches"."""
    return f"{fitness_text(fitness)} {'mismatch' if fitness == 1 else 'mismatches'}"


def with_fewer_frames(recording: Recording, is_small: Callable[[Recording], bool]) -> Recording:
    """The recording if it is small enough; else with every second of its frames, every fourth and so on.

    The last frame stays, and improvements stay as long as something else can be left out.

    >>> from gatewalk import search_for
    >>> from gatewalk.search.recording import record
    >>> recording = record(search_for("and:5"), seed=1)
    >>> len(with_fewer_frames(recording, lambda shorter: len(shorter.frames) <= 10).frames) <= 10
    True
    """
    shorter, stride, stays = recording, 1, True
    while not is_small(shorter):
        if stride >= len(recording.frames):
            if not stays:
                break
            stride, stays = 1, False
        stride *= 2
        last = len(recording.frames) - 1
        shorter = with_frames(
            recording,
            (
                index
                for index, frame in enumerate(recording.frames)
                if index % stride == 0 or index == last or (stays and is_improvement(frame))
            ),
        )
    return shorter


def is_improvement(frame: Frame) -> bool:
    """Whether the parent became fitter in this frame."""
    return frame.fitness < frame.before


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

    If it would be larger than `most_bytes`, frames are left out, and the page says how many.

    >>> from gatewalk import search_for
    >>> from gatewalk.search.recording import record
    >>> page = replay_page(record(search_for("and:3", nodes=4), seed=1))
    >>> page.startswith("<!doctype html>")
    True
    """
    search = search_of(recording)
    values = {
        "title": escape(title(recording)),
        "about": escape(about(recording)),
        "mutation": escape(mutation_words(search)),
        "selection": escape(selection_words(search)),
        "version": escape(__version__),
        "style": style(),
        "script": "\n".join(["'use strict';", *(asset(name) for name in _SCRIPTS)]),
    }
    room = most_bytes - len(filled("replay.html", values | {"run": "", "recorded": ""}).encode()) - 2000
    shown = with_fewer_frames(recording, lambda shorter: len(as_json(_run_values(shorter))) <= room)
    values["recorded"] = escape(recorded_words(recording, shown))
    values["run"] = as_json(_run_values(shown))
    return filled("replay.html", values)


def style() -> str:
    """The style sheet with the colours of pictures; printed pages use the light ones."""
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{_colours('dark')}}}}}"
    font = f"--font:system-ui,{FONT}"
    return f":root{{{_colours('light')};{font}}}\n{dark}\n{asset('replay.css')}"


def _colours(theme: Any) -> str:
    looks = {name: LOOKS[theme, faded][role] for name, (role, faded, _) in _VARIABLES.items()}
    return ";".join(f"--{name}:{getattr(looks[name], kind)}" for name, (*_, kind) in _VARIABLES.items())


def _run_values(recording: Recording) -> dict[str, Any]:
    search = search_of(recording)
    shape = search.shape
    values = {recording.start_fitness}
    for frame in recording.frames:
        values |= {frame.before, *(offspring.fitness for offspring in frame.made)}
    fitness = sorted(values)
    index_of = {value: index for index, value in enumerate(fitness)}
    return {
        "inputs": shape.inputs,
        "outputs": shape.outputs,
        "nodes": shape.nodes,
        "block": shape.block,
        "inputLabels": list(recording.run.circuit.input_labels),
        "outputLabels": list(recording.run.circuit.output_labels),
        "gates": [_gate(gate) for gate in shape.gates.gates],
        "mutation": search.mutation.name,
        "strict": search.strict,
        "isRandom": search.start is None,
        "fitness": [[fitness_text(value), round(log2(1 + value), 4)] for value in fitness],
        "start": recording.start.tolist(),
        "startFitness": index_of[recording.start_fitness],
        "frames": [_frame(frame, index_of) for frame in recording.frames],
    }


def _frame(frame: Frame, index_of: dict[int, int]) -> list[Any]:
    """A frame as `replay_run.js` reads it."""
    values: list[Any] = [frame.offspring, 0 if frame.chosen is None else frame.chosen + 1]
    values += [_flat(frame.jump), index_of[frame.before]]
    for offspring in frame.made:
        values += [index_of[offspring.fitness], _flat(offspring.picks)]
    return values


def _flat(picks: Iterable[tuple[int, int]]) -> list[int]:
    return [number for pick in picks for number in pick]


def _gate(gate: Gate) -> dict[str, Any]:
    """A gate as the page draws it.

    middle: where its node's number stands.
    pins: where edges end.
    """
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


SUFFIXES = (".html", ".svg", ".gif")


@shows_words
def watch(
    target: object,
    path: str | Path,
    *,
    seed: int = 0,
    run: int = 0,
    triggers: Triggers | None = None,
    **words: Unpack[Words],
) -> Run:
    """Search for a circuit as `evolve` does, and write the run to a file that plays it.

    path: a page (`.html`), or a short animation (`.svg`, or `.gif` with the extra `plot`).
    triggers: which iterations are recorded. Of a short run, all are.

    >>> from gatewalk.report import watch
    >>> watch("and:6", "run.html", nodes=12, seed=1)  # doctest: +SKIP
    Run(and:6, cgp, solved, iterations=35, gates=6, seed=1, run=0)
    """
    check_watch_file(path)
    recording = record(search_for(target, **words), seed=seed, run=run, triggers=triggers)
    write_replay(recording, path)
    return recording.run


def check_watch_file(path: str | Path) -> None:
    """Refuse a file whose suffix is unknown, or needs an extra that is not installed."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        wrong = f"a replay cannot have the suffix {shown(suffix)}" if suffix else "the name has no suffix"
        raise InputError(f"{shown(str(path))} cannot show a run: {wrong}; use one of {' '.join(SUFFIXES)}")
    if suffix == ".gif":
        need("matplotlib", "drawing an animation as GIF")


def write_replay(
    recording: Recording, path: str | Path, *, on_progress: OnProgress = lambda share, words: None
) -> None:
    """Write a recorded run in the format of the file's suffix: .html, .svg or .gif.

    >>> from gatewalk import search_for
    >>> from gatewalk.search.recording import record
    >>> write_replay(record(search_for("and:3", nodes=4), seed=1), "run.html")
    """
    check_watch_file(path)
    contents = _contents(recording, Path(path).suffix.lower(), on_progress)
    with complete_file(Path(path)) as part:
        part.write_bytes(contents)


def _contents(recording: Recording, suffix: str, on_progress: OnProgress) -> bytes:
    if suffix == ".html":
        return replay_page(recording).encode()
    from gatewalk.report.animation import animation_gif, animation_svg

    if suffix == ".svg":
        return animation_svg(recording).encode()
    return animation_gif(recording, on_progress=on_progress)
