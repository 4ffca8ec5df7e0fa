"""Settings that are allowed but cannot lead to success."""

from __future__ import annotations

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.post import missing
from gatewalk.boolean.targets import fewest_nodes
from gatewalk.cgp.law import CgpLaw
from gatewalk.search.settings import Settings


def doubts(settings: Settings) -> list[str]:
    """A sentence for each reason why a search with these settings cannot succeed, as far as is known."""
    wanted = settings.wanted
    gates = gate_set(settings.gates)
    lacking = missing(wanted, gates)
    if lacking is not None:
        return [lacking]
    fewest = fewest_nodes(wanted, gates)
    if isinstance(settings.law, CgpLaw) and settings.law.levels_over == "sources":
        back = settings.nodes if settings.law.levels_back == "nodes" else settings.law.levels_back
        if back is not None and back < wanted.inputs and fewest > 0:
            return [
                f"with levels_back = {back} no node reads {wanted.input_labels[0]}, the first of "
                f"{wanted.inputs} inputs: such programs cannot succeed"
            ]
    if settings.nodes is not None and settings.nodes < fewest:
        return [
            f"{settings.label} needs at least {fewest} gates of {gates.arity} inputs: "
            f"{settings.nodes} nodes cannot succeed"
        ]
    return []
