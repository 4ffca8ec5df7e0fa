"""`gatewalk evolve --watch FILE`: one run, recorded with progress and written as a page or an animation."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from gatewalk.bigint import short, to_json
from gatewalk.cli.interrupts import keep
from gatewalk.cli.options import check_place
from gatewalk.errors import InputError, printable

if TYPE_CHECKING:
    from gatewalk.search.recording import Recording
    from gatewalk.search.run import Run
    from gatewalk.search.runs import Runs
    from gatewalk.search.settings import Settings


def check_watch(path: str, settings: Settings, runs: int) -> None:
    """Refuse, before any run, settings that cannot be watched and a file that cannot be written."""
    from gatewalk.report.watch import check_watch_file
    from gatewalk.search.recorder import check_recordable

    if runs != 1:
        raise InputError(f"--watch follows one run: leave out --runs {runs}")
    check_watch_file(path)
    check_place(Path(path))
    check_recordable(settings)


def watch_run(settings: Settings, seed: int, path: str, as_json: bool) -> tuple[Runs | None, list[Run]]:
    """Make the run and write the recording to the file.

    Returns the finished run or, after Ctrl-C, None and the run as far as it went.
    """
    from gatewalk.search.runs import runs_of

    recording = _recorded(settings, seed)
    if recording.finished and as_json:
        click.echo(to_json(recording.run.record()))
    _write(recording, path)
    click.echo(f"the run is in {printable(path)}", err=as_json or not sys.stdout.isatty())
    return (runs_of([recording.run]), []) if recording.finished else (None, [recording.run])


def _recorded(settings: Settings, seed: int) -> Recording:
    from gatewalk.cli.background import in_background
    from gatewalk.cli.progress import announce_compilation, progress
    from gatewalk.search.recorder import advance_recording, begin_recording, recording_of

    announce_compilation()
    recorder = begin_recording(settings, seed=seed)
    keep()
    stop, stopped = Event(), Event()

    def work() -> None:
        try:
            while not recorder.finished and not stop.is_set():
                advance_recording(recorder)
        finally:
            stopped.set()

    with progress("evolve", settings.budget) as show:

        def beat() -> None:
            session = recorder.session
            words = f"{session.iterations:,} iterations, fitness {short(session.walk.fitness)}"
            show(session.iterations, f"{words}, {len(recorder.frames):,} recorded")

        try:
            in_background(work, beat=beat)
        except KeyboardInterrupt:
            stop.set()
            while (
                not stopped.is_set()
            ):  # Ctrl-C takes effect at the end of a slice, however often it is pressed
                with suppress(KeyboardInterrupt):
                    stopped.wait()
    return recording_of(recorder)


def _write(recording: Recording, path: str) -> None:
    from gatewalk.cli.progress import progress
    from gatewalk.report.watch import write_replay

    with progress("drawing", 1.0) as show:
        write_replay(recording, path, tell=lambda share: show(share, "of the animation"))
