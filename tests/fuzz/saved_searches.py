"""Saved searches: whole files with other content, and damaged bytes."""

import numpy as np
from attacks import NUMBERS, TEXTS, chosen, damaged, judged
from saved import CASES, go_on, parts, saved, whole


def attack(source):
    """Change a saved search, and go on with it."""
    case = chosen(source, sorted(CASES))
    data = saved(case)
    if source.random() < 0.2:
        data = damaged(source, data)
    else:
        note, arrays = parts(data)
        for _ in range(source.randint(1, 3)):
            change = chosen(source, (_number, _number, _array, _word))
            change(source, note, arrays)
        data = whole(note, arrays)
    judged(lambda: go_on(CASES[case], data))


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
