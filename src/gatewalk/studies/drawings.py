"""The figures of a study, drawn and written: by two processes where there are several.

Matplotlib draws in Python, so a second thread would not help. A copy of this process (`fork`) has all data
already: it draws every other figure into its files and ends. What it could not draw is drawn here, where
errors are told; so is everything if the copy hangs, as one of a process with threads may.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gatewalk.analysis.style import save_all, styled
from gatewalk.report.page import Picture
from gatewalk.search.scheduler import threads
from gatewalk.studies.findings import Drawing
from gatewalk.studies.folder import blamed_on

_FEWEST = 4  # figures for which a second process pays
_PATIENCE = 30.0  # seconds that the copy may take longer than this process


def pictures(drawings: Sequence[Drawing], out: Path, *, study: Path, jobs: int | None) -> dict[str, Picture]:
    """Draw the figures into a folder; returns them by name, for a page.

    study: the folder of the study, which is named if its code cannot draw a figure.
    jobs: with 1 there is no second process.
    """
    is_shared = len(drawings) >= _FEWEST and threads(jobs) > 1 and sys.platform == "linux"
    theirs = drawings[1::2] if is_shared else ()
    with _drawn_elsewhere(theirs, out) as ended_well:
        svgs = {drawing.name: _drawn(drawing, out, study) for drawing in drawings if drawing not in theirs}
        is_there = ended_well()
    for drawing in theirs:
        file = out / f"{drawing.name}.svg"
        svgs[drawing.name] = file.read_bytes() if is_there else _drawn(drawing, out, study)
    return {drawing.name: Picture(drawing.name, svgs[drawing.name], drawing.caption) for drawing in drawings}


@contextmanager
def _drawn_elsewhere(drawings: Sequence[Drawing], out: Path) -> Iterator[Callable[[], bool]]:
    """Draw in a copy of this process; gives a function that waits for its end and says if all was drawn."""
    if not drawings:
        yield lambda: True
        return
    helper = multiprocessing.get_context("fork").Process(target=_draw, args=(drawings, out), daemon=True)

    def ended_well() -> bool:
        helper.join(_PATIENCE)
        return helper.exitcode == 0

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of threads
        helper.start()
    try:
        yield ended_well
    finally:
        helper.kill()


def _draw(drawings: Sequence[Drawing], out: Path) -> None:
    """Draw in the copy and end it, without what else a process does at its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process answers Ctrl-C, and ends this one
    try:
        for drawing in drawings:
            with styled():
                save_all(drawing.draw(), out, drawing.name)
    except BaseException:  # the first process draws again and tells what is wrong
        os._exit(1)
    os._exit(0)


def _drawn(drawing: Drawing, out: Path, study: Path) -> bytes:
    with blamed_on(study), styled():
        return save_all(drawing.draw(), out, drawing.name)
