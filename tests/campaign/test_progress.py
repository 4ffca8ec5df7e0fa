"""Progress: plain lines where there is no terminal, a live display where there is one."""

from __future__ import annotations

import io

import pytest

from gatewalk.campaign import campaign, run
from gatewalk.campaign import progress as module
from gatewalk.campaign.progress import shown

SMALL = campaign(target=["and:3", "and:4"], replications=60)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_LINE", 0.0)
    monkeypatch.setattr(module, "_LINE_SECONDS", 0.0)
    stream = io.StringIO()
    with shown(stream) as watch:
        run(SMALL, jobs=1, watch=watch).close()
    lines = stream.getvalue().splitlines()
    assert "\x1b" not in stream.getvalue()
    assert lines[-1].startswith("120/120 runs, ")
    assert "left" not in lines[-1]
    assert any(line.startswith("  and:3: ") and "runs/s" in line and "left" in line for line in lines)


def test_few_lines_for_a_short_campaign() -> None:
    stream = io.StringIO()
    with shown(stream) as watch:
        run(campaign(target="and:2", replications=2), jobs=1, watch=watch).close()
    assert stream.getvalue() == ""


def test_live_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_REFRESH_SECONDS", 0.0)
    stream = Terminal()
    with shown(stream) as watch:
        run(SMALL, jobs=1, watch=watch).close()
    assert "120/120 runs" in stream.getvalue()
    assert "and:4" in stream.getvalue()
