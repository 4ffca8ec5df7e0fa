"""What all tests share: reproducible property tests, and no silent skips where they are forbidden."""

import os
import signal

import hypothesis
import pytest

os.environ.setdefault("MPLBACKEND", "Agg")

# A shell that starts tests in the background (`&` in a script) has them ignore Ctrl-C, and so would every
# process they start: those that are to be interrupted would go on for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every machine and in every run; the first call of a kernel may compile for seconds.
hypothesis.settings.register_profile("gatewalk", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("gatewalk")

NO_SKIPS = os.environ.get("GATEWALK_NO_SKIPS") == "1"


def _forbid_skip(report):
    """Turn a report of a skipped or expectedly failing test into a failure that says why."""
    if not NO_SKIPS or report.outcome != "skipped":
        return
    reason = getattr(report, "wasxfail", None) or (
        report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    )
    report.outcome = "failed"
    report.longrepr = f"skips are forbidden here (GATEWALK_NO_SKIPS=1), and {report.nodeid} says: {reason}"
    if hasattr(report, "wasxfail"):
        del report.wasxfail


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report():
    report = yield
    _forbid_skip(report)
    return report
