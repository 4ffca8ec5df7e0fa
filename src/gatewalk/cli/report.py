"""`gatewalk report`: a self-contained web page about a store, also while its campaign runs."""

from __future__ import annotations

from pathlib import Path

import click

from gatewalk.cli.interrupts import has_results
from gatewalk.cli.options import out_option, store_argument
from gatewalk.cli.terminal import progress, wrote
from gatewalk.numbers import counted

EXAMPLES = """\b
The page shows:
  how many runs were solved; running times against n, with bounds,
  exact values and fitted models; distributions; comparisons in words;
  generalisation; the smallest circuits; and where the runs come from.
  Cells and runs can be downloaded from it as CSV.

\b
Examples:
  gatewalk campaign run and.toml
  gatewalk report and.sqlite --out and.html
  gatewalk report and.sqlite --out and.html --follow    (while a campaign runs)
"""


@click.command(epilog=EXAMPLES)
@store_argument
@out_option("The page, a file that ends in .html.", required=True)
@click.option("--follow", is_flag=True, help="Rewrite the page until the campaign that is running ends.")
def report(store: Path, out: Path, follow: bool) -> None:
    """Write a web page about STORE, the store of a campaign: one file that needs no network."""
    from gatewalk.campaign import Results
    from gatewalk.report import store_page

    store_page.check_page_file(out)
    with Results.open(store) as results:
        store_page.check_not_the_store(store, out)
        if not follow:
            with progress("report") as on_progress:
                text = store_page.report_text(results, on_progress=on_progress)
    has_results()  # a page that is not complete is deleted
    if follow:
        store_page.follow(store, out)
    else:
        store_page.write_page(text, out)
    with Results.open(store) as results:
        wrote(out, f"{counted(len(results), 'run')}, {out.stat().st_size / 1e6:.1f} MB")
