"""A search as bytes, and back: every byte is checked before a kernel gets it.

A saved search is a line of JSON, which says what it is and how long its arrays are, followed by these arrays.
Nothing is compressed, so reading takes no more memory than the bytes themselves, and all of it is numbers and
text. Saved are the program, the random stream and the counters; everything else is computed from them.
"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np

from gatewalk.errors import MOST, InputError
from gatewalk.search.algorithms import Arrays, algorithm_of, saved_sizes
from gatewalk.search.seeds import training_of_run
from gatewalk.search.session import Session, check_run, check_seed
from gatewalk.search.settings import Settings, law_text

_FORMAT = "gatewalk-session-3"
DTYPES = {"program": "<i4", "stream": "<u8", "counters": "<i8", "undrawn": "<i8"}
_KEYS = {"format", "law", "seed", "run", "seconds", "improvements", "arrays"}


def save(session: Session) -> bytes:
    """A search as bytes, from which `restore` continues it to the same end.

    Parameters
    ----------
    session
        The search, at any moment.

    Returns
    -------
    bytes
        A line of JSON and arrays of numbers; there are no pickles in it.

    Examples
    --------
    >>> from gatewalk.search.session import advance, begin
    >>> from gatewalk.search.settings import settings
    >>> chosen = settings("and:4")
    >>> session = begin(chosen, seed=1, run=0)
    >>> advance(session, 10)
    >>> restore(chosen, save(session)).iterations == session.iterations
    True
    """
    arrays = algorithm_of(session.settings).saved(session.walk)
    note = {
        "format": _FORMAT,
        "law": law_text(session.settings),
        "seed": session.seed,
        "run": session.run,
        "seconds": session.seconds,
        "improvements": [[offspring, hex(fitness)] for offspring, fitness in session.improvements],
        "arrays": {name: array.size for name, array in arrays.items()},
    }
    parts = [array.astype(DTYPES[name]).tobytes() for name, array in arrays.items()]
    return b"\n".join([json.dumps(note).encode(), b"".join(parts)])


def restore(settings: Settings, data: bytes) -> Session:
    """Continue a search that was saved.

    Parameters
    ----------
    settings
        Those of the saved search; only its budget and its evaluation may differ.
    data
        What `save` returned.

    Returns
    -------
    Session
        The search, where it was.

    Raises
    ------
    InputError
        If the bytes are anything else than what `save` made of a search with these settings.

    Examples
    --------
    >>> import gatewalk as gw
    >>> options = gw.settings("and:6")
    >>> session = gw.begin(options, seed=1, run=0)
    >>> again = gw.restore(options, gw.save(session))
    >>> again.iterations
    0
    """
    note, body = _note(data)
    if note["law"] != law_text(settings):
        raise InputError("the saved search has other settings")
    check_seed(note["seed"])
    check_run(note["run"])
    seconds, improvements = _seconds(note["seconds"]), _improvements(note["improvements"])
    arrays = _arrays(settings, note["arrays"], body)
    training = training_of_run(settings, seed=note["seed"], run=note["run"])
    walk = algorithm_of(settings).restored(settings, training, arrays)
    limit = settings.budget + settings.law.uncounted
    session = Session(settings, note["seed"], note["run"], walk, limit, seconds)
    session.earlier = improvements
    if improvements[-1][1] != walk.fitness or improvements[-1][0] > walk.offspring:
        raise _wrong("its improvements are not those of its program")
    return session


def _wrong(what: str) -> InputError:
    return InputError(f"these bytes are not a saved search: {what}")


def _note(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The line of JSON at the head of a saved search, checked, and the bytes of its arrays."""
    head, _, body = data.partition(b"\n")
    try:
        note = json.loads(head)
    except (ValueError, RecursionError):
        raise _wrong("they do not begin with a line of JSON") from None
    if not isinstance(note, dict) or not isinstance(note.get("format"), str):
        raise _wrong("they do not say what they are")
    if note["format"] != _FORMAT:
        raise _wrong("they are of another kind or version")
    if note.keys() != _KEYS:
        raise _wrong("entries are missing, or there are unknown ones")
    return note, body


def _seconds(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < math.inf:
        raise _wrong("its seconds are none")
    return float(value)


def _improvements(rows: object) -> list[tuple[int, int]]:
    """(offspring, fitness) at the start and at each improvement; offspring must rise and fitness fall."""
    improvements: list[tuple[int, int]] = []
    for row in rows if isinstance(rows, list) else []:
        try:
            offspring, fitness = row
            improvements.append((int(offspring), int(fitness, 16)))
        except (ValueError, TypeError, OverflowError):
            raise _wrong("an improvement is none") from None
    in_order = all(before[0] < after[0] and before[1] > after[1] for before, after in pairwise(improvements))
    if not improvements or improvements[0][0] != 0 or improvements[-1][1] < 0 or not in_order:
        raise _wrong("its improvements do not follow each other")
    return improvements


def _arrays(settings: Settings, sizes: object, body: bytes) -> Arrays:
    """The arrays in these bytes; their sizes and values must be possible for a search with these settings."""
    expected = saved_sizes(settings)
    if not isinstance(sizes, dict) or sizes.keys() != expected.keys():
        raise _wrong("arrays are missing, or there are unknown ones")
    if not all(type(size) is int and size >= 0 for size in sizes.values()):
        raise _wrong("an array has no size")
    if len(body) != sum(size * np.dtype(DTYPES[name]).itemsize for name, size in sizes.items()):
        raise _wrong("its arrays have other sizes than it says")
    arrays: Arrays = {}
    start = 0
    for name, size in sizes.items():
        if expected[name] not in (None, size):
            raise _wrong(f"{name} has {size} entries, not {expected[name]}")
        array = np.frombuffer(body, dtype=DTYPES[name], count=size, offset=start)
        arrays[name] = array.astype(array.dtype.newbyteorder("="))
        start += array.nbytes
    if not arrays["stream"].any():
        raise _wrong("a random stream is never all zeros")
    for name in arrays.keys() - {"program", "stream"}:
        if not ((arrays[name] >= 0) & (arrays[name] <= MOST)).all():
            raise _wrong("a counter is out of its range")
    try:
        algorithm_of(settings).check_programs(settings, [arrays["program"]])
    except InputError as error:
        raise _wrong(str(error)) from None
    return arrays
