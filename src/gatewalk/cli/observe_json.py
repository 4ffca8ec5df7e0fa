"""The JSON of `gatewalk observe`: a line about the runs, then one for each level or potential.

docs/reference/observe.md says what every key means.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gatewalk.theory.drift import Drift
    from gatewalk.theory.level_report import Frequency, Level
    from gatewalk.theory.observation import Observation


def records(seen: Observation) -> Iterator[dict[str, Any]]:
    """The lines, in their order."""
    yield _finite(summary(seen))
    yield from (_finite(_level_record(item)) for item in seen.levels)
    yield from (_finite(_drift_record(item)) for item in seen.drifts)


def summary(seen: Observation) -> dict[str, Any]:
    """The line about the runs."""
    from gatewalk.analysis.statistics import ert, sample, success_rate

    settings = seen.settings
    times = sample([item.iterations for item in seen.ends], [item.solved for item in seen.ends])
    rate = success_rate(times)
    summary: dict[str, Any] = {
        "kind": "runs",
        "target": settings.target,
        "n": settings.n,
        "nodes": settings.nodes,
        "selection": settings.selection,
        "profile": settings.profile,
        "training": settings.training,
        "seed": seen.seed,
        "runs": rate.runs,
        "solved": rate.successes,
        "ert": ert(times),
    }
    walk = seen.flat_walk
    if walk is not None:
        summary |= {
            "lemma7_measured": walk.lemma7_measured,
            "lemma7_probability": walk.lemma7_probability,
            "lemma7_rest": walk.lemma7_rest,
            "lemma8_drift": walk.lemma8_drift,
            "lemma8_interval": walk.lemma8_interval and list(walk.lemma8_interval),
            "least_potential": walk.least_potential,
        }
    summary |= {item.key: item.value for item in seen.stated if item.key not in summary}
    summary["reasons"] = {item.key: item.why for item in seen.stated if item.why}
    summary["notes"] = {item.key: item.note for item in seen.stated if item.note}
    return summary


def _rate(rate: Frequency) -> dict[str, Any]:
    return {
        "count": rate.count,
        "trials": rate.trials,
        "value": rate.value,
        "low": rate.low,
        "high": rate.high,
    }


def _level_record(item: Level) -> dict[str, Any]:
    estimates = item.estimates
    return {
        "kind": "level",
        "level": item.level,
        "runs": item.runs,
        "iterations_minus": item.minus,
        "iterations_plus": item.plus,
        "waiting": item.waiting,
        **{key: _rate(getattr(item, name)) for key, name in RATES.items()},
        "lemma5_from_minus": item.chain[0],
        "lemma5_from_plus": item.chain[1],
        "dropped": item.dropped,
        "surplus_gates": item.surplus,
        "neutral_per_iteration": item.neutral,
        "estimates": estimates
        and {
            "s_i": estimates.leave,
            "q_prime": estimates.free,
            "r_prime": estimates.raise_,
            "s_prime": estimates.lose,
            "theorem3_time": estimates.times[0],
            "theorem6_time": estimates.times[1],
        },
        "factors": estimates and _named(item.factors),
        "contradicted": [_NAMES[name] for name in item.exceeded],
    }


RATES = {"p": "p", "q": "q", "r": "r", "s": "s", "p_plus_q": "free", "leave": "leave"}
_NAMES = {"leave": "s_i", "free": "q_prime", "raise_": "r_prime", "lose": "s_prime"}


def _named(factors: dict[str, float]) -> dict[str, float]:
    return {_NAMES[name]: value for name, value in factors.items()}


def _drift_record(item: Drift) -> dict[str, Any]:
    return {
        "kind": "drift",
        "potential": item.potential,
        "steps": item.steps,
        "U": item.used,
        "V": item.odd,
        "drift": item.mean,
        "low": item.low,
        "high": item.high,
        "drift_of_changes": item.changing,
        "sizes": {str(size): share for size, share in item.sizes.items()},
    }


def _finite(value: Any) -> Any:
    """A value for JSON: None (null) for NaN, and the string "inf" for infinity."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return "inf" if value > 0 else None
    return value
