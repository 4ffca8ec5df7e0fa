"""A user's program under `mypy --strict`: the keywords of the façade have types that a checker can read."""

import re
import sys

import pytest
from processes import finished

PROGRAM = """
import gatewalk as gw
from gatewalk.campaign import campaign, grid, plan

run = gw.evolve("and:8", nodes="2n", mutation="point:3", budget=10_000, seed=1)
print(run.iterations + 1, run.circuit)
runs = gw.run_many("xor:3", runs=50, selection="strict", mutation=gw.Rate(0.1), training=gw.Sample(5), jobs=2)
print(runs.solved.mean(), runs[0].fitness)
search = gw.search_for("mul:2", gates=["and", "xor"], offspring=4, options={"ties": "coin"})
print(gw.run_many(search, runs=[3, 5]).iterations)
runs = gw.run_many("and:4", runs=range(5), on_improvement=lambda run, iterations, fitness: None)
print(runs.ert().value + 1, runs.ert().interval.low, runs.summary()["median"], runs.to_frame("improvements"))
gw.compare("and:4", nodes=["n", 8], mutation=["sam", gw.Point(1)], options={"ties": ["coin"]}).close()
session = gw.begin(search, seed=1, run=0, told=True)
gw.tell(session, len(gw.ask(session)))
both = campaign(target=["and:4", "and:6"], selection=["strict", "nonstrict"], nodes=[8, "2n"], replications=5)
print(plan(both)[0].key, grid(target="and", n=[3, 4]))
"""
MISTAKES = """
import gatewalk as gw
from gatewalk.campaign import campaign

gw.evolve("and:8", node=16)  # expect: Unexpected keyword argument "node"
gw.evolve("and:8", seed="1")  # expect: "seed"
gw.evolve("and:8", selection=3)  # expect: "selection"
gw.evolve("and:8", mutation=3)  # expect: "mutation"
gw.run_many("and:8", runs=10, training=20)  # expect: "training"
gw.run_many("and:8", profile="papers")  # expect: "profile"
gw.compare("and:8", selection=["strict", 3])  # expect: nonstrict
gw.run_many("and:8").to_frame("cells")  # expect: "to_frame"
gw.search_for("and:8", algorithm="gp")  # expect: "algorithm"
campaign(target="and:4", selection=[3])  # expect: nonstrict
campaign(targets="and:4")  # expect: "targets"
gw.evolve("and:8").iterations.upper()  # expect: has no attribute "upper"
"""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What mypy says of both programs: by file, the message of each line."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "right.py").write_text(PROGRAM)
    (folder / "wrong.py").write_text(MISTAKES)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "right.py", "wrong.py"]
    done = finished(command, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    by_file = {"right.py": {}, "wrong.py": {}}
    for file, line, message in re.findall(r"^(\w+\.py):(\d+): error: (.*)$", done.stdout, re.MULTILINE):
        by_file[file][int(line)] = message
    return by_file


def test_a_program_without_mistakes_passes(complaints):
    assert complaints["right.py"] == {}


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (number, text.partition("# expect: ")[2])
        for number, text in enumerate(MISTAKES.splitlines(), 1)
        if "# expect: " in text
    ],
)
def test_each_mistake_is_named(line, part, complaints):
    assert part in complaints["wrong.py"].get(line, "no complaint")


def test_nothing_else_is_complained_about(complaints):
    expected = {number for number, text in enumerate(MISTAKES.splitlines(), 1) if "# expect: " in text}
    assert set(complaints["wrong.py"]) == expected
