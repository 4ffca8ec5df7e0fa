"""Growth fits: those of `gatewalk.analysis.growth`, in words, or the reason why there is none."""

import pytest
from report_stores import everything, nothing

from gatewalk.analysis import growth
from gatewalk.analysis.curves import curves
from gatewalk.report.sections import growth as module
from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.growth import growth_fits


def test_models_are_those_of_the_analysis() -> None:
    cells = read_cells(everything())
    found = growth_fits(cells, resamples=5)
    name = found["curves"][0]["name"]
    best = growth(curves(cells.runs)[name], resamples=5).best
    first = found["curves"][0]["models"][0]
    assert first["model"] == best.fit.model.name
    assert first["rate"][0] == pytest.approx(best.fit.rate, rel=1e-3)
    assert first["values"][0] == pytest.approx(best.fit.mean(2), rel=1e-3)
    assert found["curves"][0]["words"].startswith(f"{name}: of the three models c ")
    assert any("3 or more values of n, not 1, with 5 runs or more at each" in note for note in found["notes"])


def test_what_was_fitted_before_is_not_fitted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: dict = {}
    before = growth_fits(read_cells(everything()), fits=fits, resamples=5)
    monkeypatch.setattr(module, "growth", None)
    assert growth_fits(read_cells(everything()), fits=fits, resamples=5) == before
    (name, (counts, found)), *_ = fits.items()
    fits[name] = tuple(count - 2 for count in counts), found
    assert growth_fits(read_cells(everything()), fits=fits, tolerance=0.2, resamples=5) == before
    with pytest.raises(TypeError):  # made anew
        growth_fits(read_cells(everything()), fits=fits, resamples=5)


def test_too_many_curves_are_not_all_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FITS", 1)
    found = growth_fits(read_cells(everything()), resamples=5)
    assert len(found["curves"]) == 1
    assert "1 more curve not fitted here" in found["notes"][-1]


def test_without_runs_the_reason_is_said() -> None:
    assert growth_fits(read_cells(nothing()))["notes"] == ["There is no finished run yet."]
