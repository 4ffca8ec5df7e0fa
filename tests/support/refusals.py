"""What a user gave is refused: exit code 2, nothing on standard output, and one line that helps."""

from command import call

# What no door of the package takes, neither the command line nor Python nor a campaign's file: an option as
# the command line spells it, a value, and what else the message must name.
BAD_SETTINGS = [
    ("algorithm", "tgp", "tgp-single"),
    ("nodes", "zero", "2n"),
    ("nodes", -2, "at least 1"),
    ("nodes", 100_000_000, "10,000,000"),
    ("selection", "lax", "nonstrict, strict"),
    ("profile", "papr", "paper"),
    ("training", "some", "sample:ROWS"),
    ("training", "sample:0", "sample:ROWS"),
    ("training", "sample:100000000000", "GiB"),
    ("gates", "nandd", "nand"),
    ("mutation", "flip", "sam"),
    ("mutation", "point:99999999999999999999", "1,000,000"),
    ("mutation", "rate:2", "rate:P"),
    ("lambda", 0, "at least 1"),
    ("lambda", 1 << 63, "at most"),
    ("budget", -1, "at least 0"),
    ("budget", 1 << 63, "at most"),
    ("start", "nowhere", "nowhere"),
    ("evaluation", "fast", "auto"),
]


def refused(capsys, *arguments, naming=()):
    """Check that a command refuses these arguments with a line that names all of `naming`; returns it.

    Progress may come before, but nothing else.
    """
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, ""), (out, err)
    assert "Traceback" not in err
    (line,) = [line for line in err.splitlines() if line.startswith("gatewalk: ")]
    assert err.endswith(f"{line}\n")
    for word in (naming,) if isinstance(naming, str) else naming:
        assert str(word) in line, line
    return line
