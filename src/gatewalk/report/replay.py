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
from typing import Any

from gatewalk.boolean.gates import Gate
from gatewalk.campaign.export import complete_file
from gatewalk.cgp.drawing import SIGNS
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.drawing.gate_shapes import GATE_WIDTH, gate_marks, input_depth
from gatewalk.circuit.drawing.layout import pin_offsets
from gatewalk.circuit.drawing.picture import Disc, Mark, Shape
from gatewalk.circuit.drawing.svg import FONT, path_text
from gatewalk.circuit.drawing.themes import LOOKS
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.numbers import counted, fitness_text
from gatewalk.report.page import as_json, asset, filled
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.recording import Frame, Recording, Triggers, record, with_frames
from gatewalk.search.runs import Run, what_was_run
from gatewalk.search.settings import Settings, settings
from gatewalk.version import __version__


def title(recording: Recording) -> str:
    """The title: the target and the algorithm."""
    settings = recording.run.settings
    return f"{settings.label}: a run of the (1+{settings.offspring}) CGP"


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


def mutation_words(settings: Settings) -> str:
    """A sentence on how offspring are made."""
    name, _, strength = (settings.mutation or "sam").partition(":")
    if name == "point":
        return f"Point mutation picks {strength} genes at random and gives each a new value."
    if name == "rate":
        return f"Every gene gets a new value with probability {strength}; those that do are the picks."
    ends = "picked" if isinstance(settings.law, CgpLaw) and settings.law.sam_ends == "picked" else "changed"
    return (
        "Single active-gene mutation (SAM) picks genes at random, one by one, and gives each a new value, "
        f"until it has {ends} a gene of a node that is active in the parent. What it changed on the way "
        "stays changed: so inactive nodes drift at no cost."
    )


def selection_words(settings: Settings) -> str:
    """A sentence on which offspring becomes the parent."""
    several = (
        f"A generation makes {settings.offspring} offspring of the parent. " if settings.offspring > 1 else ""
    )
    if settings.strict:
        return several + "Selection is strict: an offspring must have fewer mismatches to become the parent."
    if isinstance(settings.law, CgpLaw) and settings.law.ties == "coin":
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
    uncounted = recording.run.settings.law.uncounted
    if uncounted:
        text += f" Here all iterations are numbered; the profile reports {uncounted} fewer."
    return text


def mismatches(fitness: int) -> str:
    """A fitness in words, such as "3 mismatches"."""
    return f"{fitness_text(fitness)} {'mismatch' if fitness == 1 else 'mismatches'}"


def with_fewer_frames(recording: Recording, is_small: Callable[[Recording], bool]) -> Recording:
    """The recording if it is small enough; else with every second of its frames, every fourth and so on.

    The last frame stays, and improvements stay as long as something else can be left out.

    Examples
    --------
    >>> from gatewalk.search.recording import record
    >>> from gatewalk.search.settings import settings
    >>> recording = record(settings("and:5"), seed=1)
    >>> len(with_fewer_frames(recording, lambda one: len(one.frames) <= 10).frames) <= 10
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
                place
                for place, frame in enumerate(recording.frames)
                if place % stride == 0 or place == last or (stays and is_improvement(frame))
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

    Parameters
    ----------
    recording
        From `gatewalk.search.recording.record`.
    most_bytes
        If the page would be larger, frames are left out, and the page says how many.

    Returns
    -------
    str
        The text of the file.

    Examples
    --------
    >>> from gatewalk.search.recording import record
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
        "script": "\n".join(["'use strict';", *(asset(name) for name in _SCRIPTS)]),
    }
    frame_room = most_bytes - len(filled("replay.html", values | {"run": "", "recorded": ""}).encode()) - 2000
    shown = with_fewer_frames(recording, lambda one: len(as_json(_run_values(one))) <= frame_room)
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
    settings = recording.run.settings
    shape = shape_of(settings)
    values = {recording.start_fitness}
    for frame in recording.frames:
        values |= {frame.before, *(one.fitness for one in frame.made)}
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
        "mutation": (settings.mutation or "sam").partition(":")[0],
        "strict": settings.strict,
        "isRandom": settings.start == "random",
        "fitness": [[fitness_text(value), round(log2(1 + value), 4)] for value in fitness],
        "start": recording.start.tolist(),
        "startFitness": index_of[recording.start_fitness],
        "frames": [_frame(frame, index_of) for frame in recording.frames],
    }


def _frame(frame: Frame, index_of: dict[int, int]) -> list[Any]:
    """A frame as `replay_run.js` reads it."""
    values: list[Any] = [frame.offspring, 0 if frame.chosen is None else frame.chosen + 1]
    values += [_flat(frame.jump), index_of[frame.before]]
    for one in frame.made:
        values += [index_of[one.fitness], _flat(one.picks)]
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


SUFFIXES = (".html", ".svg", ".gif")
Tell = Callable[[float], None]  # is given the share of the work that is done


def watch(
    target: Any,
    path: str | Path,
    *,
    seed: int = 0,
    run: int = 0,
    triggers: Triggers | None = None,
    **options: Any,
) -> Run:
    """Search for a circuit as `evolve` does, and write the run to a file that plays it.

    Parameters
    ----------
    target
        What to search for, as for `evolve`.
    path
        A page (`.html`), or a short animation (`.svg`, or `.gif` with the extra `plot`).
    seed, run
        The seed and the number of the run, as for `evolve`.
    triggers
        Which iterations are recorded. Of a short run, all are.
    options
        Options of `settings`, such as nodes.

    Returns
    -------
    Run
        The same run that `evolve` would give.

    Examples
    --------
    >>> from gatewalk.report import watch
    >>> watch("and:6", "run.html", nodes=12, seed=1)  # doctest: +SKIP
    Run(and:6, cgp, solved, iterations=35, gates=6, seed=1, run=0)
    """
    check_watch_file(path)
    recording = record(settings(target, **options), seed=seed, run=run, triggers=triggers)
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


def write_replay(recording: Recording, path: str | Path, *, tell: Tell | None = None) -> None:
    """Write a recorded run in the format of the file's suffix: .html, .svg or .gif.

    Parameters
    ----------
    recording
        From `gatewalk.search.recording.record`.
    path
        The file.
    tell
        Called with the share of a GIF that is drawn, from 0 to 1.

    Examples
    --------
    >>> from gatewalk.search.recording import record
    >>> from gatewalk.search.settings import settings
    >>> write_replay(record(settings("and:3", nodes=4), seed=1), "run.html")
    """
    check_watch_file(path)
    contents = _contents(recording, Path(path).suffix.lower(), tell)
    with complete_file(Path(path)) as part:
        part.write_bytes(contents)


def _contents(recording: Recording, suffix: str, tell: Tell | None) -> bytes:
    if suffix == ".html":
        return replay_page(recording).encode()
    from gatewalk.report.animation import animation_gif, animation_svg

    return animation_svg(recording).encode() if suffix == ".svg" else animation_gif(recording, tell=tell)
