"""Arithmetic on bit-sliced numbers: many numbers at once, one to a row.

A number of k bits is k columns of packed words, uint64[k, words], least significant bit first, so that one
word operation works on 64 numbers. Carries ripple as in hardware. The functions also accept arrays of symbols
in place of words, which record the operations as a circuit (`circuit/construction.py`); so results have the
type of the arrays given.
"""

from __future__ import annotations

import numpy as np

from gatewalk.boolean.tables import ALL, Words


def add(a: Words, b: Words, carry: Words) -> Words:
    """a + b + carry: one bit more than the k bits of a and of b."""
    total = np.empty((a.shape[0] + 1, *a.shape[1:]), a.dtype)
    for place, (one, other) in enumerate(zip(a, b, strict=True)):
        total[place] = one ^ other ^ carry
        carry = one & other | carry & (one ^ other)
    total[-1] = carry
    return total


def subtract(a: Words, b: Words) -> Words:
    """a - b in two's complement, with one bit more than a and b: the borrow, which is 1 where a < b."""
    total = add(a, ~b, np.full_like(a[0], ALL))
    total[-1] = ~total[-1]
    return total


def multiply(a: Words, b: Words) -> Words:
    """a · b: as many bits as a and b have together."""
    size = a.shape[0]
    product = np.zeros((size + b.shape[0], *a.shape[1:]), a.dtype)
    for shift, factor in enumerate(b):
        product[shift : shift + size + 1] = add(
            product[shift : shift + size], a & factor, np.zeros_like(factor)
        )
    return product


def compare(a: Words, b: Words) -> tuple[Words, Words, Words]:
    """Row by row, whether a < b, a = b and a > b."""
    less: Words = np.zeros_like(a[0])
    equal: Words = np.full_like(a[0], ALL)
    for one, other in zip(a[::-1], b[::-1], strict=True):
        less |= equal & ~one & other
        equal &= ~(one ^ other)
    return less, equal, ~(less | equal)


def count_ones(x: Words) -> Words:
    """The number of ones among the columns, row by row: full adders turn three columns into sum and carry."""
    digits = np.zeros((x.shape[0].bit_length(), *x.shape[1:]), x.dtype)
    addends = list(x)  # columns of the same weight, still to be added
    for place in range(digits.shape[0]):
        carries = []
        while len(addends) > 1:
            third = addends.pop() if len(addends) > 2 else np.zeros_like(addends[0])
            total = add(addends.pop()[np.newaxis], addends.pop()[np.newaxis], third)
            addends.insert(0, total[0])
            carries.append(total[1])
        digits[place] = addends[0] if addends else np.zeros_like(x[0])
        addends = carries
    return digits


def exceeds(digits: Words, bound: int) -> Words:
    """Row by row, whether the number is larger than the bound."""
    larger: Words = np.zeros_like(digits[0])
    equal: Words = np.full_like(digits[0], ALL)
    for place in reversed(range(digits.shape[0])):
        if bound >> place & 1:
            equal &= digits[place]
        else:
            larger |= equal & digits[place]
            equal &= ~digits[place]
    return larger


def select(address: Words, choices: Words) -> Words:
    """Row by row, the column of `choices` whose index is the address; 0 where there is no such column.

    A binary tree of multiplexers: each bit of the address halves the columns that are left.
    """
    left = choices
    for bit in address:
        if left.shape[0] % 2:
            left = np.concatenate([left, np.zeros_like(left[:1])])
        left = left[0::2] & ~bit | left[1::2] & bit
    return np.asarray(left[0])


def decode(address: Words, enable: Words, count: int) -> Words:
    """The first `count` outputs of a decoder: column i is `enable` where the address is i, else 0."""
    lines = enable[np.newaxis]
    for bit in address[::-1]:
        split = np.empty((2 * lines.shape[0], *lines.shape[1:]), lines.dtype)
        split[0::2] = lines & ~bit
        split[1::2] = lines & bit
        lines = split
    return lines[:count]


def sort(x: Words) -> Words:
    """The columns with their bits in ascending order, row by row: zeros first.

    Batcher's merge exchange: K. E. Batcher, "Sorting networks and their applications", 1968; Knuth, The Art
    of Computer Programming, volume 3, Algorithm 5.2.2M. The smaller of two bits is their conjunction, the
    larger their disjunction.
    """
    columns, size = x.copy(), x.shape[0]
    first = 1 << max(0, (size - 1).bit_length() - 1)
    step = first
    while step:
        reach, offset, distance = first, 0, step
        while True:
            for i in range(size - distance):
                if i & step == offset:
                    one, other = columns[i].copy(), columns[i + distance]
                    columns[i], columns[i + distance] = one & other, one | other
            if reach == step:
                break
            distance, reach, offset = reach - step, reach >> 1, step
        step >>= 1
    return columns
