"""Options that several commands share, and the types that check what is given for an option.

A setting of the search has one description, in the table `gatewalk.search.options.OPTIONS`; its flag is made
from that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from gatewalk.cli.terminal import reading, warn
from gatewalk.errors import InputError, printable, shown, whole_number
from gatewalk.search.options import OPTIONS, Option, Search, search_for
from gatewalk.tgp.tgp_search import TgpSearch

MOST_RUNS = 1_000_000_000
MOST_ZEROS = 30
F = TypeVar("F", bound=Callable[..., Any])


class Checked(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """A type that turns a word into a value; what it refuses is named by the option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value; raises `InputError` if the word cannot be one."""
        assert param is not None
        flag = param.opts[0] if isinstance(param, click.Option) else str(param.metavar)
        return self.checked(flag, value)

    def checked(self, flag: str, value: Any) -> Any:
        """The value of a word that was given for `flag`, which messages name."""
        raise NotImplementedError


class Whole(Checked):
    """A whole number within limits, also as 1e6 or 1_000_000."""

    name = "integer"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least, self.most = least, most

    def checked(self, flag: str, value: Any) -> int:
        """The number."""
        number = self._number(flag, value)
        if self.least is not None:
            limit = {} if self.most is None else {"most": self.most}
            whole_number(flag, number, least=self.least, **limit)
        return number

    def _number(self, flag: str, value: Any) -> int:
        text = str(value).replace("_", "")
        power = _POWER.fullmatch(text)
        if power is not None and int(power[3]) <= MOST_ZEROS and len(power[2] or "") <= int(power[3]):
            digits: str = power[1] + (power[2] or "")
            return int(digits + "0" * (int(power[3]) - len(power[2] or "")))
        try:
            return int(text)
        except ValueError:
            raise InputError(f"{flag} must be a whole number, not {shown(value)}") from None


_POWER = re.compile(r"([0-9]{1,30})(?:\.([0-9]{1,30}))?e\+?([0-9]{1,3})", re.ASCII | re.IGNORECASE)


class Jobs(Whole):
    """A number of threads."""

    def checked(self, flag: str, value: Any) -> int:
        """The number."""
        from gatewalk.search.scheduler import threads

        return threads(self._number(flag, value), what=flag)


class Number(Checked):
    """A number within limits, which may be infinite; `more_than` itself is too small."""

    name = "number"

    def __init__(self, *, least: float = -inf, more_than: float = -inf, most: float = inf) -> None:
        self.least, self.more_than, self.most = least, more_than, most

    def checked(self, flag: str, value: Any) -> float:
        """The number."""
        try:
            number = float(value)
        except ValueError:
            raise InputError(f"{flag} must be a number, not {shown(value)}") from None
        if number > self.more_than and self.least <= number <= self.most and abs(number) != inf:
            return number
        limits = [f"more than {self.more_than:g}"] if self.more_than > -inf else []
        limits += [f"at least {self.least:g}"] if self.least > -inf else []
        limits += [f"at most {self.most:,.10g}"] if self.most < inf else []
        raise InputError(f"{flag} must be {' and '.join(limits)}, not {number:g}")


class OutFile(Checked):
    """A file to write; its folder must exist."""

    name = "file"

    def checked(self, flag: str, value: Any) -> Path:
        """The path; whether the suffix is one that can be written is for the command to check."""
        path = Path(value)
        if not str(value):
            raise InputError(f"{flag} is empty; give the name of a file")
        if not path.parent.is_dir():
            raise InputError(f"{flag}: cannot write {path}: there is no folder {path.parent}")
        if path.is_dir():
            raise InputError(f"{flag}: cannot write {path}: it is a folder")
        return path


SECONDS = Number(more_than=0)
OUT_FILE = OutFile()

target_argument = click.argument("target", metavar="TARGET")
store_argument = click.argument("store", type=click.Path(path_type=Path), metavar="STORE")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON lines, and nothing else, on standard output."
)
as_is_option = click.option("--as-is", is_flag=True, help="Do not simplify the circuit.")
library_option = click.option(
    "--library", metavar="FILE", help="A genlib file that defines the cells of a BLIF file with .gate lines."
)
jobs_option = click.option(
    "--jobs", type=Jobs(), metavar="J", help="Number of threads; default: one per processor."
)


def runs_option(default: int, words: str = "Number of runs.") -> Callable[[F], F]:
    """The option --runs."""
    runs = Whole(1, MOST_RUNS)
    return click.option("--runs", default=default, show_default=True, type=runs, metavar="R", help=words)


def seed_option(default: int | None, words: str = "Seed of all runs.") -> Callable[[F], F]:
    """The option --seed; None if only the command knows its default."""
    return click.option(
        "--seed", default=default, show_default=default is not None, type=Whole(0), metavar="S", help=words
    )


def out_option(words: str, *, required: bool = False, multiple: bool = False) -> Callable[[F], F]:
    """The option --out, for a file that a command writes."""
    return click.option(
        "--out", type=OUT_FILE, required=required, multiple=multiple, metavar="FILE", help=words
    )


# The target is an argument, and options of the law are set by `--option`.
_SETTINGS = {name: option for name, option in OPTIONS.items() if name not in ("target", "law")}
_OF_PROGRAM = [name for name, option in _SETTINGS.items() if option.is_of_program]
_OF_SEARCH = [name for name, option in _SETTINGS.items() if not option.is_of_program]


def _all(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


@dataclass(frozen=True)
class FoundLater:
    """A default that only the command finds, in the words of its help."""

    words: str


def settings_options(*names: str, **defaults: object) -> Callable[[F], F]:
    """The options for these settings; `defaults`, which may be `FoundLater`, replace those of the table."""
    return _all(*(_flag(name, _SETTINGS[name], defaults) for name in names))


def _flag(name: str, option: Option, defaults: dict[str, object]) -> Callable[[F], F]:
    default, words = option.default, option.help
    if name in defaults:  # the words on the usual default do not hold
        default, words = defaults[name], f"{_ON_DEFAULT.split(words)[0].rstrip('.')}."
    later = default.words if isinstance(default, FoundLater) else ""
    return click.option(
        f"--{option.flag or name}",
        name,
        default=None if later else default,
        show_default=later or default is not None,
        type=Whole() if option.types == (int,) else str,
        metavar=option.metavar,
        help=words,
    )


_ON_DEFAULT = re.compile(r"[;.] default:", re.IGNORECASE)


def program_options(**defaults: object) -> Callable[[F], F]:
    """What program is searched for, and the options that every command about a search has."""
    return _all(
        settings_options(*_OF_PROGRAM, **defaults),
        click.option(
            "--option",
            "law_options",
            multiple=True,
            metavar="NAME=VALUE",
            help="Override one option of the profile, e.g. ties=coin. Can be repeated.",
        ),
        library_option,
        json_option,
    )


run_options = _all(settings_options(*_OF_SEARCH), runs_option(1), seed_option(0), jobs_option)


def search_from_options(target: str, given: dict[str, Any]) -> Search:
    """The search that a command's options describe; `given` holds their values by name."""
    from gatewalk.circuit.construction import check_library, target_named, uses_library
    from gatewalk.circuit.files import read_file

    words = dict(given)
    words["options"] = _law_options(words.pop("law_options"))
    library, start = words.pop("library"), words.get("start") or ""
    with reading(target, start, words.get("gates") or "", library or ""):
        if library is None:
            return search_for(target, **words)
        check_library(library, target, start)
        if uses_library(start):
            words["start"] = read_file(start, library=library)
        return search_for(target_named(target, library=library), **words)


def _law_options(texts: tuple[str, ...]) -> dict[str, object]:
    """`("ties=coin",)` as a dictionary."""
    parsed: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--option {shown(text)} is not NAME=VALUE, as in --option ties=coin")
        parsed[name.strip()] = value.strip()
    return parsed


def warn_of_ignored(search: Search) -> None:
    """Warn of options that were given although trees do not use them."""
    context = click.get_current_context()
    for name, option in _SETTINGS.items():
        is_ignored = isinstance(search, TgpSearch) and not option.is_for_trees
        if is_ignored and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            warn(f"ignoring --{option.flag or name}, which applies only to --algorithm cgp")


def say_default_budget(search: Search) -> None:
    """Say the budget, before a run that may take long, if it is the target's own and not the usual one."""
    from gatewalk.search.evolve import default_budgets

    source = click.get_current_context().get_parameter_source("budget")
    if source is not ParameterSource.COMMANDLINE:
        for note in default_budgets([search], setting="--budget"):
            click.echo(printable(note), err=True)
