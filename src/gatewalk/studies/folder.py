"""Reading a study from its folder: `spec.toml` and, if present, `published.csv`, `runs.csv` and `README.md`.

Everything is checked when it is read; `study.py`, which is executed, is left to `hooks.py`.

`spec.toml` is a campaign with a table `[study]` that holds the question; a table `[quick]` whose keys replace
those of the campaign in a quick run of a few seconds; and, if there are published runs, `[published]` with
their source.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gatewalk.campaign.plan import Cell, plan
from gatewalk.campaign.spec import (
    AXES,
    STUDY_TABLES,
    TOML_NAMES,
    Campaign,
    document_of,
    from_document,
    line_of,
    read_text,
)
from gatewalk.errors import MOST, InputError, shown
from gatewalk.studies.published import Published, check_matched, read_published

SPEC, PUBLISHED, STORED, NOTES, CODE = "spec.toml", "published.csv", "runs.csv", "README.md", "study.py"
TIMES = ("iterations", "evaluations")
AXES_OF_FIGURES = ("n", *(toml for name, toml in TOML_NAMES.items() if int in AXES[name].types))
QUICK_RUNS, QUICK_BUDGET = 5, 10_000  # of a quick run of a study without [quick]
MOST_MINUTES = 100_000
MOST_WORDS = 20_000  # characters in a text of [study]
_TEXTS = ("title", "question", "answer")
_KEYS = (*_TEXTS, "citations", "minutes", "x", "time")


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study as its folder describes it.

    Attributes
    ----------
    name, folder
        The folder, and its name.
    title, question, answer
        Its title, its question, and the answer in a sentence, which may be empty.
    citations
        The papers it is about.
    minutes
        How long it takes on two cores; None if the folder does not say.
    x
        The setting on the horizontal axis of its figures.
    time
        The unit of its running times: "iterations" or "evaluations".
    campaign, quick
        Its runs, in full and in a quick run; None if its own code does everything.
    published
        Published results to compare with.
    notes
        The text of its README.md.

    Examples
    --------
    >>> from gatewalk.studies import find
    >>> read_study(find("nodes")).x
    'nodes'
    """

    name: str
    folder: Path
    title: str
    question: str
    answer: str = ""
    citations: tuple[str, ...] = ()
    minutes: float | None = None
    x: str = "n"
    time: str = "iterations"
    campaign: Campaign | None = None
    quick: Campaign | None = None
    published: Published | None = None
    notes: str = ""


def read_study(folder: Path) -> Study:
    """Read the study in a folder.

    Parameters
    ----------
    folder
        The folder, with a `spec.toml` in it.

    Returns
    -------
    Study
        Checked.

    Raises
    ------
    InputError
        If a file is wrong; the message names the file and, where possible, the line.

    Examples
    --------
    >>> from gatewalk.studies import find
    >>> read_study(find("nodes")).title
    'How many nodes are best?'
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; a study is a folder with a {SPEC}")
    spec = folder / SPEC
    if not spec.is_file():
        raise InputError(f"{folder}: there is no {SPEC} in it; a study needs one with a table [study]")
    text = read_text(spec)
    source = str(spec)
    document = document_of(text, source)
    header, quick, published = (document.pop(name, None) for name in STUDY_TABLES)
    place = _Places(text, source)
    study = Study(name=folder.resolve().name, folder=folder, **_header(header, place))
    if "grid" in document or "target" in document:
        study = replace(
            study,
            campaign=from_document(document, place.of, text=text, source=source),
            quick=_quick(document, quick, place),
        )
    elif quick is not None:
        raise InputError(f"{place.of('quick')}[quick] changes a campaign, but there is none; add a [grid]")
    study = replace(study, published=_published(folder, published, place), notes=_notes(folder))
    cells = cells_of(study)
    cells_of(study, quick=True)
    if study.published is not None:
        check_matched(study.published, cells, str(folder / PUBLISHED))
    return study


def cells_of(study: Study, *, quick: bool = False, seed: int | None = None) -> tuple[Cell, ...]:
    """The cells of the campaign, or of a quick run; none if the study has no campaign."""
    chosen = campaign_of(study, quick=quick, seed=seed)
    if chosen is None:
        return ()
    try:
        return plan(chosen)
    except InputError as error:
        raise InputError(f"{study.folder / SPEC}, in [quick]: {error}" if quick else str(error)) from None


def campaign_of(study: Study, *, quick: bool = False, seed: int | None = None) -> Campaign | None:
    """The campaign to run, under another seed if one is given."""
    chosen = study.quick if quick else study.campaign
    return chosen if chosen is None or seed is None else replace(chosen, seed=seed)


@dataclass(frozen=True)
class _Places:
    """Makes the beginnings of error messages: the file and, if known, the line."""

    text: str
    source: str

    def of(self, *path: str | int) -> str:
        line = line_of(self.text, path)
        return f"{self.source}:{line}: " if line else f"{self.source}: "


def _header(table: Any, place: _Places) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InputError(
            f"{place.source}: no table [study]; write [study], and a title and a question below it"
        )
    _check_keys(table, _KEYS, "study", place)
    found: dict[str, Any] = {}
    for name in _TEXTS:
        if name in table:
            found[name] = _text(table[name], place.of("study", name) + name)
        elif name != "answer":
            raise InputError(f'{place.of("study")}[study] has no {name}; add {name} = "..."')
    citations = table.get("citations", [])
    if not isinstance(citations, list):
        raise InputError(f"{place.of('study', 'citations')}citations must be a list of texts in quotes")
    found["citations"] = tuple(_text(one, place.of("study", "citations") + "citations") for one in citations)
    if "minutes" in table:
        minutes = table["minutes"]
        if (
            isinstance(minutes, bool)
            or not isinstance(minutes, (int, float))
            or not 0 < minutes <= MOST_MINUTES
        ):
            raise InputError(
                f"{place.of('study', 'minutes')}minutes = {shown(minutes)}: must be a number above 0, "
                f"at most {MOST_MINUTES:,}"
            )
        found["minutes"] = float(minutes)
    for name, allowed in (("x", AXES_OF_FIGURES), ("time", TIMES)):
        if name in table:
            if table[name] not in allowed:
                where = place.of("study", name)
                raise InputError(f"{where}{name} = {shown(table[name])}: must be one of {', '.join(allowed)}")
            found[name] = table[name]
    return found


def _check_keys(table: Mapping[str, Any], allowed: tuple[str, ...], name: str, place: _Places) -> None:
    for key in table:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(
                f"{place.of(name, key)}unknown key {shown(key)} in [{name}]; {hint}"
                f"allowed: {', '.join(allowed)}"
            )


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where} = {shown(value)}: must be text in quotes")
    if len(value) > MOST_WORDS:
        raise InputError(f"{where}: more than {MOST_WORDS:,} characters")
    return " ".join(value.split())


def _quick(document: Mapping[str, Any], table: Any, place: _Places) -> Campaign:
    """The campaign of a quick run: keys of [quick] replace others; by default, few runs, small budgets."""
    if table is None:
        return _shortened(from_document(document, place.of, source=place.source))
    if not isinstance(table, dict):
        raise InputError(
            f"{place.of('quick')}quick must be a table; write [quick], and keys of the campaign below it"
        )
    if "seed" in table:
        raise InputError(
            f"{place.of('quick', 'seed')}seed: not allowed in [quick], which uses the study's seed"
        )

    def where(*path: str | int) -> str:
        return place.of(*(("quick", *path) if path and path[0] in table else path))

    return from_document({**document, **table}, where, source=place.source)


def _shortened(campaign: Campaign) -> Campaign:
    grids = []
    for one in campaign.grids:
        budgets = one.values.get("budget", (MOST,))
        least = tuple(min(QUICK_BUDGET, budget) for budget in budgets if isinstance(budget, int))
        values = {**one.values, "budget": least or (QUICK_BUDGET,)}
        grids.append(replace(one, values=values, replications=min(QUICK_RUNS, one.replications)))
    return replace(campaign, grids=tuple(grids))


def _published(folder: Path, table: Any, place: _Places) -> Published | None:
    path = folder / PUBLISHED
    if table is None:
        if path.exists():
            raise InputError(f'{path}: no source given; add [published] with source = "..." to {SPEC}')
        return None
    if not isinstance(table, dict):
        raise InputError(
            f'{place.of("published")}published must be a table; write [published] with source = "..."'
        )
    _check_keys(table, ("source",), "published", place)
    if "source" not in table:
        raise InputError(f'{place.of("published")}[published] has no source; add source = "..."')
    return read_published(path, _text(table["source"], place.of("published", "source") + "source"))


def _notes(folder: Path) -> str:
    path = folder / NOTES
    if not path.exists():
        return ""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_WORDS * 10 + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not valid UTF-8") from None
    if len(text) > MOST_WORDS * 10:
        raise InputError(f"{path}: more than {MOST_WORDS * 10:,} characters; shorten the notes")
    return text
