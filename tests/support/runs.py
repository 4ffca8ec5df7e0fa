"""Comparing runs."""

from __future__ import annotations

from gatewalk.search.run import Run


def same(a: Run, b: Run) -> bool:
    """Equal in all but the time it took and the way fitness was computed."""
    ours, theirs = a.record(), b.record()
    for record in (ours, theirs):
        del record["seconds"], record["evaluation"]
    return (
        ours == theirs
        and a.program.tolist() == b.program.tolist()
        and a.improvements == b.improvements
        and a.elementary_steps == b.elementary_steps
    )
