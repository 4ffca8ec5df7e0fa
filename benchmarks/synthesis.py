"""Circuits made smaller, beside the best sizes that are known and beside other tools, in equal time.

    python benchmarks/synthesis.py [--seconds 30] [--only mul:3] [--without-others] [--table]

Every case begins with the circuit of the target's own rule (`gatewalk circuit convert`). Gatewalk searches
for so many seconds on all processors; then the others get the same circuit: ABC (compress2rs until nothing
changes, and &deepsyn for as many processor seconds as Gatewalk has used), mockturtle through aigverse
(resubstitution, refactoring and rewriting until nothing changes) and cirbo (windows by SAT, for as long).
`pip install aigverse cirbo` and Debian's berkeley-abc bring them; one that is missing is left out. Graphs of
and-gates are compared with each other only: ABC and mockturtle work on these. Writes
benchmarks/results/synthesis.jsonl, and the circuits into circuits/ beside it. Seconds are by the clock; the
processor time that each program used is stored too, because on a busy machine it says more.

Best sizes known. IWLS: entries of the IWLS 2022 programming contest. KPS: A. Kulikov, D. Pechenev and N.
Slezkin, "SAT-based circuit local improvement", MFCS 2022. Redkin: N. Red'kin, "On the minimal realization of
a binary adder", 1981. cirbo: what that program makes. reported: a size in circulation whose first source is
not known here.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gatewalk as gw
from gatewalk.circuit.circuit import Circuit
from gatewalk.synthesis.options import basis, in_gates, start_of

RESULTS = Path(__file__).parent / "results" / "synthesis.jsonl"
CIRCUITS = RESULTS.parent / "circuits"  # what was found, as TARGET-GATES.blif
# target, gates, the best size known and where it is from, seconds (None: as the command line says)
CASES: list[tuple[str, str, int | None, str, float | None]] = [
    ("mul:2", "any", 7, "proven here by SAT", 10),
    ("mul:3", "any", 23, "reported", 20),
    ("mul:4", "any", 57, "reported", 60),
    ("mul:5", "any", 106, "cirbo", 120),
    ("sum:3", "any", 12, "Redkin", 10),
    ("sum:4", "any", 17, "Redkin", 10),
    ("sum:6", "any", 27, "Redkin", 20),
    ("onescount:3", "any", 5, "proven here by SAT", 10),
    ("onescount:5", "any", 11, "KPS", 20),
    ("onescount:7", "any", 19, "KPS", 20),
    ("maj:5", "any", None, "", 20),
    ("maj:7", "any", None, "", 20),
    ("maj:5", "aig", 10, "IWLS", 20),
    ("maj:7", "aig", 20, "IWLS", 20),
    ("maj:9", "aig", 30, "IWLS", 30),
    ("maj:11", "aig", 46, "IWLS", 30),
    ("maj:13", "aig", 63, "IWLS", 40),
    ("onescount:5", "aig", 17, "IWLS", 20),
    ("onescount:7", "aig", 28, "IWLS", 20),
    ("onescount:8", "aig", 37, "IWLS", 20),
    ("sort:5", "aig", 18, "IWLS", 20),
    ("sort:6", "aig", 24, "IWLS", 20),
    ("sort:7", "aig", 32, "IWLS", 20),
    ("sort:8", "aig", 38, "IWLS", 20),
    # Circuits as designers have them, made by rule; nothing is known of their best sizes.
    ("alu:4", "aig", None, "", None),
    ("alu:8", "aig", None, "", None),
    ("mcomp:8", "aig", None, "", None),
    ("mcomp:16", "aig", None, "", None),
    ("mux:16", "aig", None, "", None),
    ("demux:16", "aig", None, "", None),
    ("onehot_enc:16", "aig", None, "", None),
    ("add:64", "aig", None, "", None),
    ("mul:6", "aig", None, "", None),
    ("mul:8", "aig", None, "", None),
]
ABC_ALIASES = (
    "alias b balance; alias rs resub; alias rw rewrite; alias rf refactor; alias rwz rewrite -z; "
    'alias rfz refactor -z; alias compress2rs "b -l; rs -K 6 -l; rw -l; rs -K 6 -N 2 -l; rf -l; rs -K 8 -l; '
    "b -l; rs -K 8 -N 2 -l; rw -l; rs -K 10 -l; rwz -l; rs -K 10 -N 2 -l; b -l; rs -K 12 -l; rfz -l; "
    'rs -K 12 -N 2 -l; rwz -l; b -l"; '
)
CIRBO_GATES = {
    "and": "AND", "or": "OR", "xor": "XOR", "nand": "NAND", "nor": "NOR", "xnor": "NXOR", "not": "NOT",
    "nimply": "GT", "ncimply": "LT", "imply": "LEQ", "cimply": "GEQ",
}  # fmt: skip


def ours(name: str, gates: str, seconds: float, seed: int) -> dict[str, Any]:
    """Gatewalk's circuit, and when each smaller one was there."""
    steps: list[tuple[int, float]] = []

    def on_progress(share: float, words: str) -> None:
        size = int(words.split()[0])  # as in "57 gates, 1,234 circuits tried"
        if not steps or size < steps[-1][0]:
            steps.append((size, round(share * seconds, 1)))

    result = gw.minimise(name, gates=gates, seconds=seconds, seed=seed, on_progress=on_progress)
    CIRCUITS.mkdir(exist_ok=True)
    gw.write_file(result.circuit, CIRCUITS / f"{name.replace(':', '')}-{gates}.blif")
    gates_after = result.record["gates_after"]
    reached = next((at for size, at in steps if size <= gates_after), round(result.seconds, 1))
    stored = {"gatewalk": gates_after, "reached_after": reached, "steps": steps[-6:]}
    return stored | {
        key: result.record[key]
        for key in ("depth_after", "method", "proof", "lower_bound", "optimal", "evaluations")
    }


def abc(circuit: Circuit, seconds: float) -> dict[str, Any]:
    """Nodes that ABC's scripts leave; &deepsyn counts its seconds by the processor's clock."""
    if shutil.which("berkeley-abc") is None:
        return {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "start.aig"
        gw.write_file(circuit, path)
        again = "compress2rs; " * 10
        scripts = {
            "abc_compress2rs": f"{again} print_stats",
            "abc_deepsyn": f"&get; &deepsyn -T {max(1, round(seconds))}; &put; print_stats",
        }
        found: dict[str, Any] = {}
        for name, script in scripts.items():
            found |= timed(name, partial(_abc_nodes, name, f"read {path}; strash; {script}"))
        return found


def _abc_nodes(name: str, script: str) -> dict[str, int]:
    shown = subprocess.run(
        ["berkeley-abc", "-c", ABC_ALIASES + script], capture_output=True, text=True, check=True
    ).stdout
    return {name: int(re.findall(r"and =\s*(\d+)", shown)[-1])}


def mockturtle(circuit: Circuit) -> dict[str, int]:
    """Nodes that mockturtle's algorithms leave, taken in turn until nothing changes."""
    try:
        from aigverse import algorithms, io
    except ImportError:
        return {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "start.aig"
        gw.write_file(circuit, path)
        graph = io.read_aiger_into_aig(str(path))
    while True:
        before = graph.num_gates
        graph = algorithms.aig_resubstitution(graph, use_dont_cares=True)
        graph = algorithms.sop_refactoring(graph)
        graph = algorithms.aig_cut_rewriting(graph)
        graph = algorithms.cleanup_dangling(graph)
        if graph.num_gates >= before:
            return {"mockturtle": min(before, graph.num_gates)}


def cirbo(circuit: Circuit, seconds: float) -> dict[str, int]:
    """Gates that cirbo leaves after windows by SAT, over and over for so long."""
    try:
        from cirbo.core.circuit import Circuit as Theirs
        from cirbo.core.circuit import Gate, gate
        from cirbo.minimization import minimize_subcircuits
        from cirbo.synthesis.circuit_search import Basis
    except ImportError:
        return {}
    made = Theirs()
    n = len(circuit.input_labels)
    for i in range(n):
        made.add_inputs([f"s{i}"])
    for i, node in enumerate(circuit.nodes):
        operands = tuple(f"s{source}" for source in node.sources)
        made.add_gate(Gate(f"s{n + i}", getattr(gate, CIRBO_GATES[node.gate.name]), operands))
    for source in circuit.outputs:
        made.mark_as_output(f"s{source}")
    began, best = time.monotonic(), len(circuit)
    while time.monotonic() - began < seconds:
        try:
            made = minimize_subcircuits(made, Basis.XAIG, max_subcircuit_size=7, solver_time_limit_sec=5)
        except KeyError:  # a fault of its own, on some circuits
            break
        size = made.gates_number() if hasattr(made, "gates_number") else made.size - n
        if size >= best:
            break
        best = size
    return {"cirbo": best}


def timed(key: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What some work finds, and the processor seconds that it took, its child processes included."""
    before = _processor()
    found = work()
    return {**found, f"{key}_processor_seconds": round(_processor() - before, 1)} if found else {}


def _processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def against_abc(record: dict[str, Any]) -> str:
    """How many gates fewer or more than the best of ABC's scripts left, in percent."""
    sizes = [record[key] for key in ("abc_compress2rs", "abc_deepsyn") if key in record]
    if not sizes:
        return ""
    percent = 100 * (record["gatewalk"] - min(sizes)) / min(sizes)
    return "0 %" if round(percent, 1) == 0 else f"{percent:+.1f} %".replace("-", "\N{MINUS SIGN}")


def table() -> str:
    """The stored results as a table in Markdown."""
    lines = [
        "| target | gates | start | Gatewalk | after | of | processor | best known "
        "| ABC compress2rs | &deepsyn | processor | against ABC | mockturtle | cirbo |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for line in RESULTS.read_text().splitlines():
        one = json.loads(line)
        known = "" if one["best_known"] is None else f"{one['best_known']} ({one['source']})"
        spent = {
            key: f"{one[f'{key}_processor_seconds']:.0f} s" if f"{key}_processor_seconds" in one else ""
            for key in ("gatewalk", "abc_deepsyn")
        }
        cells = [one["target"], one["gates"], one["start"], f"**{one['gatewalk']}**"]
        cells += [f"{one['reached_after']:g} s", f"{one['seconds']:g} s", spent["gatewalk"], known]
        cells += [one.get("abc_compress2rs", ""), one.get("abc_deepsyn", ""), spent["abc_deepsyn"]]
        cells += [against_abc(one), one.get("mockturtle", ""), one.get("cirbo", "")]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run the cases that are asked for and put their records into the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="of cases that say none")
    parser.add_argument("--only", action="append", help="a target; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-others", action="store_true")
    parser.add_argument("--table", action="store_true", help="only print the stored results")
    given = parser.parse_args()
    if given.table:
        print(table())
        return
    known = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    records = {(record["target"], record["gates"]): record for record in known}
    gw.minimise("mul:2", evaluations=1_000)  # compiles, which is not measured
    for name, gates, best, source, own_seconds in CASES:
        if given.only and name not in given.only:
            continue
        seconds = own_seconds or given.seconds
        start = in_gates(start_of(name), basis(gates))
        record: dict[str, Any] = {"target": name, "gates": gates, "best_known": best, "source": source}
        record |= {"start": len(start), "seconds": seconds, "seed": given.seed}
        record |= timed("gatewalk", partial(ours, name, gates, seconds, given.seed))
        if not given.without_others and gates == "aig":
            record |= abc(start, record["gatewalk_processor_seconds"])
            record |= timed("mockturtle", partial(mockturtle, start))
        elif not given.without_others:
            record |= timed("cirbo", partial(cirbo, start, seconds))
        records[name, gates] = record
        print(json.dumps(record), flush=True)
        order = [(name, gates) for name, gates, *_ in CASES]
        lines = [json.dumps(records[key]) for key in order if key in records]
        RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
