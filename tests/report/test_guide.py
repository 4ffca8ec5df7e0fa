"""The guide to watching a run: its picture is what its command writes."""

from pathlib import Path

from gatewalk.report.watch import watch

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def test_the_picture_is_what_the_command_writes(tmp_path: Path) -> None:
    path = tmp_path / "watch.svg"
    watch("and:6", path, seed=1)
    # If animations have changed: gatewalk evolve and:6 --seed 1 --watch docs/how-to/watch.svg
    assert path.read_text() == (DOCS / "watch.svg").read_text()
