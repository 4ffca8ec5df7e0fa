"""What the package answers today to each case, asked through its public names and its command line only.

Each function here returns plain data, as it is stored in `data`. What differs from run to run or from machine
to machine (seconds, speeds, paths) is left out or replaced by a word.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import cases
import numpy as np
from stored_studies import stored_findings

import gatewalk as gw
from gatewalk.campaign import campaign, plan
from gatewalk.cli.main import main
from gatewalk.synthesis import smallest

DATA = Path(__file__).with_name("data")
STORE = DATA / "store-0.2.sqlite"
TIMED = ("seconds", "iterations_per_second")


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A new folder with the input files, which is the current one inside."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in cases.INPUTS.items():
            (folder / file).write_text(text)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def call(*arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(arguments))
            code: Any = 0
        except SystemExit as stopped:
            code = stopped.code
    return int(code or 0), out.getvalue(), err.getvalue()


def without_times(record: Any) -> Any:
    """A record without what the clock decides."""
    if isinstance(record, dict):
        return {name: without_times(value) for name, value in record.items() if name not in TIMED}
    return [without_times(value) for value in record] if isinstance(record, list) else record


def identity(options: dict[str, Any]) -> dict[str, Any]:
    """The text and the key under which runs with these settings are stored, and the settings as resolved."""
    words = {"options" if name == "law" else name: value for name, value in options.items()}
    with workplace():
        (cell,) = plan(campaign(replications=1, **words))
        return {"key": cell.key.hex(), "law": cell.law, "target": cell.search.target.name}


def own_targets() -> dict[str, str]:
    """Targets made in Python, by the names that stand for them in stores."""
    rows = np.array([[0, 0, 1], [0, 1, 0], [1, 1, 1]])
    return {
        "function": gw.target(lambda a, b, c: a + b + c >= 2).name,
        "function with outputs": gw.target(lambda a, b: (a & b, a ^ b), name="half adder").name,
        "number": gw.target(0x96, inputs=3).name,
        "table": gw.target(np.array([0, 1, 1, 0])).name,
        "examples": gw.target(rows, inputs=2, name="seen").name,
        "circuit": gw.target(gw.evolve("and:3", nodes=4, seed=1).circuit).name,
    }


def run_record(run: gw.Run) -> dict[str, Any]:
    """A run: its columns, its program and its circuit."""
    return {
        **without_times(run.record()),
        "program": run.program.tolist(),
        "improvements": [list(row) for row in run.improvements],
        "circuit": str(run.circuit),
    }


def search(options: dict[str, Any]) -> dict[str, Any]:
    """One seeded search."""
    with workplace(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run_record(gw.evolve(**options))


def saved_bytes(name: str) -> bytes:
    """A search that was saved in the middle."""
    options, seed, run, iterations = cases.SAVED[name]
    with workplace():
        session = gw.begin(gw.search_for(**options), seed=seed, run=run)
        gw.advance(session, iterations)
        return gw.save(session)


def untimed(saved: bytes) -> bytes:
    """A saved search as if it had taken no time."""
    head, _, body = saved.partition(b"\n")
    return json.dumps(json.loads(head) | {"seconds": 0.0}).encode() + b"\n" + body


def continued(name: str, saved: bytes) -> dict[str, Any]:
    """The result of a saved search that is continued to its end."""
    with workplace():
        session = gw.restore(gw.search_for(**cases.SAVED[name][0]), saved)
        gw.advance(session)
        return run_record(gw.result(session))


def command(arguments: list[str]) -> dict[str, Any]:
    """The exit code of a command, its lines of JSON, and the text of the file that it writes."""
    with workplace() as folder:
        before = set(folder.iterdir())
        code, out, _ = call(*arguments)
        lines = (
            [without_times(json.loads(line)) for line in out.splitlines()] if "--json" in arguments else []
        )
        files = {path.name: path.read_text() for path in sorted(set(folder.iterdir()) - before)}
        return {"exit": code, "lines": lines, "files": files}


def exact(arguments: list[str]) -> dict[str, Any]:
    """The answer of `gatewalk exact`, without its estimates of what rounding and cutting off cost."""
    answer = command(arguments)
    left_out = ("error", "std_error")
    lines = [{name: line[name] for name in line if name not in left_out} for line in answer["lines"]]
    return answer | {"lines": lines}


def printed(arguments: list[str]) -> dict[str, Any]:
    """The exit code of a command, and all that it prints on standard output, to the last digit."""
    with workplace():
        code, out, _ = call(*arguments)
        return {"exit": code, "text": out}


def exit_code(arguments: list[str]) -> dict[str, Any]:
    """The exit code of a command; if it is 2, also how many lines say why, beside lines of progress."""
    with workplace():
        code, out, err = call(*arguments)
        reasons = [line for line in err.splitlines() if line.startswith("gatewalk: ")]
        refusal = {"reasons": len(reasons), "lines_of_output": len(out.splitlines())}
        return {"exit": code} | (refusal if code == 2 else {})


def keys_only(arguments: list[str]) -> dict[str, Any]:
    """The first value of each line of JSON, which names it, and its keys."""
    with workplace():
        code, out, _ = call(*arguments)
        records = [json.loads(line) for line in out.splitlines()]
        return {"exit": code, "keys": {next(iter(record.values())): list(record) for record in records}}


def written(case: tuple[str, str]) -> str:
    """A circuit as the file of this format; bytes that are no text are written in base 64."""
    with workplace() as folder:
        circuit, suffix = case
        path = folder / f"circuit.{suffix}"
        name, *options = circuit.split()
        code, _, err = call("circuit", "convert", name, str(path), *options)
        assert code == 0, err
        data = path.read_bytes()
        return base64.b64encode(data).decode() if suffix == "aig" else data.decode()


def smallest_circuit(options: dict[str, Any]) -> dict[str, Any]:
    """A smallest circuit, and what is proven of it."""
    result = smallest(**options)
    text = None if result.circuit is None else str(result.circuit)
    return {"circuit": text, "lower_bound": result.lower_bound, "proven": result.proven}


def learnt(options: dict[str, Any]) -> dict[str, Any]:
    """What estimators learn from a small table: front, rules and predictions."""
    from gatewalk.learn import CircuitClassifier, CircuitTransformer

    rows = np.arange(48)
    if "binarise" in options:
        X: Any = np.column_stack([(rows * 7) % 13, (rows * 5) % 11, rows / 8])
        y: Any = np.array(["low", "middle", "high"])[(X[:, 0] > 6).astype(int) + (X[:, 1] > 4)]
    else:
        X = np.column_stack([rows >> j & 1 for j in range(5)])
        y = (X[:, 0] & X[:, 1]) ^ X[:, 2] ^ (rows % 11 == 0)
    model = CircuitClassifier(**options).fit(X, y)
    features = CircuitTransformer(**options).fit(X, y)
    return {
        "expression": model.expression(),
        "rules": model.rules(),
        "front": [
            [
                member.gates,
                member.mismatches,
                member.accuracy,
                member.validation_accuracy,
                str(member.circuit),
            ]
            for member in model.front_
        ],
        "predictions": model.predict(X).tolist(),
        "probabilities": model.predict_proba(X)[:5].tolist(),
        "features": features.get_feature_names_out().tolist(),
        "transformed": features.transform(X)[:5].astype(int).tolist(),
    }


def schema(store: Path) -> list[str]:
    """The statements that made the tables of a store, and the numbers by which it is known."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        made = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
        marks = [f"{name} {connection.execute(f'PRAGMA {name}').fetchone()[0]}"
                 for name in ("application_id", "user_version")]  # fmt: skip
    return sorted(made) + marks


def rows_of(store: Path) -> dict[str, dict[str, Any]]:
    """The cells of a store and their runs, by key: without row numbers and times."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        connection.row_factory = sqlite3.Row
        found: dict[str, dict[str, Any]] = {}
        for cell in connection.execute("SELECT * FROM cell"):
            runs = connection.execute("SELECT * FROM run WHERE cell = ? ORDER BY run", (cell["id"],))
            traces = connection.execute(
                "SELECT run, data FROM trace WHERE cell = ? ORDER BY run", (cell["id"],)
            )
            found[cell["key"].hex()] = {
                **_columns(cell, "id", "key", "seconds"),
                "runs": [_columns(run, "cell", "seconds", "delivery") for run in runs],
                "traces": {str(run): data.hex() for run, data in traces},
            }
        return found


def times_of(store: Path) -> dict[tuple[str, int], tuple[float, int]]:
    """When each run of a store was made: its seconds and the number of its delivery, by cell and run."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        joined = "SELECT hex(key), run, run.seconds, delivery FROM run JOIN cell ON cell.id = run.cell"
        return {(key, run): (seconds, delivery) for key, run, seconds, delivery in connection.execute(joined)}


def _columns(row: sqlite3.Row, *left_out: str) -> dict[str, Any]:
    names = [name for name in row.keys() if name not in left_out]  # noqa: SIM118
    return {name: row[name].hex() if isinstance(row[name], bytes) else row[name] for name in names}


def store_copy(folder: Path) -> Path:
    """A copy of the recorded store that may be changed."""
    return Path(shutil.copy(STORE, folder / "store.sqlite"))


def exported(store: Path) -> dict[str, Any]:
    """What `gatewalk campaign export` and `status` make of a store, in the current folder."""
    from pyarrow.parquet import read_schema

    ways = (
        ("csv", "runs.csv"),
        ("csv", "sheet.csv", "--for-spreadsheet"),
        ("ioh", "ioh"),
        ("parquet", "runs.parquet"),
    )
    exits = [
        call("campaign", "export", str(store), "--to", to, "--out", out, *more)[0] for to, out, *more in ways
    ]
    code, status, _ = call("campaign", "status", str(store), "--json")
    return {
        "exits": [*exits, code],
        "csv": Path("runs.csv").read_bytes().decode(),
        "is_safe_for_spreadsheets": Path("sheet.csv").read_bytes() == Path("runs.csv").read_bytes(),
        "ioh": {str(path): path.read_text() for path in sorted(Path("ioh").rglob("*")) if path.is_file()},
        "parquet": [f"{field.name}: {field.type}" for field in read_schema("runs.parquet")],
        "status": [json.loads(line) for line in status.splitlines()],
    }


def verdicts(name: str) -> dict[str, str]:
    """What a study makes of its stored results: the verdict on every claim."""
    return {claim.statement: claim.verdict for claim in stored_findings(name, resamples=20).claims}


# The parts of the data: their cases by name, and what answers a case.
PARTS: dict[str, tuple[Mapping[str, Any], Callable[[Any], Any]]] = {
    "identities": (cases.identities(), identity),
    "searches": (cases.searches(), search),
    "exact": (cases.EXACT, exact),
    "bounds": (cases.BOUNDS, printed),
    "commands": (cases.COMMANDS, command),
    "keys": (cases.KEYS, keys_only),
    "exit_codes": (cases.EXIT_CODES, exit_code),
    "written": (cases.WRITTEN, written),
    "smallest": (cases.SMALLEST, smallest_circuit),
    "learnt": (cases.LEARNT, learnt),
}
