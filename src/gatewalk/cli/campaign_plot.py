"""`gatewalk campaign plot`: a figure of a store, and comparisons in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.interrupts import keep
from gatewalk.errors import InputError, printable, shown

if TYPE_CHECKING:
    from gatewalk.campaign import Results

EXAMPLES = """\b
Kinds:
  time          expected running time along --x, with bounds and exact values
  ecdf          fraction of runs solved within a time, all sizes together
  distribution  Kaplan-Meier steps with bands for each size, and exact curves
  fixed-target  evaluations until few mismatches are left (needs traces = true)
  success       success rates with intervals
  growth        fitted curves and local exponents, against n
  compare       the values of one option in pairs, also in words

\b
Examples:
  gatewalk campaign plot and.sqlite --kind time --out and.svg
  gatewalk campaign plot and.sqlite --kind time --x nodes --out nodes.pdf
  gatewalk campaign plot and.sqlite --kind growth --where selection=strict --out growth.png
  gatewalk campaign plot and.sqlite --kind compare --by selection --out selection.svg
  gatewalk campaign plot and.sqlite --kind ecdf --out ecdf.tex     (for pgfplots)
"""


@click.command(epilog=EXAMPLES)
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--kind", default="time", show_default=True, metavar="KIND", help="The kind of figure; see below."
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The figure: .svg, .pdf, .png or .tex."
)
@click.option(
    "--x", default="n", show_default=True, metavar="n|nodes|lambda|budget", help="The horizontal axis."
)
@click.option(
    "--by",
    metavar="OPTION",
    help="The option that compare compares, such as selection; default: the one that differs.",
)
@click.option(
    "--unit",
    default="iterations",
    show_default=True,
    metavar="iterations|evaluations|elementary_steps",
    help="What time is counted in.",
)
@click.option(
    "--where",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="Only cells with this value. May be repeated; values of the same column are alternatives.",
)
def plot(
    store: Path, kind: str, out: Path, x: str, by: str | None, unit: str, where: tuple[str, ...]
) -> None:
    """Draw a figure of a store."""
    from gatewalk.analysis import plots
    from gatewalk.analysis.style import FILES, save
    from gatewalk.campaign import Results
    from gatewalk.cli.options import check_place
    from gatewalk.extras import need

    keep()
    plots.check_kind(kind)
    if out.suffix not in FILES:
        raise InputError(f"cannot draw {out.name}: use one of {', '.join(FILES)}")
    need("matplotlib", "drawing figures")
    check_place(out)
    if by is not None and kind != "compare":
        raise InputError(f"--by is for --kind compare, not {kind}")
    with Results.open(store) as results:
        if out.exists() and results.is_in(out):
            raise InputError(f"{out} is the store itself; give the figure another name")
        chosen = _chosen(results, where)
        figure = plots.plot(chosen, kind, x=x, by=by, unit=unit, tell=_tell)
        save(figure, out)
        if kind == "compare":
            click.echo(printable_lines(str(plots.compare(chosen, by, unit=unit))))
        click.echo(f"{kind}: {len(chosen)} runs in {printable(str(out))}", err=True)


def printable_lines(text: str) -> str:
    """Every line made safe for a terminal."""
    return "\n".join(printable(line) for line in text.splitlines())


def _tell(words: str) -> None:
    click.echo(f"gatewalk: {printable(words)}", err=True)


def _chosen(results: Results, texts: tuple[str, ...]) -> Results:
    """The results that --where selects."""
    from gatewalk.search.settings import CELL_COLUMNS

    kinds = {column.name: column.kind for column in CELL_COLUMNS}
    wanted: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in kinds:
            columns = ", ".join(kinds)
            raise InputError(f"--where {shown(text)}: write COLUMN=VALUE, with one of the columns {columns}")
        if kinds[name] == "count" and not value.isdecimal():
            raise InputError(f"--where {shown(text)}: {name} is a whole number")
        wanted.setdefault(name, []).append(int(value) if kinds[name] == "count" else value)
    chosen = results.where(**wanted) if wanted else results
    if wanted and not chosen.cells():
        raise InputError(f"{results.name}: no cell has {', '.join(texts)}; see: gatewalk campaign status")
    return chosen
