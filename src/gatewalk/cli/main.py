"""The command `gatewalk`: the table of its subcommands, and what becomes of errors.

The module of a subcommand is imported when it is called, so that `gatewalk --help` takes no time.
"""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple

import click

from gatewalk.errors import InputError, printable, shown
from gatewalk.numbers import MOST_DIGITS
from gatewalk.version import __version__


class Command(NamedTuple):
    """A subcommand: the module of this folder with a function of the command's name, and a line of help."""

    module: str
    help: str


COMMANDS = {
    "evolve": Command("evolve", "Search for a circuit, in one run or many."),
    "exact": Command("exact", "Compute the exact expected running time from the Markov chain."),
    "bounds": Command("bounds", "Evaluate the theorems for given parameters."),
    "observe": Command(
        "observe", "Measure levels, sub-levels and drift, and compare them with the proofs' estimates."
    ),
    "paper": Command("study", "Reproduce the paper: runs, figures, tables, comparison."),
    "study": Command("study", "Reproduce a paper, or study an open question, with one command."),
    "campaign": Command("campaign", "Run a grid of settings many times and keep the results in a store."),
    "report": Command("report", "Write a web page about a store: charts, fits, comparisons, circuits."),
    "targets": Command("targets", "List the functions to search for: inputs, outputs, defaults."),
    "circuit": Command("circuit", "Convert, check, draw and minimise circuits, and count their gates."),
    "bench": Command("bench", "Measure iterations per second on standard cases."),
}
LONGEST_LINE = 1000
EXAMPLES = """\b
Examples:
  gatewalk evolve and:8 --nodes 16 --seed 1
  gatewalk evolve xor:3 --runs 30 --json
  gatewalk exact and:3 --nodes 3 --selection strict
  gatewalk bounds and:8 --nodes 2n
"""


class LazyGroup(click.Group):
    """A group of commands whose modules are imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"gatewalk.cli.{COMMANDS[cmd_name].module}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, 1)
            remedy = f"did you mean {near[0]}?" if near else f"choose from {', '.join(COMMANDS)}"
            raise InputError(f"unknown command {shown(args[0])}; {remedy}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line
        except BrokenPipeError:
            # The reader of a pipe closed it. Shells expect a quiet end here, but click would fail.
            _drop_output()
            raise click.exceptions.Exit(0) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])


@click.group(cls=LazyGroup, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="gatewalk %(version)s")
def gatewalk() -> None:
    """Find out how long genetic programming takes to find a Boolean circuit, and get the circuit.

    Exit codes: 0 done, 2 bad input or a missing extra, 3 circuits differ, 4 nothing solved for evolve --out,
    130 interrupted, 1 internal error.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; errors are one line on standard error."""
    # The fitness of 20,000 inputs has 6,000 digits. Allow that many in texts of integers, but no more.
    sys.set_int_max_str_digits(MOST_DIGITS)
    debug = os.environ.get("GATEWALK_DEBUG") == "1"
    try:
        _check_words(sys.argv[1:] if arguments is None else arguments)
        status = gatewalk.main(arguments, prog_name="gatewalk", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted", 130)
    except click.ClickException as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            error.show()
            sys.exit(2)
        _fail(error.format_message(), 2)
    except InputError as error:
        if debug:
            raise
        _fail(str(error), 2)
    except MemoryError:
        _fail("not enough memory; use fewer nodes, rows or inputs", 2)
    except OSError as error:
        if debug:
            raise
        _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        if debug:
            raise
        _fail(f"internal error: {type(error).__name__}: {error} (set GATEWALK_DEBUG=1 for a traceback)", 1)


def _check_words(words: list[str]) -> None:
    """Refuse arguments that are not valid UTF-8: no store, file or terminal could hold them."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise InputError(f"{shown(word)} is not valid UTF-8; use another name") from None


def _drop_output() -> None:
    """Standard output cannot be written: drop what is left for it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> None:
    line = printable(" ".join(message.split()))
    if len(line) > LONGEST_LINE:  # a long argument is quoted in it; the end says what to do
        line = f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
    print(f"gatewalk: {line}", file=sys.stderr)
    sys.exit(status)
