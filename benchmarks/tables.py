"""Circuits for truth tables of 8 to 10 inputs, beside the best sizes known, in equal processor time.

    python benchmarks/tables.py [--seconds 60] [--seeds 3] [--only root] [--again] [--table]

Each function is given as its table alone, so the search begins at a sum of products or a decision diagram.
Sizes are nodes of and/inverter graphs. Gatewalk gets so many seconds of the processor on one thread for each
seed, without those of compilation, and ABC's &deepsyn as many with the same start. Seconds of the processor
mean the same beside other work; `evaluations`, the circuits tried with each seed, tell whether the processor
was as fast as usual. The best sizes known were found from the circuits of the rules below, which the search
from the table does not see, within minutes. They are kept in results/tables, and a test proves each of them
right. Writes benchmarks/results/tables.jsonl after each function, and does not repeat what it has: with the
defaults it takes 20 minutes of one processor.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from math import exp, log
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import gatewalk as gw
from gatewalk.boolean.gates import GATES
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit, Draft, circuit_tables
from gatewalk.circuit.construction import target_circuit
from gatewalk.circuit.formats.aiger import graph_of
from measurements import store, stored
from synthesis import ABC_ALIASES

CIRCUITS = Path(__file__).parent / "results" / "tables"  # the best known, as FUNCTION.aag


class Bit:
    """A source of a circuit under construction; operators add gates, and constants are plain 0 and 1."""

    def __init__(self, draft: Draft, source: int) -> None:
        self.draft, self.source = draft, source

    def _gate(self, name: str, other: Any) -> Any:
        return Bit(self.draft, self.draft.add(GATES[name], (self.source, other.source)))

    def __and__(self, other: Any) -> Any:
        return self._gate("and", other) if isinstance(other, Bit) else self if other else 0

    def __or__(self, other: Any) -> Any:
        return self._gate("or", other) if isinstance(other, Bit) else 1 if other else self

    def __xor__(self, other: Any) -> Any:
        return self._gate("xor", other) if isinstance(other, Bit) else inverted(self) if other else self

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__


Bits = list[Any]  # of a number, the lowest first


def inverted(bit: Any) -> Any:
    """The negation of a bit."""
    return Bit(bit.draft, bit.draft.negation(bit.source)) if isinstance(bit, Bit) else 1 - bit


def added(one: Bits, other: Bits, carry: Any = 0) -> Bits:
    """The sum of two numbers of as many bits, by a ripple of carries; it has a bit more."""
    total = []
    for a, b in zip(one, other, strict=True):
        total.append(a ^ b ^ carry)
        carry = (a & b) | (carry & (a ^ b))
    return [*total, carry]


def subtracted(one: Bits, other: Bits) -> tuple[Bits, Any]:
    """The difference, and whether it is not negative."""
    *difference, is_enough = added(one, [inverted(bit) for bit in other], 1)
    return difference, is_enough


def chosen(select: Any, one: Bits, other: Bits) -> Bits:
    """The first number where `select` is 1, the other where it is 0."""
    return [(select & a) | (inverted(select) & b) for a, b in zip(one, other, strict=True)]


def decimal(x: Bits) -> Bits:
    """A number of 8 bits as decimal digits of 4, 4 and 2 bits: shift, and add 3 to digits of 5 or more."""
    digits: Bits = [0] * 12
    for bit in reversed(x):
        for at in (0, 4, 8):
            a, b, c, d = digits[at : at + 4]
            is_five = d | (c & (b | a))
            digits[at : at + 4] = added([a, b, c, d], [is_five, is_five, 0, 0])[:4]
        digits = [bit, *digits[:-1]]
    return digits[:10]


def field_product(x: Bits) -> Bits:
    """The product of two elements of the field of 16 elements, modulo x^4 + x + 1."""
    product: Bits = [0] * 7
    for i in range(4):
        for j in range(4):
            product[i + j] = product[i + j] ^ (x[i] & x[4 + j])
    for i in (6, 5, 4):
        product[i - 4], product[i - 3] = product[i - 4] ^ product[i], product[i - 3] ^ product[i]
    return product[:4]


def hidden(x: Bits) -> Bits:
    """Eight gates of a random circuit of 90 gates that reads 9 inputs."""
    generator = random.Random(7)
    sources = list(x)
    for _ in range(90):
        a, b = generator.sample(sources[-24:], 2)
        a = inverted(a) if generator.random() < 0.5 else a
        sources.append(a ^ b if generator.random() < 0.2 else a & b if generator.random() < 0.5 else a | b)
    return sources[-8:]


def root(x: Bits) -> Bits:
    """The square root of a number of 10 bits, rounded down."""
    rest: Bits = [0] * 7
    result: Bits = []
    for at in (8, 6, 4, 2, 0):
        rest = [x[at], x[at + 1], *rest[:-2]]
        trial = [1, 0, *result, *[0] * (5 - len(result))]
        difference, is_enough = subtracted(rest, trial)
        rest = chosen(is_enough, difference, rest)
        result = [is_enough, *result]
    return result


def modulo(x: Bits) -> Bits:
    """A number of 10 bits modulo 7: the sum of its octal digits modulo 7."""
    *total, carry = added(x[0:3], x[3:6])
    for digit in ([carry, 0, 0], x[6:9], [x[9], 0, 0]):
        *total, carry = added(total, digit)
        *total, _ = added(total, [carry, 0, 0])
    is_seven = total[0] & total[1] & total[2]
    return [bit & inverted(is_seven) for bit in total]


RULES: dict[str, tuple[int, Callable[[Bits], Bits]]] = {
    "decimal": (8, decimal),
    "field_product": (8, field_product),
    "hidden": (9, hidden),
    "root": (10, root),
    "modulo": (10, modulo),
}


def rule_circuit(name: str) -> Circuit:
    """The circuit that the rule of a function describes."""
    inputs, rule = RULES[name]
    draft = Draft(inputs)
    outputs = rule([Bit(draft, i) for i in range(inputs)])
    sources = [bit.source if isinstance(bit, Bit) else draft.constant(bit) for bit in outputs]
    return draft.circuit(
        [f"x{i + 1}" for i in range(inputs)], sources, [f"y{j + 1}" for j in range(len(outputs))]
    ).simplify()


def function(name: str) -> Target:
    """A function as a table."""
    circuit = rule_circuit(name)
    inputs = len(circuit.input_labels)
    return table_target(circuit_tables(circuit, most_inputs=inputs, purpose="a table"), inputs, name=name)


def ours(target: Target, seconds: float, seed: int) -> tuple[int, int]:
    """The nodes that `minimise` comes to in so many processor seconds of a thread, and the circuits tried."""
    begun: list[float] = []

    def interrupt_in_time(share: float, words: str) -> None:
        begun.append(process_time())  # the first call comes after compilation
        if len(begun) > 1 and begun[-1] - begun[0] >= seconds > begun[-2] - begun[0]:
            signal.raise_signal(signal.SIGTERM)  # SIGINT is ignored in the background

    result = gw.minimise(
        target, gates="aig", evaluations=10**12, jobs=1, seed=seed, on_progress=interrupt_in_time
    )
    return int(result.record["gates_after"]), result.evaluations


def deepsyn(target: Target, seconds: float) -> int | None:
    """The nodes that ABC's &deepsyn comes to in so many processor seconds from the same start.

    None if it fails. ABC counts seconds by the clock, so on a busy machine it is given more of them.
    """
    if shutil.which("berkeley-abc") is None:
        return None
    by_clock = seconds
    with TemporaryDirectory() as folder:
        path = Path(folder) / "start.aig"
        gw.write_file(target_circuit(target), path)
        while True:
            script = (
                f"{ABC_ALIASES}read {path}; strash; &get; &deepsyn -T {round(by_clock)}; &put; print_stats"
            )
            begun = of_children()
            shown = subprocess.run(
                ["berkeley-abc", "-c", script], capture_output=True, text=True, check=False
            )
            used = of_children() - begun
            sizes = re.findall(r"and =\s*(\d+)", shown.stdout)
            if not sizes or shown.returncode != 0:
                return None
            if used >= 0.9 * seconds or by_clock > 10 * seconds:
                return int(sizes[-1])
            by_clock *= min(4.0, seconds / max(used, 0.1))


def of_children() -> float:
    """The processor seconds of all programs that were called and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def best_known(name: str) -> int:
    """The nodes of the smallest circuit that was found so far."""
    return len(graph_of(gw.read_file(CIRCUITS / f"{name}.aag")).ands)


def geometric_mean(ratios: list[float]) -> float:
    """The mean of sizes over best sizes."""
    return exp(sum(map(log, ratios)) / len(ratios))


def table() -> str:
    """The stored results as a table in Markdown."""
    lines = [
        "| function | inputs | outputs | start | best known | Gatewalk | &deepsyn |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    ours_by_best, theirs_by_best = [], []
    for record in stored("tables"):
        target = function(record["function"])
        best = min(record["best_known"], *record["gatewalk"])
        ours_by_best += [size / best for size in record["gatewalk"]]
        theirs_by_best += [record["deepsyn"] / best] if record["deepsyn"] else []
        cells = [record["function"], target.inputs, target.outputs, record["start"], best]
        cells += [", ".join(map(str, record["gatewalk"])), record["deepsyn"] or ""]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    means = [f"{geometric_mean(ratios):.2f}" if ratios else "" for ratios in (ours_by_best, theirs_by_best)]
    lines.append("| " + " | ".join(["over the best known, geometric mean", "", "", "", "1", *means]) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure the functions that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", action="append", choices=RULES, help="a function; may be repeated")
    parser.add_argument("--again", action="store_true", help="measure anew what is stored")
    parser.add_argument("--table", action="store_true", help="only print the stored results")
    given = parser.parse_args()
    if not given.table:
        records = {record["function"]: record for record in stored("tables")}
        for name in given.only or RULES:
            known = records.get(name, {})
            is_done = known.get("seconds") == given.seconds and len(known.get("gatewalk", ())) >= given.seeds
            if is_done and not given.again:
                continue
            target = function(name)
            found = [ours(target, given.seconds, seed) for seed in range(1, given.seeds + 1)]
            records[name] = {
                "function": name,
                "table": target.content,
                "best_known": best_known(name),
                "seconds": given.seconds,
                "start": len(graph_of(target_circuit(target)).ands),
                "gatewalk": [size for size, _ in found],
                "evaluations": [tried for _, tried in found],
                "deepsyn": deepsyn(target, given.seconds),
            }
            print(records[name], flush=True)
            store("tables", [records[key] for key in RULES if key in records])
    print(table())


if __name__ == "__main__":
    main()
