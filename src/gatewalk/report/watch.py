"""Watching a run: search, record, and write the recording as a page or an animation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.search.recorder import record
from gatewalk.search.recording import Recording
from gatewalk.search.run import Run
from gatewalk.search.settings import settings
from gatewalk.search.triggers import Triggers

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
        raise InputError(f"{shown(str(path))} cannot play a run: {wrong}, use one of {' '.join(SUFFIXES)}")
    if suffix == ".gif":
        need("matplotlib", "drawing an animation as GIF")


def write_replay(recording: Recording, path: str | Path, *, tell: Tell | None = None) -> None:
    """Write a recorded run in the format of the file's suffix: .html, .svg or .gif.

    Parameters
    ----------
    recording
        From `gatewalk.search.recorder.record`.
    path
        The file.
    tell
        Called with the share of a GIF that is drawn, from 0 to 1.

    Examples
    --------
    >>> from gatewalk.search.recorder import record
    >>> from gatewalk.search.settings import settings
    >>> write_replay(record(settings("and:3", nodes=4), seed=1), "run.html")
    """
    check_watch_file(path)
    contents = _contents(recording, Path(path).suffix.lower(), tell)
    try:
        Path(path).write_bytes(contents)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _contents(recording: Recording, suffix: str, tell: Tell | None) -> bytes:
    if suffix == ".html":
        from gatewalk.report.replay import replay_page

        return replay_page(recording).encode()
    from gatewalk.report.animation import animation_gif, animation_svg

    return animation_svg(recording).encode() if suffix == ".svg" else animation_gif(recording, tell=tell)
