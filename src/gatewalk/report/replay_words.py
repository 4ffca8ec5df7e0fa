"""The texts of a replay: settings of the run, rules of the search, and what was recorded."""

from __future__ import annotations

from gatewalk.bigint import short
from gatewalk.cgp.law import CgpLaw
from gatewalk.search.recording import Recording
from gatewalk.search.run import what_was_run
from gatewalk.search.settings import Settings


def title(recording: Recording) -> str:
    """The title: the target and the algorithm."""
    settings = recording.run.settings
    return f"{settings.label}: a run of the (1+{settings.offspring}) CGP"


def about(recording: Recording) -> str:
    """The outcome and all settings."""
    run = recording.run
    after = many(run.iterations, "iteration")
    if run.solved:
        outcome = f"Solved after {after} with {many(run.gates, 'gate')}"
    elif recording.finished:
        outcome = f"Not solved after {after}: {mismatches(run.fitness)} left"
    else:
        outcome = f"Interrupted after {after}, with {mismatches(run.fitness)} left"
    return f"{outcome}. {what_was_run(run)}."


def mutation_words(settings: Settings) -> str:
    """A sentence on how offspring are made."""
    name, _, strength = (settings.mutation or "sam").partition(":")
    if name == "point":
        return f"Point mutation picks {strength} genes at random and gives each a new value."
    if name == "rate":
        return f"Every gene gets a new value with probability {strength}; those that do are the picks."
    ends = "picked" if isinstance(settings.law, CgpLaw) and settings.law.sam_ends == "picked" else "changed"
    return (
        "Single active-gene mutation (SAM) picks genes at random, one by one, and gives each a new value, "
        f"until it has {ends} a gene of a node that is active in the parent. What it changed on the way "
        "stays changed: so inactive nodes drift at no cost."
    )


def selection_words(settings: Settings) -> str:
    """A sentence on which offspring becomes the parent."""
    several = (
        f"A generation makes {settings.offspring} offspring of the parent. " if settings.offspring > 1 else ""
    )
    if settings.strict:
        return several + "Selection is strict: an offspring must have fewer mismatches to become the parent."
    if isinstance(settings.law, CgpLaw) and settings.law.ties == "coin":
        return several + "An offspring with fewer mismatches becomes the parent; a tie is decided at random."
    return (
        several
        + "An offspring with no more mismatches than its parent becomes the parent, so that the search "
        "moves on neutral ground while nothing improves."
    )


def recorded_words(recording: Recording, shown: Recording) -> str:
    """Which iterations were recorded, and how many of those are left out of the page."""
    triggers, last = recording.triggers, recording.frames[-1].offspring if recording.frames else 0
    iterations = sum(len(frame.made) for frame in shown.frames)
    words = []
    if triggers.first:
        words.append(f"all of the first {triggers.first:,}")
    if triggers.improvements:
        near = f" with up to {triggers.around} generations before and after each" if triggers.around else ""
        words.append(f"improvements{near}")
    if triggers.neutral > triggers.first:
        words.append(f"neutral moves of the active part in the first {triggers.neutral:,}")
    if triggers.powers:
        words.append("powers of two")
    if triggers.every:
        words.append(f"every {triggers.every:,}th")
    text = f"Shown are {iterations:,} of {last:,} iterations; recorded were {', '.join(words) or 'none'}."
    if recording.full is not None:
        text += f" From iteration {recording.full:,} on only improvements and powers of two were recorded."
    if iterations == last and recording.finished:
        text = "Every iteration of the run is shown."
    left_out = len(recording.frames) - len(shown.frames)
    if left_out:
        recorded = f"{left_out:,} of {len(recording.frames):,} recorded generations"
        text += f" To keep this page small, {recorded} are left out."
    uncounted = recording.run.settings.law.uncounted
    if uncounted:
        text += f" Here all iterations are numbered; the profile reports {uncounted} fewer."
    return text


def mismatches(fitness: int) -> str:
    """A fitness in words, such as "3 mismatches"."""
    return f"{short(fitness)} {'mismatch' if fitness == 1 else 'mismatches'}"


def many(count: int, what: str) -> str:
    """A number with its noun, such as "3 gates"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
