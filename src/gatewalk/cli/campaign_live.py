"""`gatewalk campaign run --live`: a page of the campaign, served while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gatewalk.errors import printable


@contextmanager
def live_page(
    store: Path, *, host: str | None, port: int | None, wanted: bool
) -> Iterator[Callable[[], None]]:
    """Serve the page of a store, if wanted, and print its address.

    Gives a function to call when all runs are done.
    """
    if not wanted:
        yield lambda: None
        return
    from gatewalk.report.live import HOST, serving

    with serving(store, host=HOST if host is None else host, port=port or 0) as live:
        click.echo(f"gatewalk: watch it at {printable(live.address)}", err=True)
        yield live.finish
