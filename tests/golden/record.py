"""Record anew what users get: `python tests/golden/record.py [PART ...]`, run by hand.

A change of the data is a change for users: of a seeded run, a stored identity, a number, a file or an exit
code. It belongs in CHANGELOG.md, and is never recorded only to make a test pass. Without PART everything is
recorded but `store`, the store that 0.2 wrote: newer versions must go on with that one, so it is made again
only if a version refuses the stores of those before.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import answers
import cases
from answers import DATA


def write(part: str, answers_by_name: dict[str, Any]) -> None:
    """A line for each case."""
    lines = [json.dumps({"case": name, "answer": answer}) for name, answer in answers_by_name.items()]
    (DATA / f"{part}.jsonl").write_text("\n".join(lines) + "\n")


def saved() -> None:
    """Searches saved in the middle, as files, and how each of them ends."""
    ends = {}
    for name in cases.SAVED:
        state = answers.saved_bytes(name)
        (DATA / f"{name}.search").write_bytes(answers.untimed(state))
        ends[name] = answers.continued(name, state)
    write("saved", ends)


def store() -> None:
    """A store of finished runs and of one, the last of golden.toml, that is interrupted on its way."""
    answers.STORE.unlink(missing_ok=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored, also by children
    with answers.workplace() as folder:
        command = [
            sys.executable,
            "-m",
            "gatewalk",
            "campaign",
            "run",
            "golden.toml",
            "--jobs",
            "1",
            "--checkpoint",
            "0.3",
        ]
        process = subprocess.Popen(command)
        missing = 2
        while missing > 1:
            time.sleep(0.2)
            _, out, _ = answers.call("campaign", "status", "golden.sqlite", "--json")
            cells = [json.loads(line) for line in out.splitlines()]
            missing = sum(cell["planned"] - cell["finished"] for cell in cells) if cells else 2
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130, "it was not interrupted"
        answers.STORE.write_bytes((folder / "golden.sqlite").read_bytes())


def continuing() -> None:
    """What is read from the store, and what is in it when its campaign is continued."""
    with answers.workplace() as folder:
        path = answers.store_copy(folder)
        before = {"schema": answers.schema(path), "exported": answers.exported(path)}
    with answers.workplace() as folder:
        path = answers.store_copy(folder)
        code, _, err = answers.call("campaign", "run", "golden.toml", "--store", str(path), "--jobs", "1")
        assert code == 0, err
        write("continuing", {**before, "rows": answers.rows_of(path)})


OTHERS = {
    "own_targets": lambda: write("own_targets", answers.own_targets()),
    "saved": saved,
    "continuing": continuing,
    "verdicts": lambda: write(
        "verdicts", {n: answers.verdicts(n) for n in cases.STUDIES + cases.LONG_STUDIES}
    ),
    "store": store,
}


def main() -> None:
    """Record the parts that are named."""
    DATA.mkdir(exist_ok=True)
    for part in sys.argv[1:] or [*answers.PARTS, *(name for name in OTHERS if name != "store")]:
        began = time.process_time()
        if part in OTHERS:
            OTHERS[part]()
        else:
            by_name, answer = answers.PARTS[part]
            write(part, {name: answer(case) for name, case in by_name.items()})
        print(f"{part}: {time.process_time() - began:.1f} s of processor time")


if __name__ == "__main__":
    main()
