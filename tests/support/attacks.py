"""What every fuzzer shares: values that software stumbles over, and how an attack is judged.

An attack is a function of a seeded `random.Random` that hands damaged input to Gatewalk and judges what comes
of it: a result, or an `InputError` of one short line. The same seed is the same attack.
"""

from gatewalk.errors import InputError

NUMBERS = (
    *(
        0,
        1,
        -1,
        2,
        3,
        7,
        40,
        255,
        256,
        65_535,
        2**31 - 1,
        2**31,
        -(2**31),
        2**53 + 1,
        2**62,
        2**63 - 1,
        2**63,
    ),
    *(2**64, -(2**63), 10**30, 10**400, 0.5, -0.0, 1e308, float("inf"), float("-inf"), float("nan")),
)
TEXTS = (
    *(
        "",
        " ",
        "\n",
        "\0",
        "\x1b[31m",
        "\ud800",
        "é",
        "١",
        "½",
        "and:4",
        "and:999999999",
        "0x10",
        "1_0",
        "1e9",
    ),
    *(
        "nan",
        "-1",
        "n",
        "2n",
        "n^2",
        "null",
        "[]",
        "{}",
        "'",
        '"',
        "../x",
        "%s",
        "=1+1",
        "x" * 5000,
        "9" * 5000,
    ),
)


def judged(attack):
    """Did it succeed? If not, it must have been refused in one line that a terminal can show."""
    words = ""
    try:
        attack()
    except InputError as error:
        words = str(error)
        if not words or "\n" in words or len(words) > 1500:
            raise AssertionError(f"refused, but not in one line: {words[:300]!r}") from error
    return not words


def damaged(source, data):
    """Bytes with some flipped, cut out, doubled or put in."""
    found = bytearray(data)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(found) + 1)
        length = source.choice((1, 1, 2, 4, 16, 200))
        what = source.randrange(4)
        if what == 0 and found:
            found[at % len(found)] ^= 1 << source.randrange(8)
        elif what == 1:
            del found[at : at + length]
        elif what == 2:
            found[at:at] = found[at : at + length]
        else:
            found[at:at] = source.randbytes(length)
    return bytes(found)


def chosen(source, values):
    """One of these; here so that fuzzers read alike."""
    return values[source.randrange(len(values))]
