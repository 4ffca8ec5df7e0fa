"""The page of a study shows pictures of its own folder only, and never its text as markup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from study_folder import SPEC

from gatewalk.studies import Request, read_study, run_study

Make = Callable[..., Path]


def test_notes_show_their_own_pictures_and_no_others(folder: Make, tmp_path: Path) -> None:
    (tmp_path / "outside.svg").write_text("<svg>outside</svg>")
    notes = "# T\n\nSeen <i>\n\n![in](in.svg) ![out](../outside.svg) ![none](none.svg) ![toml](spec.toml)\n"
    home = folder(SPEC.replace("[grid]", 'x = "nodes"\n[grid]').replace("Do spare", "Do <u> spare"))
    (home / "README.md").write_text(notes, encoding="utf-8")
    (home / "in.svg").write_text("<svg>in</svg>")
    report = run_study(Request(study=read_study(home), out=tmp_path / "out", jobs=1, quick=True))
    page = report.page.read_text(encoding="utf-8")
    section = page[page.index('<section id="notes">') :].partition("</section>")[0]
    assert "Seen &lt;i&gt;" in section
    assert section.count("<img") == 1
    assert 'alt="in"' in section
    assert "Do &lt;u&gt; spare" in page
    assert "A taste: few runs" in page
    assert "Growth" not in page  # along nodes nothing is fitted
