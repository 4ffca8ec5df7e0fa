"""Results as CSV: a line per run, the columns of `results.COLUMNS`, empty where there is no value."""

from __future__ import annotations

import csv
import os
from pathlib import Path

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
            writer.writerows(results.rows())
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
