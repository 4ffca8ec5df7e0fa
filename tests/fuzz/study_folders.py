"""Folders of studies: headers, published runs, stored runs and notes that no one meant."""

from pathlib import Path
from tempfile import TemporaryDirectory

from attacks import chosen, damaged, judged
from specs import _change

from gatewalk.report.page import notes_markup
from gatewalk.studies.folder import read_study
from gatewalk.studies.published import read_stored_runs

SPEC = """seed = 7
replications = 20
budget = 2_000
[study]
title = "T"
question = "Q"
answer = "A"
citations = ["one", "two"]
minutes = 1.5
x = "n"
time = "evaluations"
[published]
source = "S"
[grid]
target = ["and:4", "xor:3"]
nodes = ["n", "2n"]
[quick]
replications = 2
grid = { target = "and:3" }
"""
PUBLISHED = "target,nodes,time,solved\nand:4,2n,17,true\nxor:3,3,40,false\nand:4,n,1e3,0\n"
STATISTICS = "target,nodes,runs,successes,mean,std,median\nand:4,2n,30,29,17.5,4,16\nxor:3,3,30,0,,,\n"
STORED = "target,n,nodes,run,iterations,solved\nand:4,4,8,0,17,True\nand:4,4,8,1,18,False\n"
NOTES = (
    "# Title\n\n**Bold** `code` [link](https://a.b) ![w](figure.svg)\n\n- one\n- two\n\n| a |\n|---|\n| 1 |\n"
)
CELLS = ("", "nan", "-1", "1e400", "time", "true", "2n", '"', "\0", "\ud800", "9" * 5000, "a,b", "é", "law.x")


def attack(source):
    """Damage one file of a folder, and read all of it."""
    with TemporaryDirectory() as name:
        home = Path(name)
        files = {"spec.toml": SPEC, "published.csv": PUBLISHED, "runs.csv": STORED, "README.md": NOTES}
        if source.random() < 0.5:
            files["published.csv"] = STATISTICS
        worst = chosen(source, tuple(files))
        for file, text in files.items():
            data = text.encode()
            if file == worst:
                data = _damaged(source, file, text)
            (home / file).write_bytes(data)
        judged(lambda: notes_markup(read_study(home).notes))
        judged(lambda: read_stored_runs(home / "runs.csv"))


def _damaged(source, file, text):
    if source.random() < 0.3:
        return damaged(source, text.encode())
    lines = text.splitlines()
    for _ in range(source.randint(1, 3)):
        if file == "spec.toml":
            _change(source, lines)
        else:
            at = source.randrange(len(lines))
            cells = lines[at].split(",")
            cells[source.randrange(len(cells))] = chosen(source, CELLS)
            lines[at] = ",".join(cells)
    return "\n".join(lines).encode("utf-8", "surrogatepass")
