"""Saved searches: whole files with other content, counters near their limits, and damaged bytes."""

from dataclasses import replace

import numpy as np
from attacks import NUMBERS, TEXTS, chosen, damaged, judged
from saved import CASES, go_on, parts, saved, whole

HUGE = (2**53 + 1, 10**18, 2**61, 2**62 - 2, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1)


def attack(source):
    """Change a saved search, and go on with it, perhaps with the largest budget."""
    case = chosen(source, sorted(CASES))
    data = saved(case)
    if source.random() < 0.2:
        data = damaged(source, data)
    else:
        note, arrays = parts(data)
        for _ in range(source.randint(1, 3)):
            change = chosen(source, (_number, _number, _array, _word, _counters))
            change(source, note, arrays)
        data = whole(note, arrays)
    search = CASES[case]
    if source.random() < 0.5:
        search = replace(search, budget=2**62)
    judged(lambda: go_on(search, data))


def _counters(source, note, arrays):
    """Huge counters, of which the parts add up to the whole: only their size is wrong, if anything."""
    counters = arrays.get("counters", np.zeros(0, dtype=np.int64))
    if counters.size not in (2, 4):
        return
    total = chosen(source, HUGE)
    counters[:2] = total, chosen(source, (total, *HUGE))
    if counters.size == 4 and arrays.get("undrawn", counters[:0]).size:
        skipped = source.choice((0, total // 2, total - 1, total))
        counters[2:] = chosen(source, (0, 1, *HUGE)), skipped
        counters[1] = source.choice((0, 1, 20, total - skipped, chosen(source, HUGE)))
        arrays["undrawn"][:] = 0
        arrays["undrawn"][source.randrange(arrays["undrawn"].size)] = source.choice((0, 1, total - skipped))
    note["seconds"] = chosen(source, (0.5, 10**29, 10**400, 1e308))


def _number(source, note, arrays):
    """Another number in an array, more often than not a small one."""
    name = chosen(source, sorted(arrays))
    array = arrays[name]
    if array.size:
        limits = np.iinfo(array.dtype)
        value = source.randint(-4, 100) if source.random() < 0.7 else source.randint(limits.min, limits.max)
        array[source.randrange(array.size)] = min(max(value, int(limits.min)), int(limits.max))


def _array(source, note, arrays):
    """An array of another search, a permutation, one cut short or grown, none."""
    name = chosen(source, sorted(arrays))
    array = arrays[name]
    what = source.randrange(5)
    if what == 0:
        _, others = parts(saved(chosen(source, sorted(CASES))))
        arrays[name] = others.get(name, array)
    elif what == 1:
        arrays[name] = array[source.sample(range(array.size), array.size)]
    elif what == 2:
        arrays[name] = array[: source.randint(0, array.size)]
    elif what == 3:
        arrays[name] = np.concatenate([array, array[: source.randint(0, array.size)]])
    else:
        del arrays[name]
        if not arrays:
            arrays["stream"] = np.zeros(4, dtype=np.uint64)


def _word(source, note, arrays):
    """Another value in what a saved search says of itself."""
    key = chosen(source, sorted(note))
    rows = note[key]
    if isinstance(rows, list) and rows and isinstance(rows[-1], list) and rows[-1] and source.random() < 0.6:
        row = chosen(source, rows)
        row[source.randrange(2)] = chosen(source, (*NUMBERS[:20], *TEXTS))
    else:
        note[key] = chosen(source, (*NUMBERS[:20], *TEXTS, None, [], {}, [[]], True))
