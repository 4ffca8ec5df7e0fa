"""Command lines: any option with any value. The answer is a result or one line, and never a traceback."""

import contextlib
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from attacks import TEXTS, chosen

from gatewalk.cli.main import main

TARGETS = (
    "and:3",
    "xor:2",
    "maj:3",
    "and:2",
    "parity:3",
    "and:0",
    "and",
    "nand:2:3",
    "mul:1",
    "and:x",
    "x1 & x2",
    "x1 &",
    "no.py:f:2",
    "f.csv",
)
NUMBERS = ("0", "1", "2", "3", "-1", "1.5", "1e3", "10", "1000000000000", "9" * 30, "nan", "0x3", "٣")
VALUES = {
    "--nodes": ("3", "n", "2n", "n-9", "n^2", "n^0.5", "n^99.999", *NUMBERS[:8]),
    "--selection": ("strict", "nonstrict", "stric"),
    "--profile": ("paper", "tinyverse", "x"),
    "--gates": ("and", "and,or", "and,,or", "xor", "const0", "andd"),
    "--option": (
        "ties=coin",
        "starts=2",
        "starts=-1",
        "levels_back=2",
        "waiting=drawn",
        "x=1",
        "ties",
        "rows=2",
    ),
    "--algorithm": ("cgp", "tgp-single", "tgp-multi", "tgp"),
    "--mutation": ("sam", "point:2", "rate:0.1", "rate:0", "point:", "rate:nan", "flip"),
    "--training": ("complete", "sample", "sample:3", "sample:0", "sample:x"),
    "--runs": ("1", "2", "0", "-3", "x"),
    "--seed": NUMBERS,
    "--jobs": ("1", "2", "0", "100000", "x"),
    "--evaluation": ("auto", "table", "symbolic", "reference", "fast"),
    "--lambda": ("1", "4", "0", "x"),
    "--start": ("random", "penultimate", "genes:1,2", "genes:", "nowhere.json", "genes:x"),
    "--budget": ("0", "20", "-1", "x"),
}
OF_PROGRAMS = ("--nodes", "--selection", "--profile", "--gates", "--option")
CAMPAIGNS = (
    ("campaign", "run"),
    ("campaign", "status"),
    ("campaign", "export"),
    ("campaign",),
    ("campaign", "x"),
    ("report",),
)


def attack(source):
    """Make up a command and call it."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        words = _words(source, Path(folder))
        out, err = io.StringIO(), io.StringIO()
        code = None
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main(words)
            except SystemExit as stopped:
                code = stopped.code
        said = err.getvalue()
        assert code in (0, 2, None), (code, words, said[-600:])
        assert "Traceback" not in said, (words, said[-600:])
        assert "a bug" not in said, (words, said[-600:])
        if code == 2 and not any(word in ("-h", "--help") for word in words):
            lines = [line for line in said.splitlines() if line.startswith("gatewalk:")]
            assert lines or "Usage" in said, (words, said[-600:])


def _words(source, folder):
    kind = source.randrange(5)
    if kind == 4:
        (folder / "spec.toml").write_text('[grid]\ntarget = "and:2"\nbudget = 9\nreplications = 2\n')
        (folder / "rubbish.sqlite").write_bytes(source.randbytes(300))
        files = ("spec.toml", "rubbish.sqlite", "nowhere.toml", ".", "", "new.sqlite")
        more = (
            "--store",
            "--to",
            "--out",
            "--jobs",
            "--checkpoint",
            "--dry-run",
            "--json",
            "csv",
            "1",
            "nan",
            "-1",
        )
        words = [
            *chosen(source, CAMPAIGNS),
            *(chosen(source, (*files, *more)) for _ in range(source.randint(0, 5))),
        ]
    else:
        command = ("evolve", "exact", "bounds", "observe")[kind]
        flags = sorted(VALUES) if command in ("evolve", "observe") else OF_PROGRAMS
        words = [command, chosen(source, TARGETS)]
        for _ in range(source.randint(0, 5)):
            flag = chosen(source, flags)
            words += [flag, chosen(source, TEXTS if source.random() < 0.1 else VALUES[flag])]
        if command in ("evolve", "observe"):
            words += ["--budget", chosen(source, VALUES["--budget"])]
        elif "--nodes" not in words or source.random() < 0.5:
            words += ["--nodes", "2"]
        if source.random() < 0.4:
            words.append("--json")
    return [word.replace("\0", "") for word in words]  # no shell passes one on
