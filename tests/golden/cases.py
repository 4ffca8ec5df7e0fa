"""What is recorded: settings, searches, commands and files, each with the name under which it is stored.

Only words that a user writes stand here, so that the cases outlive every renaming inside the package.
"""

from __future__ import annotations

import itertools
import shlex
from typing import Any

# Files that targets, starts and commands refer to; every command runs in a folder that has them.
INPUTS = {
    "dont.pla": ".i 3\n.o 2\n.ilb a b c\n.ob f g\n.type fd\n11- 1-\n--1 01\n000 -1\n010 1-\n.e\n",
    "majority.blif": (
        ".model majority\n.inputs p q r\n.outputs m\n.names p q r m\n11- 1\n1-1 1\n-11 1\n.end\n"
    ),
    "wide.blif": (
        ".model wide\n.inputs " + " ".join(f"i{j}" for j in range(18)) + "\n.outputs z\n"
        ".names " + " ".join(f"i{j}" for j in range(18)) + " z\n" + "1" * 18 + " 1\n.end\n"
    ),
    "wide.pla": (
        ".i 18\n.o 1\n.type fd\n" + "1" * 18 + " 1\n" + "0" * 18 + " -\n" + "01" + "-" * 16 + " 1\n.e\n"
    ),
    "parity.v": ("module parity(input a, input b, input c, output y);\n  assign y = a ^ b ^ c;\nendmodule\n"),
    "table.tt": "00010111\n",
    "cells.genlib": "GATE inv 1 O=!a;\nGATE nand2 2 O=!(a*b);\nGATE aoi21 3 O=!(a*b+c);\n",
    "mapped.blif": (
        ".model mapped\n.inputs a b c\n.outputs y\n.gate nand2 a=a b=b O=w\n.gate nand2 a=w b=c O=y\n.end\n"
    ),
    "start.json": '{"genes": [0, 0, 1, 0, 3, 2, 0, 0, 0, 4]}\n',
    "start.blif": (
        ".model start\n.inputs x1 x2 x3\n.outputs y\n.names x1 x2 w\n11 1\n.names w x3 y\n11 1\n.end\n"
    ),
    "wrong.pla": ".i 3\n.o 1\n11 1\n.e\n",
    "wrong.toml": "replications = 0\n[grid]\ntarget = ['and:3']\n",
    "small.toml": 'replications = 1\n[grid]\ntarget = "and:2"\n',
    "golden.toml": """\
name = "golden"
seed = 5
replications = 3
budget = 20_000
traces = true

[[grid]]
target = ["and:3", "and:4"]
algorithm = ["cgp", "tgp-multi"]
selection = ["nonstrict", "strict"]

[[grid]]
target = ["dont.pla", "majority.blif", "table:3:0x96/0xfe"]
nodes = "4n"
mutation = ["sam", "rate:1%", "point:03"]

[[grid]]
target = "and:5"
training = ["sample", "sample:009"]
profile = "tinyverse"
lambda = 4

[[grid]]
target = "and:4"
nodes = 3
start = "penultimate"
selection = "strict"
[grid.law]
waiting = ["walked", "drawn"]

[[grid]]
target = "add:1"
mutation = ["rate:1", "rate:0.1"]
replications = 1

[[grid]]
target = "xor:14"
nodes = 14
selection = "strict"
budget = 50_000_000
replications = 1
""",
}

MUTATIONS = (
    "sam", "point:1", "point:3", "point:03", "point:1%", "point:12.5%", "point:100%", "rate:1", "rate:1.0",
    "rate:1%", "rate:0.01", "rate:1e-2", "rate:5e-2", "rate:0.050", "rate:.05", "rate:2.5%", "rate:100%",
)  # fmt: skip
FAMILIES = (
    "and:8", "or:6", "xor:5", "nand:3", "nor:3", "xnor:4", "maj:5", "parity:4", "epar:4", "mux:2", "add:2",
    "sum:2", "add_sub:2", "mul:2", "mcomp:2", "icomp:2", "demux:2", "onehot_enc:2", "onescount:3", "alu:2",
    "sort:3",
)  # fmt: skip
CGP_LAWS = (
    {"sam_ends": "picked"}, {"ties": "coin"}, {"starts": 3}, {"uncounted": 1}, {"levels_back": 2},
    {"levels_back": "nodes"}, {"levels_back": 3, "levels_over": "sources"}, {"rows": 2},
)  # fmt: skip
TGP_LAWS = (
    {"insert_at": "leaf"}, {"insert_at": "descent"}, {"delete_at": "descent"}, {"substitution": "functions"},
    {"substitution": "both"}, {"substitution": "off"}, {"child_order": "new-first"}, {"empty": "false"},
    {"empty": "true"}, {"size_limit": 9}, {"ties": "coin"}, {"starts": 2}, {"uncounted": 1},
    {"terminals": "inputs+negated"}, {"terminals": "inputs+undesired:2"},
)  # fmt: skip
GATES = ("and,or", "or,and", "nand", "and,or,not", "mine=0x1b", "and,mine=0x1b,not", "xor,xnor,const1")
TEXT_TARGETS = (
    "table:3:0x96", "table:3:0X96", "odd@table:3:0x96", "table:3:0x96:a,b,c:sum", "table:3:0x96/0xfe",
    "table:2:0x6,0x8", "dont.pla", "majority.blif", "wide.blif", "wide.pla", "parity.v", "table.tt",
)  # fmt: skip


def named(cases: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Cases by what they say, as in `and:4 mutation=sam`."""
    return {" ".join([case["target"], *(f"{k}={v}" for k, v in case.items() if k != "target")]): case
            for case in cases}  # fmt: skip


def identities() -> dict[str, dict[str, Any]]:
    """Settings, as `gatewalk.campaign.campaign` takes them, whose stored identity must stay."""
    cases: list[dict[str, Any]] = [
        {"target": target, "mutation": mutation}
        for target in ("and:4", "maj:3", "add:1")
        for mutation in MUTATIONS
    ]
    for algorithm, profile, selection, training in itertools.product(
        ("cgp", "tgp-single", "tgp-multi"),
        ("paper", "tinyverse"),
        ("nonstrict", "strict"),
        ("complete", "sample", "sample:9", "sample:009"),
    ):
        cases.append({"target": "and:5", "algorithm": algorithm, "profile": profile, "selection": selection,
                      "training": training})  # fmt: skip
    cases += [{"target": target} for target in (*FAMILIES, *TEXT_TARGETS)]
    cases += [{"target": "and:4", "nodes": nodes} for nodes in (8, "8", "n", "2n", "3n+1", "n^2", "n-1")]
    cases += [{"target": "and:4", "law": law} for law in CGP_LAWS]
    cases += [{"target": "and:4", "law": law, "profile": "tinyverse"} for law in CGP_LAWS[::2]]
    cases += [{"target": "and:4", "selection": "strict", "law": {"waiting": "drawn"}}]
    cases += [{"target": "and:4", "algorithm": "tgp-multi", "law": law} for law in TGP_LAWS]
    cases += [{"target": "maj:3", "gates": gates} for gates in GATES]
    cases += [{"target": "or:3", "algorithm": "tgp-single", "gates": "and,or"}]
    cases += [{"target": "and:4", "offspring": offspring} for offspring in (1, 4, 1000)]
    cases += [{"target": "and:4", "budget": budget} for budget in (0, 1000, 10**12)]
    cases += [{"target": "and:4", "seed": seed} for seed in (0, 1, 2**40)]
    cases += [{"target": "and:4", "evaluation": way} for way in ("table", "reference")]
    cases += [
        {"target": "and:4", "nodes": "n-1", "start": "penultimate"},
        {"target": "xor:5", "start": "near-optimum"},
        {"target": "and:3", "nodes": 3, "start": "start.json"},
        {"target": "and:3", "nodes": 4, "start": "start.blif"},
        {"target": "and:2", "nodes": 1, "start": "genes:0,0,1,2"},
        {"target": "majority.blif", "gates": "cells.genlib"},
        {"target": "dont.pla", "mutation": "point:5%", "training": "sample:04"},
        {"target": "wide.blif", "training": "sample", "gates": "and"},
        {"target": "wide.blif", "algorithm": "tgp-single", "training": "sample:10"},
        {"target": "table:3:0x96/0xfe", "algorithm": "tgp-multi", "gates": "and,xor"},
        {"target": "and:6", "mutation": "point:1%", "nodes": "n^2", "gates": "and,or"},
        {"target": "and:6", "mutation": "point:1%", "nodes": 100, "gates": "and,mux"},
        {"target": "and:6", "mutation": "rate:0.5", "offspring": 4, "selection": "strict"},
        {"target": "xor:4", "profile": "tinyverse", "law": {"levels_back": "unlimited"}},
        {"target": "and:1000", "nodes": "5n+2"},
    ]
    return named(cases)


def searches() -> dict[str, dict[str, Any]]:
    """Searches, as `gatewalk.evolve` takes them."""
    cases: list[dict[str, Any]] = [
        {"target": "and:6", "mutation": mutation, "offspring": offspring, "selection": selection,
         "profile": profile, "budget": 5000, "seed": 3}
        for mutation in ("sam", "point:2", "rate:0.1")
        for offspring in (1, 4)
        for selection in ("nonstrict", "strict")
        for profile in ("paper", "tinyverse")
    ]  # fmt: skip
    cases += [
        {"target": "maj:3", "gates": "and,or,not", "nodes": 12, "mutation": mutation, "offspring": offspring,
         "evaluation": "table", "budget": 5000, "seed": 4}
        for mutation in ("sam", "point:2", "rate:0.1")
        for offspring in (1, 4)
    ]  # fmt: skip
    cases += [
        {"target": "xor:3", "mutation": mutation, "evaluation": "reference", "budget": 500, "seed": 5}
        for mutation in ("sam", "point:1", "rate:0.05")
    ]
    cases += [
        {"target": target, "gates": gates, "evaluation": "symbolic", "budget": 20000, "seed": 6}
        for target, gates in (("xor:5", "xor"), ("or:5", "or"), ("epar:4", "xor,xnor,not"))
    ]
    cases += [
        {"target": "and:7", "algorithm": algorithm, "selection": selection, "profile": profile, "seed": 7}
        for algorithm in ("tgp-single", "tgp-multi")
        for selection in ("nonstrict", "strict")
        for profile in ("paper", "tinyverse")
    ]
    cases += [
        {"target": "and:4", "algorithm": "tgp-multi", "evaluation": "table", "budget": 2000, "seed": 8},
        {"target": "xor:3", "algorithm": "tgp-single", "evaluation": "reference", "budget": 200, "seed": 8},
        {"target": "or:4", "algorithm": "tgp-multi", "options": {"substitution": "both", "empty": "true"},
         "gates": "and,or", "budget": 2000, "seed": 8},
        {"target": "and:4", "algorithm": "tgp-single", "options": {"terminals": "inputs+negated",
         "size_limit": 12}, "budget": 2000, "seed": 8},
        {"target": "and:9", "algorithm": "tgp-single", "training": "sample:009", "seed": 8},
        {"target": "xor:6", "training": "sample", "budget": 5000, "seed": 9},
        {"target": "add:2", "training": "sample:20", "budget": 5000, "seed": 9},
        {"target": "and:4", "selection": "strict", "options": {"waiting": "drawn"}, "seed": 10},
        {"target": "xor:3", "selection": "strict", "options": {"waiting": "drawn"}, "seed": 10},
        {"target": "add:1", "budget": 20000, "seed": 11},
        {"target": "mul:2", "nodes": 30, "offspring": 4, "mutation": "point:5%", "budget": 20000, "seed": 11},
        {"target": "dont.pla", "nodes": 20, "budget": 20000, "seed": 11},
        {"target": "majority.blif", "nodes": 20, "gates": "nand", "budget": 20000, "seed": 11},
        {"target": "wide.pla", "nodes": 40, "training": "sample:50", "budget": 2000, "seed": 11},
        {"target": "table:3:0x96/0xfe", "nodes": 10, "gates": "and,mine=0x1b,not", "budget": 20000,
         "seed": 11},
        {"target": "and:70", "budget": 3000, "seed": 12, "run": 7},
        {"target": "and:6", "options": {"levels_back": 3, "starts": 3}, "seed": 2**40, "run": 2**20},
        {"target": "and:4", "nodes": 12, "options": {"rows": 3}, "seed": 12},
        {"target": "and:5", "nodes": "n-1", "start": "penultimate", "budget": 5000, "seed": 12},
        {"target": "xor:5", "start": "near-optimum", "budget": 5000, "seed": 12},
        {"target": "maj:3", "nodes": 6, "gates": "and,or", "start": "start.blif", "budget": 5000, "seed": 12},
    ]  # fmt: skip
    return named(cases)


# Searches that are saved in the middle: (settings, seed, run, iterations before they are saved).
SAVED: dict[str, tuple[dict[str, Any], int, int, int]] = {
    "cgp": ({"target": "and:8", "nodes": 16, "selection": "strict", "budget": 5000}, 1, 0, 300),
    "offspring": ({"target": "maj:5", "nodes": 40, "offspring": 4, "mutation": "rate:0.05", "budget": 5000},
                  2, 3, 200),
    "outputs": ({"target": "dont.pla", "nodes": 12, "mutation": "point:2", "budget": 5000}, 1, 0, 5),
    "drawn": ({"target": "and:6", "selection": "strict", "options": {"waiting": "drawn"}, "budget": 10**6},
              1, 1, 50),
    "sampled": ({"target": "xor:6", "training": "sample:040", "budget": 5000}, 3, 1, 100),
    "tree": ({"target": "and:8", "algorithm": "tgp-multi", "budget": 5000}, 1, 0, 20),
    "tinyverse": ({"target": "and:8", "algorithm": "tgp-single", "profile": "tinyverse", "budget": 5000},
                  1, 4, 20),
}  # fmt: skip


def lines(text: str) -> dict[str, list[str]]:
    """Command lines by themselves."""
    return {line: shlex.split(line) for line in filter(None, map(str.strip, text.splitlines()))}


EXACT = lines("""
exact and:3 --nodes 3 --json
exact and:3 --nodes 3 --selection strict --json
exact and:3 --nodes 2 --selection strict --levels --json
exact and:4 --nodes 3 --selection strict --quantiles 0.5,0.9,0.99 --json
exact and:4 --nodes 3 --levels --json
exact and:4 --nodes 4 --json
exact and:2 --nodes 2 --rational --json
exact and:3 --nodes 2 --rational --selection strict --json
exact xor:3 --nodes 4 --json
exact xor:3 --nodes 3 --profile tinyverse --json
exact and:3 --nodes 3 --profile tinyverse --json
exact and:3 --nodes 3 --mutation point:2 --quantiles 0.5 --tail 100,1000 --json
exact and:3 --nodes 3 --mutation rate:0.1 --tail 10,50 --json
exact and:3 --nodes 3 --mutation rate:0.1 --selection strict --lambda 4 --json
exact and:3 --nodes 3 --lambda 4 --json
exact and:3 --nodes 3 --option ties=coin --json
exact and:3 --nodes 3 --option levels_back=1 --json
exact and:4 --algorithm tgp-multi --json
exact and:4 --algorithm tgp-single --selection strict --json
exact or:5 --algorithm tgp-single --json
exact and:4 --nodes 3 --training sample:8 --sets 2 --seed 1 --json
exact and:3 --nodes 3 --training sample --sets 3 --selection strict --json
exact or:3 --nodes 3 --gates or,and --json
exact table:2:0x6 --nodes 3 --gates nand --json
exact table:3:0x80/0xfe --nodes 3 --gates and --json
exact and:2 --nodes 3 --gates and,or,not --full --json
""")

BOUNDS = lines("""
bounds and:8 --nodes 16 --json
bounds and:1000 --nodes n^2 --json
bounds and:10 --nodes n-1 --selection strict --tail 0.99 --json
bounds and:5 --nodes n-1 --start penultimate --selection strict --json
bounds and:8 --training sample --json
bounds and:6 --mutation point:2 --json
bounds and:6 --mutation rate:1% --selection strict --json
bounds and:6 --lambda 4 --json
bounds and:6 --profile tinyverse --json
bounds and:4 --gates and,or --json
bounds and:4 --option ties=coin --json
bounds or:6 --nodes 3n --json
bounds xor:500 --nodes n --json
bounds xor:6 --nodes n --tail 0.9 --json
bounds xor:4 --nodes n --start near-optimum --json
bounds maj:5 --json
""")

# Commands whose lines of JSON, and files if they write any, must stay; seconds aside.
COMMANDS = lines("""
evolve and:6 --runs 5 --seed 1 --json
evolve and:5 --runs 3 --seed 2 --jobs 2 --selection strict --profile tinyverse --budget 3000 --json
evolve maj:3 --gates and,or --nodes 8 --runs 2 --out circuit.json --json
evolve mul:2 --nodes 30 --budget 20000 --mutation rate:2% --lambda 4 --out c.blif --as-is --unsolved --json
evolve dont.pla --nodes 20 --runs 2 --out circuit.v --json
evolve and:50 --training sample --algorithm tgp-single --json
evolve mapped.blif --library cells.genlib --gates cells.genlib --nodes 8 --budget 5000 --json
observe and:4 --runs 20 --seed 1 --json
observe xor:4 --nodes n --budget 1000 --runs 5 --out trace.csv --json
observe and:5 --training sample --runs 5 --record every:2 --out trace.csv --json
circuit check add:2 add:2 --json
circuit check majority.blif table:3:0xe8 --json
circuit check dont.pla dont.pla --json
circuit check and:3 or:3 --json
circuit check wide.blif and:18 --json
circuit stats add:3 --cost and=1,or=1,xor=2.5 --json
circuit stats mapped.blif --library cells.genlib --cost cells.genlib --json
circuit convert add:2 circuit.json --gates and,or,xor
circuit convert mapped.blif circuit.v --library cells.genlib
circuit convert majority.blif circuit.tex --as-is
circuit draw add:1 --out circuit.svg --theme dark
circuit minimise mul:2 --evaluations 20000 --runs 2 --seed 1 --out circuit.blif --json
circuit minimise maj:5 --evaluations 20000 --gates aig --seed 2 --out circuit.aag --json
circuit minimise maj:5 --evaluations 20000 --cost depth --seed 1 --out circuit.blif --json
circuit minimise maj:5 --evaluations 20000 --cost gates,depth --seed 1 --out circuit.blif --json
circuit minimise maj:5 --evaluations 20000 --cost nand=1,not=0.5 --gates nand,not --out circuit.blif --json
circuit minimise mul:2 --evaluations 20000 --slack 2 --seed 1 --out circuit.blif --json
circuit minimise maj:5 --evaluations 20000 --method cgp --seed 1 --out circuit.blif --json
circuit minimise maj:5 --evaluations 20000 --method cgp --mutation rate:0.05 --lambda 4 --nodes 40 --json
circuit minimise dont.pla --evaluations 5000 --prove --out circuit.blif --json
circuit minimise alu:4 --evaluations 20000 --seed 1 --out circuit.blif --json
circuit minimise alu:8 --evaluations 30000 --seed 1 --out circuit.blif --json
circuit minimise alu:8 --evaluations 3000 --cost and=1,or=1,xor=3,not=0.5 --gates and,or,xor,not --json
circuit minimise alu:8 --evaluations 3000 --method cgp --seed 1 --out circuit.blif --json
circuit minimise add:16 --evaluations 3000 --seed 1 --json
circuit minimise mapped.blif --library cells.genlib --gates cells.genlib --evaluations 2000 --json
targets --json
targets mul:2 --json
targets dont.pla --json
""")

# Of these only the keys count: the texts are for readers, and speeds depend on the machine.
KEYS = lines("""
study list --json
bench and:15 --seconds 0.01 --json
""")

# Of these only the exit code counts, and that one line on standard error says why it is 2.
EXIT_CODES = lines("""
evolve and:4 --nodes 8
evolve nothing:4
evolve and:4 --nodes -1
evolve and:4 --mutation rate:2
evolve and:4 --selection lax
evolve and:3 --nodes 1
evolve wrong.pla
evolve missing.blif
evolve and:4 --out circuit.xyz
evolve add:1 --algorithm tgp-single
evolve and:6 --budget 3 --out circuit.json
evolve and:6 --budget 3 --out circuit.json --unsolved
exact and:4 --nodes 16
exact and:3 --nodes 3 --mutation swap
bounds and:4 --training sample:0
observe and:4 --record never
observe and:4 --algorithm tgp-single
campaign run wrong.toml
campaign run missing.toml
campaign status missing.sqlite
campaign export missing.sqlite --to csv --out runs.csv
campaign run small.toml --dry-run
circuit check and:3 or:3
circuit check and:3 and:3
circuit check and:3 and:4
circuit convert wrong.pla circuit.v
circuit convert parity:3 circuit.v --gates nand
circuit minimise alu:8 --evaluations 3000 --cost depth
circuit minimise mul:2 --evaluations 10 --nodes 20
study run no_such_study
report missing.sqlite --out page.html
targets nothing:3
bench nothing:3
unheard
""")

# Every format that is written, for each of these circuits.
SUFFIXES = ("aag", "aig", "blif", "c", "dot", "json", "pla", "py", "svg", "sympy.py", "tex", "tt", "v",
            "yosys.json")  # fmt: skip
CIRCUITS = ("add:2", "maj:5", "dont.pla", "mapped.blif --library cells.genlib")
WRITTEN = {f"{circuit} as {suffix}": (circuit, suffix) for circuit in CIRCUITS for suffix in SUFFIXES}

SMALLEST: dict[str, dict[str, Any]] = {
    "maj:3": {"what": "maj:3"},
    "maj:3 of nand": {"what": "maj:3", "gates": "nand"},
    "sum:1": {"what": "sum:1"},
    "add:1 of and,or,xor": {"what": "add:1", "gates": "and,or,xor"},
    "don't-cares": {"what": "table:3:0x96/0xfe", "gates": "and,or,not"},
    "too few": {"what": "xor:4", "gates": "nand", "at_most": 4},
}

# Options of the estimators; those that binarise learn from numbers, the others from bits.
LEARNT: dict[str, dict[str, Any]] = {
    "bits": {"gates": "and,xor", "budget": 20_000, "random_state": 1},
    "held out": {
        "budget": 20_000, "runs": 2, "validation_fraction": 0.25, "random_state": 2, "choose": "knee",
    },
    "numbers": {
        "budget": 10_000, "runs": 2, "binarise": "quantiles:3", "random_state": 3, "mutation": "rate:0.05",
        "offspring": 4, "nodes": 30,
    },
}  # fmt: skip

# Studies whose claims are judged on their stored results, and on what little of the rest is quick to measure.
# Left out: the paper, which stores no runs, and goldman_punch, of which measuring the rest takes too long.
STUDIES = (
    "cgp_benchmark",
    "growth",
    "incomplete",
    "levels",
    "nodes",
    "traps",
    "tree_functions",
    "tree_negation",
)
LONG_STUDIES = ("flat", "tree_terminals", "trees")
