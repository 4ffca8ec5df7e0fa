"""A search as bytes, and back: every byte is checked before a kernel gets it.

A saved search is a line of JSON, which says what it is and how long its arrays are, followed by these arrays.
Nothing is compressed, so reading takes no more memory than the bytes themselves, and all of it is numbers and
text. Saved are the program, the random stream and the counters; everything else is computed from them.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import numpy as np

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.errors import MOST, InputError
from gatewalk.search.columns import LARGEST_REAL
from gatewalk.search.options import Search, law_text
from gatewalk.search.possible import fewest_steps
from gatewalk.search.seeds import check_run, check_seed
from gatewalk.search.session import Arrays, Session, continued, saved_arrays

_FORMAT = "gatewalk-session-3"
DTYPES = {"program": "<i4", "stream": "<u8", "counters": "<i8", "undrawn": "<i8"}
_HEXADECIMAL = re.compile("0x[0-9a-f]+")
_KEYS = {"format", "law", "seed", "run", "seconds", "improvements", "arrays"}


def save(session: Session) -> bytes:
    """A run under way as bytes, from which `restore` continues it to the same end.

    They are a line of JSON and arrays of numbers; there are no pickles in them.

    >>> import gatewalk as gw
    >>> search = gw.search_for("and:4")
    >>> session = gw.begin(search, seed=1, run=0)
    >>> gw.advance(session, 10)
    >>> gw.restore(search, gw.save(session)).iterations == session.iterations
    True
    """
    arrays = saved_arrays(session)
    note = {
        "format": _FORMAT,
        "law": law_text(session.search),
        "seed": session.seed,
        "run": session.run,
        "seconds": session.seconds,
        "improvements": [[offspring, hex(fitness)] for offspring, fitness in session.improvements],
        "arrays": {name: array.size for name, array in arrays.items()},
    }
    parts = [array.astype(DTYPES[name]).tobytes() for name, array in arrays.items()]
    return b"\n".join([json.dumps(note).encode(), b"".join(parts)])


def restore(search: Search, data: bytes) -> Session:
    """Continue a run that was saved, with the same search; only its budget and its evaluation may differ.

    The budget must allow the iterations that the run has made. Bytes that are anything else than what `save`
    made of a run of this search raise `InputError`.

    >>> import gatewalk as gw
    >>> search = gw.search_for("and:6")
    >>> gw.restore(search, gw.save(gw.begin(search, seed=1, run=0))).iterations
    0
    """
    note, body = _note(data)
    if note["law"] != law_text(search):
        raise InputError(
            other_version(note["law"], law_text(search)) or "the saved search has other settings"
        )
    check_seed(note["seed"])
    check_run(note["run"])
    arrays = _arrays(search, note["arrays"], body)
    _check_counters(search, arrays)
    session = continued(
        search,
        arrays,
        seed=note["seed"],
        run=note["run"],
        seconds=_seconds(note["seconds"]),
        earlier=_improvements(note["improvements"]),
    )
    offspring, fitness = session.earlier[-1]
    if fitness != session.fitness or offspring > session.current.offspring:
        raise _wrong("its improvements are not those of its program")
    return session


def other_version(saved: object, law: str) -> str:
    """In words, which operator of a user was changed between two laws; empty if that is not the reason."""
    try:
        before, now = json.loads(str(saved)), json.loads(law)
        for kind in ("mutation", "selection"):
            name, at, digest = str(before[kind]).partition("@")
            its_name, is_own, its_digest = str(now[kind]).partition("@")
            if at and is_own and name == its_name and digest != its_digest:
                return (
                    f"the {kind} {name} is another function than when the search was saved; "
                    "undo the change, or begin a new search"
                )
    except (ValueError, RecursionError, TypeError, KeyError):
        pass
    return ""


def _check_counters(search: Search, arrays: Arrays) -> None:
    """Raise `InputError` unless a run of this search can have such counters.

    Where waiting times are drawn, those of the steps are compared with each other when the walk is made.
    """
    offspring, steps = arrays["counters"][:2].tolist()
    if offspring > search.limit:
        raise InputError(
            f"the saved search has made {offspring:,} offspring, and its budget allows {search.limit:,}; "
            "give it a larger budget"
        )
    if "undrawn" in arrays:
        return
    if max(offspring, steps) == MOST:  # kernels add as many to it
        raise _wrong("a counter is out of its range")
    if steps < fewest_steps(search, offspring) or (steps and not offspring):
        raise _wrong("its elementary steps are not those of so many offspring")


def saved_sizes(search: Search) -> dict[str, int | None]:
    """The arrays of a saved run and their sizes; None is any size, for trees, which grow.

    counters: offspring and elementary steps; where waiting times are drawn, the counters OFFSPRING, PICKS,
        UNTIL_CANDIDATE and SKIPPED of `gatewalk.cgp.waiting.WaitingState`.
    undrawn: see there.
    """
    if not isinstance(search, CgpSearch):
        return {"program": None, "stream": 4, "counters": 2}
    genes = search.shape.length
    if search.law.waiting == "drawn":
        return {"program": genes, "stream": 4, "counters": 4, "undrawn": genes + 1}
    return {"program": genes, "stream": 4, "counters": 2}


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
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= LARGEST_REAL:
        raise _wrong("its seconds are none")
    return float(value)


def _improvements(rows: object) -> list[tuple[int, int]]:
    """(offspring, fitness) at the start and at each improvement; offspring must rise and fitness fall."""
    improvements: list[tuple[int, int]] = []
    for row in rows if isinstance(rows, list) else []:
        match row:
            case [int(offspring), str(fitness)] if type(offspring) is int and _HEXADECIMAL.fullmatch(fitness):
                improvements.append((offspring, int(fitness, 16)))
            case _:
                raise _wrong("an improvement is none")
    in_order = all(before[0] < after[0] and before[1] > after[1] for before, after in pairwise(improvements))
    if not improvements or improvements[0][0] != 0 or not in_order:
        raise _wrong("its improvements do not follow each other")
    return improvements


def _arrays(search: Search, sizes: object, body: bytes) -> Arrays:
    """The arrays in these bytes; their sizes and values must be possible for this search."""
    expected = saved_sizes(search)
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
        search.check_programs([arrays["program"]])
    except InputError as error:
        raise _wrong(str(error)) from None
    return arrays
