"""The task: gates, packed tables, targets and training sets.

>>> from gatewalk.boolean import family_target, gate
>>> gate("nand")(1, 1), family_target("mul:2").output_labels
(0, ('P[0]', 'P[1]', 'P[2]', 'P[3]'))
"""

from __future__ import annotations

from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.gates import Gate, GateSet, gate, gate_set
from gatewalk.boolean.targets import Target, defaults, families, family_target
from gatewalk.boolean.training import TrainingSet, complete, fitness

__all__ = [
    "Gate",
    "GateSet",
    "Target",
    "TrainingSet",
    "complete",
    "defaults",
    "families",
    "family_target",
    "fitness",
    "gate",
    "gate_set",
    "why_inexpressible",
]
