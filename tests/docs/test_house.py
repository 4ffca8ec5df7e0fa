"""The walk through the code: every file that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {path.name for path in (ROOT / "src" / "gatewalk").iterdir() if path.is_dir()}
NAMED = re.compile(r"`([a-z_]+/[a-z_/]*(?:[a-z_]+\.py)?)`")


def test_every_file_that_the_walk_names_is_there():
    for page in ("docs/explanation/house.md", "CONTRIBUTING.md"):
        named = {name for name in NAMED.findall((ROOT / page).read_text()) if name.split("/")[0] in ROOMS}
        assert len(named) > 10
        for name in named:
            assert (ROOT / "src" / "gatewalk" / name).exists(), f"{page}: {name}"
