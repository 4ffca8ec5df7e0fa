"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from gatewalk.errors import InputError, shown, whole_number
from gatewalk.search.option import Option
from gatewalk.search.settings import OPTIONS

if TYPE_CHECKING:
    from gatewalk.search.settings import Settings

MOST_RUNS = 1_000_000_000
F = TypeVar("F", bound=Callable[..., Any])


def _all(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


target_argument = click.argument("target", metavar="TARGET")

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON lines, and nothing else, on standard output."
)
as_is_option = click.option("--as-is", is_flag=True, help="Do not simplify the circuit.")
library_option = click.option(
    "--library", metavar="FILE", help="A genlib file that defines the cells of a BLIF file with .gate lines."
)
law_option = click.option(
    "--option",
    "law_options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change one option of the profile, such as ties=coin. May be repeated.",
)


class Whole(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """A whole number, also as 1e6 or 1_000_000."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; anything else is refused."""
        text = str(value).replace("_", "")
        power = _POWER.fullmatch(text)
        if power is not None and int(power[3]) <= _MOST_ZEROS and len(power[2] or "") <= int(power[3]):
            digits: str = power[1] + (power[2] or "")
            return int(digits + "0" * (int(power[3]) - len(power[2] or "")))
        try:
            return int(text)
        except ValueError:
            self.fail(f"{shown(value)} is not a whole number.", param, ctx)


_POWER = re.compile(r"([0-9]{1,30})(?:\.([0-9]{1,30}))?e\+?([0-9]{1,3})", re.ASCII | re.IGNORECASE)
_MOST_ZEROS = 30
WHOLE = Whole()


def _flag(name: str, option: Option) -> Callable[[F], F]:
    """The command-line option for a setting."""
    return click.option(
        f"--{option.flag or name}",
        name,
        default=option.default,
        show_default=option.default is not None,
        type=WHOLE if option.types == (int,) else str,
        metavar=option.metavar,
        help=option.help,
    )


# The target is an argument, and options of the law are set by `--option`.
_FLAGS = {name: option for name, option in OPTIONS.items() if name not in ("target", "law")}

program_options = _all(
    *(_flag(name, option) for name, option in _FLAGS.items() if option.is_of_program),
    law_option,
    library_option,
    json_option,
)
search_options = _all(
    *(_flag(name, _FLAGS[name]) for name in ("training", "mutation", "offspring", "start")),
)
run_options = _all(
    *(_flag(name, option) for name, option in _FLAGS.items() if not option.is_of_program),
    click.option("--runs", default=1, show_default=True, type=int, metavar="R", help="Number of runs."),
    click.option("--seed", default=0, show_default=True, type=int, metavar="S", help="Seed of all runs."),
    click.option("--jobs", type=int, metavar="J", help="Number of threads; default: one per processor."),
)


def settings_given(target: str, given: dict[str, Any]) -> Settings:
    """The settings that a command's options describe; `given` holds them by name."""
    from gatewalk.circuit.formats import read_file
    from gatewalk.circuit.named import check_library, target_named, uses_library
    from gatewalk.search.settings import settings

    options = dict(given)
    options["options"] = _law_options(options.pop("law_options"))
    library, start = options.pop("library"), options.get("start") or ""
    if library is None:
        return settings(target, **options)
    check_library(library, target, start)
    if uses_library(start):
        options["start"] = read_file(start, library=library)
    return settings(target_named(target, library=library), **options)


def warn_of_ignored(algorithm: str) -> None:
    """Warn of options that were given although trees do not use them."""
    context = click.get_current_context()
    for name, option in _FLAGS.items():
        is_ignored = algorithm != "cgp" and not option.is_for_trees
        if is_ignored and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            flag = option.flag or name
            click.echo(f"gatewalk: warning: --{flag} is for --algorithm cgp and is ignored", err=True)


def check_runs(runs: int, seed: int, jobs: int | None) -> None:
    """Refuse impossible numbers of runs, seeds and threads."""
    whole_number("--runs", runs, least=1, most=MOST_RUNS)
    whole_number("--seed", seed, least=0)
    if jobs is not None:
        from gatewalk.search.evolve import check_jobs

        check_jobs(jobs, "--jobs")


def check_place(path: Path) -> None:
    """Refuse, before any run, a file that cannot be written."""
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")


def _law_options(texts: tuple[str, ...]) -> dict[str, object]:
    """`("ties=coin",)` as a dictionary."""
    parsed: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--option {shown(text)} is not NAME=VALUE, as in --option ties=coin")
        parsed[name.strip()] = value.strip()
    return parsed
