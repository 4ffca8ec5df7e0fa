"""The request to run a study, and the report that results."""

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

    Attributes
    ----------
    study
        What `read_study` returned.
    out
        The folder for the page and everything else; runs that are there already are not run again.
    quick
        Whether to do only a quick run, which takes seconds.
    jobs
        Threads; None for one per processor.
    seed
        Another seed; None for that of the study.
    watch, say
        Called with the progress of runs, and with every other step in words.
    command
        The command line that does the same again, for the page.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gatewalk.studies import find, read_study
    >>> Request(study=read_study(find("nodes")), out=Path("results")).quick
    False
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
    """The result of running a study.

    Attributes
    ----------
    page
        The file of the page.
    summary
        The main results in a few lines.
    record
        The result as data: what `--json` prints.
    picture
        The SVG of its main figure.

    Examples
    --------
    >>> from pathlib import Path
    >>> Report(page=Path("index.html"), summary=("Confirmed.",)).summary
    ('Confirmed.',)
    """

    page: Path
    summary: tuple[str, ...]
    record: dict[str, Any] = field(default_factory=dict)
    picture: Path | None = None


Run = Callable[[Request], Report]
