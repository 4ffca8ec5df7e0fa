"""A store as plain data: JSON that no browser takes for markup, and reasons where a section is empty."""

import json
from pathlib import Path

from report_stores import everything, nothing, unsolved

from gatewalk.campaign import parse, run
from gatewalk.campaign.store_file import writing
from gatewalk.report.report_data import Memory, as_json, report_data


def test_all_of_it_is_json_without_markup() -> None:
    for results in (everything(), nothing(), unsolved()):
        data = report_data(results, resamples=3)
        text = as_json(data)
        assert not set("<>&") & set(text)
        assert json.loads(text) == json.loads(json.dumps(data))


def test_an_empty_store_says_why_there_is_nothing_to_see() -> None:
    data = report_data(nothing())
    assert data["state"]["words"] == "0 of 3 runs are stored"
    for section in ("times", "distributions", "generalisation", "circuits"):
        assert data[section]["reason"] == "There is no finished run yet."
    assert data["growth"]["notes"] == ["There is no finished run yet."]


def test_the_state_of_a_store_that_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    results = run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), path, jobs=1)
    assert report_data(results)["state"] == {"running": False, "words": "all 3 runs are stored"}
    with writing(path) as connection:
        assert report_data(results)["state"]["running"]
        connection.execute("UPDATE campaign SET state = 'interrupted'")
        connection.execute("UPDATE cell SET planned = 5")
    assert report_data(results)["state"]["words"] == "3 of 5 runs are stored; the campaign was interrupted"
    results.close()


def test_what_is_remembered_gives_the_same() -> None:
    memory = Memory()
    first, second = (report_data(everything(), memory=memory, resamples=3) for _ in range(2))
    first["made"] = second["made"] = ""
    assert first == second
    assert memory.fits


def test_progress_goes_from_nothing_to_all() -> None:
    shares: list[float] = []
    report_data(everything(), resamples=3, tell=lambda words, share: shares.append(share))
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert 0.8 < shares[-1] < 1
