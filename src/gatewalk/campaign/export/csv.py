"""Results as CSV: a line per run with the columns of `results.NAMES`; a missing value is an empty field.

Texts are written as they are, as other programs need them. But a spreadsheet runs a text that begins with one
of = + - @ as a formula; `for_spreadsheet` puts an apostrophe before such a text.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gatewalk.bigint import decimal
from gatewalk.campaign.export import unfinished
from gatewalk.campaign.results import NAMES, Results
from gatewalk.errors import InputError

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(results: Results, path: Path, *, for_spreadsheet: bool = False) -> None:
    """Write all rows; the file appears when it is complete."""
    part = unfinished(path)
    rows = _written(results)
    try:
        with open(part, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(NAMES)
            writer.writerows(neutralised(rows) if for_spreadsheet else rows)
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _written(results: Results) -> Iterator[Sequence[Any]]:
    """The rows; numbers of more digits than Python converts by default are written as decimal texts."""
    large = [NAMES.index(name) for name in results.large_numbers()]
    if not large:
        return results.rows()
    return ([decimal(v) if at in large else v for at, v in enumerate(row)] for row in results.rows())


def neutralised(rows: Iterator[Sequence[Any]]) -> Iterator[list[Any]]:
    """The rows, with an apostrophe before every text that a spreadsheet would run as a formula."""
    for row in rows:
        yield [f"'{v}" if isinstance(v, str) and v.startswith(_FORMULA) else v for v in row]
