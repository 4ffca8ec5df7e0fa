"""Settings that are allowed but cannot lead to success."""

from __future__ import annotations

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.post import missing
from gatewalk.boolean.targets import fewest_nodes
from gatewalk.cgp.law import CgpLaw
from gatewalk.search.settings import Settings


def doubts(made: Settings) -> list[str]:
    """What is allowed but cannot lead to success, in words."""
    wanted = made.wanted
    gates = gate_set(made.gates)
    lacking = missing(wanted, gates)
    if lacking is not None:
        return [lacking]
    fewest = fewest_nodes(wanted, gates)
    if isinstance(made.law, CgpLaw) and made.law.levels_over == "sources":
        back = made.nodes if made.law.levels_back == "nodes" else made.law.levels_back
        if back is not None and back < wanted.inputs and fewest > 0:
            return [
                f"with levels_back = {back} no node reads {wanted.input_labels[0]}, the first of "
                f"{wanted.inputs} inputs: such programs cannot succeed"
            ]
    if made.nodes is not None and made.nodes < fewest:
        return [
            f"{made.label} needs at least {fewest} gates of {gates.arity} inputs: "
            f"{made.nodes} nodes cannot succeed"
        ]
    return []
