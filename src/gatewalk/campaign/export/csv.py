"""Results as CSV: a line per run, the columns of `results.COLUMNS`, empty where there is no value."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gatewalk.bigint import decimal
from gatewalk.campaign.export import unfinished
from gatewalk.campaign.results import COLUMNS, Results
from gatewalk.errors import InputError


def write(results: Results, path: Path) -> None:
    """Write all rows; the file appears when it is complete."""
    part = unfinished(path)
    try:
        with open(part, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(_rows(results))
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _rows(results: Results) -> Iterator[tuple[Any, ...]]:
    """The rows, with a fitness that may be too long for Python to write as its digits."""
    if not results.has_large_fitness():
        return results.rows()
    place = COLUMNS.index("fitness")
    return ((*row[:place], decimal(row[place]), *row[place + 1 :]) for row in results.rows())
