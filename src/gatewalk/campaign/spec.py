"""A campaign as data: grids of settings, each cell with many runs; from a TOML file or from Python.

A `Grid` holds a tuple of values for each setting; its cells are the product of these. A `Campaign` is one or
more grids with one seed. Only names and types are checked here, with the line of the file in every message;
values are checked by `plan`, which knows the other settings of each cell.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Required, TypeAlias, TypedDict, TypeVar, Unpack

from gatewalk.boolean.families import TargetFamily
from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import Complete, Sample
from gatewalk.cgp.cgp_search import Evaluation, Mutation, Profile, Selection, SelectionRule
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.files import check_regular
from gatewalk.circuit.own_targets import target as target_of
from gatewalk.errors import MOST, InputError, shown
from gatewalk.numbers import whole
from gatewalk.search.options import OPTIONS, Algorithm, gathered, identity_of
from gatewalk.search.reading import check_options

Scalar = str | int | float | bool | None
T = TypeVar("T")
Many: TypeAlias = T | Sequence[T]


class ManyWords(TypedDict, total=False):
    """The words of `gatewalk.search_for`, each a value or a list of values; and the sizes of targets."""

    n: Many[int | str]
    options: Mapping[str, object]
    law: Mapping[str, object]  # the name of `options` in 0.2, for one version
    algorithm: Many[Algorithm]
    nodes: Many[int | str | None]
    selection: Many[Selection]
    profile: Many[Profile]
    training: Many[str | Complete | Sample]
    gates: Many[str | GateSet | None]
    mutation: Many[str | Mutation]
    offspring: Many[int | None]
    budget: Many[int | None]
    start: Many[str]
    evaluation: Many[Evaluation]


class GridWords(ManyWords, total=False):
    """The words of a grid."""

    target: Required[Many[str | Target | TargetFamily | Circuit | Callable[..., object]]]


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Values of settings that are crossed.

    values: the values of each setting as they are written, by the name of the setting. A setting that is
        missing has its default. A target without a size, such as "and", is crossed with the sizes in `n`.
    n: sizes for targets without one.
    law: values of single options of the profile.
    replications: the number of runs of every cell.

    >>> from gatewalk.campaign import grid
    >>> grid(target="and", n=[2, 3], nodes="2n").n
    (2, 3)
    """

    values: Mapping[str, tuple[Any, ...]]
    n: tuple[int, ...] = ()
    law: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    replications: int = 30


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """Grids of settings under one seed: what a campaign is to run.

    traces: whether best-so-far curves are kept.
    name: kept with the results.
    text, source: the file that it was read from, if any.

    >>> from gatewalk.campaign import Campaign, grid, plan
    >>> both = Campaign(grids=(grid(target="and:4"), grid(target="xor:3", replications=5)), seed=7)
    >>> [cell.replications for cell in plan(both)]
    [30, 5]
    """

    grids: tuple[Grid, ...]
    seed: int = 0
    traces: bool = False
    name: str = ""
    text: str = ""
    source: str = ""


AXES = {name: option for name, option in OPTIONS.items() if name != "law"}  # the law has its own table
TOML_NAMES = {name: option.flag or name for name, option in AXES.items()}
_NAMES = {toml: name for name, toml in TOML_NAMES.items()}  # from keys in TOML to names in Python
_OTHERS = ("n", "law", "replications")
# Settings that may be given in Python as the values that their texts stand for.
_VALUES: dict[str, Any] = {
    "gates": GateSet,
    "mutation": Mutation,
    "selection": SelectionRule,
    "training": (Complete, Sample),
}
STUDY_TABLES = ("study", "quick", "published")  # further tables of a study, whose file is also a campaign
MOST_REPLICATIONS = 10_000_000
MOST_VALUES = 10_000
MOST_CHARACTERS = 10_000_000
_RANGE = re.compile(r"([0-9]+)\.\.([0-9]+)")


def grid(*, replications: int = 30, **words: Unpack[GridWords]) -> Grid:
    """A grid for a `Campaign` of several, with so many runs in every cell.

    The words are those of `gatewalk.search_for`, each a value or a list of values; lists are crossed. `n`
    holds the sizes of targets without one.

    >>> grid(target=["and:4", "and:6"], nodes="2n", ties=["accept", "coin"]).law
    {'ties': ('accept', 'coin')}
    """
    return _grid({"replications": replications, **_as_in_files(words)}, "")


def campaign(
    *,
    seed: int = 0,
    traces: bool = False,
    name: str = "",
    replications: int = 30,
    **words: Unpack[GridWords],
) -> Campaign:
    """A campaign of one grid, for `plan` and `run`; the words are those of `grid`.

    traces: whether best-so-far curves are kept.
    name: kept with the results.

    >>> from gatewalk.campaign import plan
    >>> len(plan(campaign(target=["and:4"], selection=["strict", "nonstrict"], seed=7)))
    2
    """
    return Campaign(
        grids=(_grid({"replications": replications, **_as_in_files(words)}, ""),),
        seed=_count("seed", seed, "", least=0),
        traces=traces,
        name=name,
    )


def _as_in_files(words: Mapping[str, Any]) -> dict[str, Any]:
    """The words of Python as a file has them, where the options of the law have a table of their own."""
    written = dict(words)
    if "law" in written:
        warnings.warn("law is now called options, as in evolve", DeprecationWarning, stacklevel=3)
        written["options"] = written.pop("law")
    written = gathered(written, also=("n",))
    options = written.pop("options", None) or {}
    check_options(options)
    return {**written, "law": options}


def read(path: str | os.PathLike[str]) -> Campaign:
    """The campaign in a TOML file; mistakes in it are errors that name the line.

    >>> from pathlib import Path
    >>> _ = Path("and.toml").write_text('seed = 7\\n[grid]\\ntarget = "and:4"')
    >>> read("and.toml").seed
    7
    """
    return parse(read_text(path), os.fspath(path))


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a TOML file; raises `InputError` if it is too long for a campaign."""
    try:
        check_regular(path)
        with open(path, encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: cannot read the campaign: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{os.fspath(path)}: not valid UTF-8; a campaign is a TOML file") from None
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"{os.fspath(path)}: not a campaign: more than {MOST_CHARACTERS:,} characters")
    return text


def parse(text: str, source: str = "campaign") -> Campaign:
    """The campaign in a TOML text, which errors call `source`.

    Tables that belong to a study (`STUDY_TABLES`) are left to `gatewalk.studies`.

    >>> parse('seed = 7\\n[grid]\\ntarget = "and:4"').seed
    7
    """
    document = document_of(text, source)
    for name in STUDY_TABLES:
        document.pop(name, None)

    def where(*path: str | int) -> str:
        line = line_of(text, path)
        return f"{source}:{line}: " if line else f"{source}: "

    return from_document(document, where, text=text, source=source)


def document_of(text: str, source: str) -> dict[str, Any]:
    """The content of a TOML text, as a dictionary."""
    if has_long_key(text):
        raise InputError(f"{source}: a key of more than {MOST_PARTS} parts; a campaign has short ones")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not valid TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{source}: nested too deeply; a campaign has lists of single values only") from None
    except ValueError as error:  # from Python: a number of thousands of digits, or the 31st of February
        reason = str(error).partition(";")[0]  # the rest is advice for programmers
        raise InputError(f"{source}: a value cannot be read: {reason}") from None


def from_document(
    document: Mapping[str, Any], where: Callable[..., str], *, text: str = "", source: str = "campaign"
) -> Campaign:
    """The campaign that a TOML document describes; `where(*path)` begins messages about the key at a path."""
    document = dict(document)
    tables = document.pop("grid", {})
    law = document.pop("law", {})
    if not isinstance(law, dict):
        raise InputError(f"{where('law')}law must be a table; write [law], and its fields below it")
    if not isinstance(tables, (dict, list)) or not all(isinstance(t, dict) for t in _listed(tables)):
        raise InputError(f"{where('grid')}grid must be a table; write [grid], and lists of values below it")
    seed = _count("seed", document.pop("seed", 0), where("seed"), least=0)
    traces = document.pop("traces", False)
    if not isinstance(traces, bool):
        raise InputError(f"{where('traces')}traces = {shown(traces)}: must be true or false")
    name = document.pop("name", "")
    if not isinstance(name, str):
        raise InputError(f"{where('name')}name = {shown(name)}: must be text in quotes")
    for key in document:
        _known(key, where(key), top=True)
    for key, value in {**document, **law}.items():
        if isinstance(value, list):
            line, home = (where("law", key), "grid.law") if key in law else (where(key), "grid")
            raise InputError(f"{line}{key} is a list; lists belong under [{home}]")
    grids = []
    for index, table in enumerate(_listed(tables)):
        for key in table:
            _known(key, where("grid", index, key), top=False)
        extra = table.get("law", {})
        if not isinstance(extra, dict):
            raise InputError(f"{where('grid', index, 'law')}law must be a table; write [grid.law]")
        lines = {key: where(key) for key in document} | {key: where("grid", index, key) for key in table}
        merged = {_NAMES.get(k, k): v for k, v in {**document, **table}.items()}
        merged["law"] = {**law, **extra}
        lines = {_NAMES.get(k, k): v for k, v in lines.items()}
        if "target" not in merged:
            raise InputError(f'{source}: no target; add a line such as target = ["and:4"] under [grid]')
        grids.append(_grid(merged, source, lines))
    return Campaign(grids=tuple(grids), seed=seed, traces=traces, name=name, text=text, source=source)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _known(key: str, where: str, *, top: bool) -> None:
    allowed = sorted([*_NAMES, *_OTHERS, *(("seed", "name", "traces", "grid") if top else ())])
    if key not in allowed:
        near = difflib.get_close_matches(key, allowed, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f"{where}unknown key {key}; {hint}allowed: {', '.join(allowed)}")


def _grid(words: Mapping[str, object], source: str, lines: Mapping[str, str] | None = None) -> Grid:
    """A grid of these words. lines: for each word, how messages begin."""
    values: dict[str, tuple[Any, ...]] = {}
    others: dict[str, Any] = {}
    for key, value in words.items():
        where = (lines or {}).get(key, f"{source}: " if source else "")
        if key in AXES:
            values[key] = tuple(_typed(key, item, where) for item in _values(TOML_NAMES[key], value, where))
        elif key == "replications":
            others[key] = _count(key, value, where, least=1, most=MOST_REPLICATIONS)
        elif key == "n":
            others[key] = _sizes(value, where)
        elif key == "law" and isinstance(value, Mapping):
            others[key] = {name: _values(f"law.{name}", v, where) for name, v in value.items()}
        else:
            raise InputError(f"{where}unknown option {key}; allowed: {', '.join(sorted([*AXES, *_OTHERS]))}")
    if "target" not in values:
        raise InputError('a campaign needs a target, such as target="and:4"')
    return Grid(values=values, **others)


def _values(key: str, value: object, where: str) -> tuple[Any, ...]:
    """One value or several as a tuple; an empty list is refused, because it would make no cells."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        values = tuple(value)
    else:
        values = (value,)
    if not values:
        raise InputError(f"{where}{key} = []: an empty list makes no cells; remove the key or give a value")
    if any(isinstance(v, (list, tuple, Mapping)) for v in values):
        raise InputError(f"{where}{key}: must be a list of single values")
    return values


def _typed(name: str, item: object, where: str) -> Any:
    """A value of a setting as it is written, if its type is right; `search_for` checks the value itself."""
    types, toml = AXES[name].types, TOML_NAMES[name]
    if int in types and isinstance(item, int) and not isinstance(item, bool):
        return _count(toml, item, where, least=0)
    if name == "target" and not isinstance(item, str):
        if isinstance(item, TargetFamily):
            return item.name
        if isinstance(item, (Target, Circuit)) or callable(item):
            return target_of(item).name
    if str in types and isinstance(item, (str, _VALUES.get(name, str))):
        return identity_of(item)
    if item is None and AXES[name].default is None and name != "target":
        return None
    kinds: dict[tuple[type, ...], str] = {(int,): "a whole number, at least 0", (str,): "a text in quotes"}
    words = kinds.get(types, 'a number or an expression such as "2n" or "3n+1"')
    raise InputError(f"{where}{toml} = {shown(item)}: must be {words}")


def _sizes(value: object, where: str) -> tuple[int, ...]:
    """Sizes of targets: numbers, and ranges such as "2..15"."""
    sizes: list[int] = []
    for item in _values("n", value, where):
        if isinstance(item, str) and (match := _RANGE.fullmatch(item.replace(" ", ""))):
            first, last = whole(match[1]), whole(match[2])
            if last - first >= MOST_VALUES:
                raise InputError(f"{where}n = {shown(item)}: a range has at most {MOST_VALUES:,} values")
            sizes += range(first, last + 1)
        else:
            sizes.append(_count("n", item, where, least=1))
    if not sizes:
        raise InputError(f"{where}n: the range is empty")
    return tuple(sizes)


def _count(key: str, value: object, where: str, *, least: int, most: int = MOST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        ranged = ', or a range such as "2..15"' if key == "n" else ""
        raise InputError(f"{where}{key} = {shown(value)}: must be a whole number, at least {least}{ranged}")
    if value > most:
        raise InputError(f"{where}{key} = {shown(value)}: must be at most {most:,}")
    return value


MOST_PARTS = 32
_NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_KEY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_LONG_STRING = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'', re.DOTALL)
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![\w\"'\\-])(?:{_PART}){{{MOST_PARTS}}}")
Path = tuple[str | int, ...]


def has_long_key(text: str) -> bool:
    """Whether a key has more dotted parts than campaigns need; tomllib's memory grows with their square."""
    return _LONG_KEY.search(text) is not None


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of a key such as ("grid", "nodes"), or of the table in which it is not.

    A number in the path counts repeated [[tables]].
    """
    lines = key_lines(text)
    for end in range(len(path), 0, -1):
        for candidate in (tuple(path[:end]), tuple(part for part in path[:end] if isinstance(part, str))):
            if candidate in lines:
                return lines[candidate]
    return None


@lru_cache(maxsize=1)  # the same text is searched for many keys
def key_lines(text: str) -> Mapping[Path, int]:
    """The first line of every key and table header of a valid TOML text; tomllib does not keep them."""
    lines: dict[Path, int] = {}
    repeats: dict[Path, int] = {}
    table: Path = ()
    plain = _LONG_STRING.sub(lambda string: "\n" * string[0].count("\n"), text)
    for number, line in enumerate(plain.split("\n"), 1):
        if header := _HEADER.match(line):
            name = _parts(header[2])
            if header[1] == "[[":
                repeats[name] = repeats.get(name, -1) + 1
                table = (*name, repeats[name])
            else:
                table = (name[0], repeats[name[:1]], *name[1:]) if name[:1] in repeats else name
            lines.setdefault(table, number)
            lines.setdefault(name, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *_parts(key[1])), number)
    return lines


def _parts(name: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in name.split("."))
