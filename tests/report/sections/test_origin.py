"""Where the runs come from."""

import time

from report_stores import SPEC, everything

from gatewalk.campaign import parse, run
from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.origin import origin


def test_the_campaign_is_told_as_it_was_stored() -> None:
    found = origin(everything(), read_cells(everything()))
    pairs = dict(found["pairs"])
    assert found["name"] == "a <b>campaign</b>"
    assert found["text"] == SPEC
    assert pairs["seed"] == "7"
    assert pairs["begun"].startswith(time.strftime("%Y-", time.gmtime()))
    assert pairs["ended"].endswith("(done)")
    assert {"processor", "workers", "gatewalk", "numpy", "python"} <= set(pairs)


def test_what_no_campaign_writes_is_left_out() -> None:
    results = run(parse('[grid]\ntarget = "and:2"\nreplications = 1\n'), jobs=1)
    for packages in ("[", "[1]", "7", '{"a": []}'):
        results.connection.execute("UPDATE campaign SET packages = ?, started = 1e300", (packages,))
        pairs = dict(origin(results, read_cells(results))["pairs"])
        assert pairs["begun"] == "at an unknown time"
        assert "numpy" not in pairs
    results.connection.execute("DELETE FROM delivery")
    results.connection.execute("DELETE FROM campaign")
    assert origin(results, read_cells(results))["state"] == "empty"
