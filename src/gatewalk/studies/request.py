"""What is asked of a study, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gatewalk.studies.folder import Study
from gatewalk.studies.measuring import Say, Watch


def _silent(words: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A study to be run.

    Parameters
    ----------
    study
        What `read_study` returned.
    out
        The folder for the page and everything else; runs that are there already are not run again.
    quick
        A taste in seconds.
    jobs
        Threads; None for one per processor.
    seed
        None for the study's own.
    watch, say
        Told about the progress of runs, and about every other step in words.
    command
        The command line that does the same again, for the page.
    """

    study: Study
    out: Path
    quick: bool = False
    jobs: int | None = None
    seed: int | None = None
    watch: Watch | None = None
    say: Say = _silent
    command: str = "gatewalk study run"


@dataclass(frozen=True)
class Report:
    """What came of it: the page, its summary in a few lines, a record for programs, its main figure's SVG."""

    page: Path
    summary: tuple[str, ...]
    record: dict[str, Any] = field(default_factory=dict)
    picture: Path | None = None


Run = Callable[[Request], Report]
