"""`gatewalk report`: a self-contained web page of a store."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gatewalk.cli.interrupts import keep
from gatewalk.errors import printable

EXAMPLES = """\b
The page shows:
  how many runs were solved, running times along n with bounds, exact values
  and fitted models, distributions, comparisons in words,
  generalisation, the smallest circuits, and the origin of the runs;
  cells and runs can be downloaded from it as CSV.

\b
Examples:
  gatewalk campaign run and.toml
  gatewalk report and.sqlite --out and.html
  gatewalk campaign run and.toml --live       (the same page while it runs)
"""


@click.command(epilog=EXAMPLES)
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The page, a file ending in .html."
)
def command(store: Path, out: Path) -> None:
    """Write a web page about STORE, the store of a campaign: one file that needs no network."""
    from gatewalk.campaign import Results
    from gatewalk.cli.background import watched
    from gatewalk.cli.options import check_place
    from gatewalk.report.report import check_not_the_store, check_page_file, report_text, write_page

    check_page_file(out)
    check_place(out)
    with Results.open(store) as results:
        check_not_the_store(results, out)
        text = watched("report", lambda tell: report_text(results, tell=tell))
        runs = len(results)
    keep()
    write_page(text, out)
    size = len(text.encode()) / 1e6
    click.echo(f"{runs:,} runs in {printable(str(out))} ({size:.1f} MB)", err=not sys.stdout.isatty())
