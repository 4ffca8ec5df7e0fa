"""Results as CSV: a line per run, the columns of `results.NAMES`, empty where there is no value.

Texts are written as they are, which is what programs want. A spreadsheet runs a text that begins with = + - @
as a formula; `for_spreadsheet` writes such a text with an apostrophe before it.
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
    """The rows, with numbers that may be too long for Python to write as their digits."""
    large = [NAMES.index(name) for name in results.large_numbers()]
    if not large:
        return results.rows()
    return ([decimal(v) if at in large else v for at, v in enumerate(row)] for row in results.rows())


def neutralised(rows: Iterator[Sequence[Any]]) -> Iterator[list[Any]]:
    """The rows with an apostrophe before what a spreadsheet would run."""
    for row in rows:
        yield [f"'{v}" if isinstance(v, str) and v.startswith(_FORMULA) else v for v in row]
