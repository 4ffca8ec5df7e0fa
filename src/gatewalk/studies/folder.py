"""A study's folder: where it is, what its `spec.toml` says, and its code.

An entry point of the group `gatewalk.studies` names a package; every subfolder of it with a `spec.toml` is an
installed study. Any other folder is named by its path. `spec.toml` is a campaign with a table `[study]` that
holds the question; a table `[quick]` whose keys replace those of the campaign in a quick run of seconds; and,
if there are published results, `[published]` with their source. All files are checked when they are read.

`study.py`, which may be absent, may define

observe(cell, *, jobs)    measures something else about a cell; returns a dictionary that JSON can hold, or
                          None. The result is kept in the output folder and not computed again
findings(measured)        returns `Findings`: claims, figures, tables, remarks and lines of summary
run(request)              replaces everything else; returns a `Report`
CHOICES                   for each name, the values from which one can choose
chosen(cell, choices)     whether a cell of the campaign is kept by these values
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from gatewalk.campaign.planning import Cell, plan
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
from gatewalk.circuit.files import check_regular
from gatewalk.errors import MOST, InputError, shown
from gatewalk.studies.published import Published, check_matched, read_published

SPEC, PUBLISHED, NOTES, CODE = "spec.toml", "published.csv", "README.md", "study.py"
ENTRY_POINTS = "gatewalk.studies"
MAIN_FUNCTIONS = ("observe", "findings", "run")
FUNCTIONS = (*MAIN_FUNCTIONS, "chosen")
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

    name, folder: the folder, and its name.
    title, question, answer: the answer, a sentence, may be empty.
    citations: the papers it is about.
    minutes: how long it takes on two cores; None if the folder does not say.
    x: the setting on the horizontal axis of its figures.
    time: the unit of its running times: "iterations" or "evaluations".
    campaign, quick: its runs, in full and in a quick run; None if its own code does everything.
    published: published results to compare with.
    notes: the text of its README.md.

    >>> read_study("nodes").x
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


def read_study(where: str | Path) -> Study:
    """Read a study: an installed one by its name, any other by its folder, which has a `spec.toml`.

    If a file is wrong, `InputError` names the file and, where possible, the line.

    >>> read_study("nodes").title
    'How many nodes are best?'
    """
    folder = find(where) if isinstance(where, str) else where
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; a study is a folder with a {SPEC}")
    spec = folder / SPEC
    if not spec.is_file():
        raise InputError(f"{folder}: there is no {SPEC} in it; a study needs one with a table [study]")
    text = read_text(spec)
    source = str(spec)
    place = _Places(text, source)
    document = document_of(text, source)
    header, quick, published = (document.pop(name, None) for name in STUDY_TABLES)
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
    campaign = campaign_of(study, quick=quick, seed=seed)
    if campaign is None:
        return ()
    try:
        return plan(campaign)
    except InputError as error:
        raise InputError(f"{study.folder / SPEC}, in [quick]: {error}" if quick else str(error)) from None


def campaign_of(
    study: Study, *, quick: bool = False, seed: int | None = None, replications: int | None = None
) -> Campaign | None:
    """The campaign to run, with another seed and another number of runs if they are given.

    A grid with a number of runs of its own keeps it if it is larger.
    """
    campaign = study.quick if quick else study.campaign
    if campaign is None:
        return None
    if replications is not None:
        text, source = read_text(study.folder / SPEC), str(study.folder / SPEC)
        place = _Places(text, source)
        document = document_of(text, source)
        tables = {name: document.pop(name, None) for name in STUDY_TABLES}
        if quick:
            campaign = _quick(document, tables["quick"], place, replications)
        else:
            document = _replicated(document, replications)
            campaign = from_document(document, place.of, text=text, source=source)
    return campaign if seed is None else replace(campaign, seed=seed)


def _replicated(document: Mapping[str, Any], replications: int) -> dict[str, Any]:
    """The campaign's document with another number of runs."""
    grids = document.get("grid", {})
    own = [
        {**grid, "replications": max(grid["replications"], replications)} if "replications" in grid else grid
        for grid in (grids if isinstance(grids, list) else [grids])
    ]
    return {**document, "replications": replications, "grid": own if isinstance(grids, list) else own[0]}


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
    header: dict[str, Any] = {}
    for name in _TEXTS:
        if name in table:
            header[name] = _text(table[name], place.of("study", name) + name)
        elif name != "answer":
            raise InputError(f'{place.of("study")}[study] has no {name}; add {name} = "..."')
    citations = table.get("citations", [])
    if not isinstance(citations, list):
        raise InputError(f"{place.of('study', 'citations')}citations must be a list of texts in quotes")
    header["citations"] = tuple(
        _text(citation, place.of("study", "citations") + "citations") for citation in citations
    )
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
        header["minutes"] = float(minutes)
    for name, allowed in (("x", AXES_OF_FIGURES), ("time", TIMES)):
        if name in table:
            if table[name] not in allowed:
                where = place.of("study", name)
                raise InputError(f"{where}{name} = {shown(table[name])}: must be one of {', '.join(allowed)}")
            header[name] = table[name]
    return header


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


def _quick(
    document: Mapping[str, Any], table: Any, place: _Places, replications: int | None = None
) -> Campaign:
    """The campaign of a quick run: keys of [quick] replace others; by default, few runs, small budgets."""
    if table is None:
        if replications is not None:
            document = _replicated(document, replications)
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

    document = {**document, **table}
    if replications is not None:
        document = _replicated(document, replications)
    return from_document(document, where, source=place.source)


def _shortened(campaign: Campaign) -> Campaign:
    grids = []
    for grid in campaign.grids:
        budgets = grid.values.get("budget", (MOST,))
        least = tuple(min(QUICK_BUDGET, budget) for budget in budgets if isinstance(budget, int))
        values = {**grid.values, "budget": least or (QUICK_BUDGET,)}
        grids.append(replace(grid, values=values, replications=min(QUICK_RUNS, grid.replications)))
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
        check_regular(path)
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_WORDS * 10 + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not valid UTF-8") from None
    if len(text) > MOST_WORDS * 10:
        raise InputError(f"{path}: more than {MOST_WORDS * 10:,} characters; shorten the notes")
    return text


def names() -> tuple[str, ...]:
    """The installed studies: those that come with Gatewalk and those of other packages, the paper first.

    >>> names()[0]
    'paper'
    """
    return tuple(sorted(_installed(), key=lambda name: (name != "paper", name)))


def find(name: str) -> Path:
    """The folder of a study: an installed one by its name, any other by its path, such as ./mine.

    >>> find("nodes").name
    'nodes'
    """
    installed = _installed()
    if name in installed:
        return installed[name][0]
    if os.sep in name or name.startswith(".") or Path(name).is_dir():
        return Path(name)
    near = difflib.get_close_matches(name.replace("-", "_"), installed, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise InputError(
        f"unknown study {shown(name)}; {hint}the studies are {', '.join(names())}; "
        "give your own folder by its path, e.g. ./mine"
    )


@cache
def _installed() -> Mapping[str, tuple[Path, str]]:
    """The folder and the package of every study, by its name: each folder with a spec in a package that an
    entry point of the group `gatewalk.studies` names.
    """
    studies: dict[str, tuple[Path, str]] = {}
    points = importlib.metadata.entry_points(group=ENTRY_POINTS)
    for point in sorted(points, key=lambda point: (point.name != "gatewalk", point.name)):
        package = importlib.util.find_spec(point.value)
        for home in (package and package.submodule_search_locations) or ():
            for spec in sorted(Path(home).glob(f"*/{SPEC}")):
                studies.setdefault(spec.parent.name, (spec.parent, f"{point.value}.{spec.parent.name}"))
    return studies


def package_of(folder: Path) -> str | None:
    """The package of an installed study; None for any other folder."""
    home, package = _installed().get(folder.resolve().name, (None, None))
    return package if home is not None and home.resolve() == folder.resolve() else None


Function = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Code:
    """What the Python of a study defines. text: all of it, empty without a `study.py`.

    choices: its `CHOICES`: for each name, the values from which one can choose.
    """

    observe: Function | None = None
    findings: Function | None = None
    run: Function | None = None
    chosen: Function | None = None
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: str = ""


def read_code(folder: Path) -> Code:
    """Import the study's Python, if it has any. This executes it: read only folders whose code you trust."""
    path = folder / CODE
    if not path.is_file():
        return Code()
    package = package_of(folder)
    with blamed_on(folder):
        module = importlib.import_module(f"{package}.study") if package else _imported(folder)
        text = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py")))
    functions = {name: getattr(module, name) for name in FUNCTIONS if hasattr(module, name)}
    if not functions.keys() & set(MAIN_FUNCTIONS):
        raise InputError(f"{path}: defines none of {', '.join(MAIN_FUNCTIONS)}; see the how-to on studies")
    for name, function in functions.items():
        if not callable(function):
            raise InputError(f"{path}: {name} is not a function")
    choices = getattr(module, "CHOICES", {})
    if bool(choices) != ("chosen" in functions):
        raise InputError(f"{path}: CHOICES and chosen(cell, choices) need each other; define both or neither")
    return Code(**functions, choices=choices, text=text)


def _imported(folder: Path) -> ModuleType:
    """The module `study` of a folder, imported as a package, so that `from .sizes import Size` works."""
    name = "gatewalk_study_" + re.sub(r"\W", "_", folder.resolve().name)
    for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[known]  # of another folder of that name, or of this one as it was before
    importlib.invalidate_caches()
    home = folder.resolve()
    start = home / "__init__.py"
    spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=[str(home)])
    if spec is None or spec.loader is None:
        raise InputError(f"{start}: cannot be imported")
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    quiet, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # do not write into the user's folder
    try:
        if start.is_file():
            spec.loader.exec_module(package)
        return importlib.import_module(f"{name}.study")
    finally:
        sys.dont_write_bytecode = quiet


@contextmanager
def blamed_on(folder: Path) -> Iterator[None]:
    """Turn any error in the code of a user's folder into a message that says where; a bug of an installed
    study stays one.
    """
    try:
        yield
    except InputError as error:
        raise InputError(f"{folder / CODE}: {error}") from error
    except Exception as error:
        if package_of(folder) or os.environ.get("GATEWALK_DEBUG") == "1":
            raise
        lines = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        if isinstance(error, SyntaxError):
            lines.append((error.filename or "", error.lineno))
        own = [(Path(file).name, line) for file, line in lines if Path(file).parent == folder.resolve()]
        where = f"{folder / own[-1][0]}:{own[-1][1]}" if own else str(folder / CODE)
        raise InputError(f"{where}: {type(error).__name__}: {error}") from error
