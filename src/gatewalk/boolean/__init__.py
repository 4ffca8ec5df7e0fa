"""The task: gates, packed tables, targets and training sets.

>>> from gatewalk.boolean import family_target, gate
>>> gate("nand")(1, 1), family_target("mul:2").output_labels
(0, ('P[0]', 'P[1]', 'P[2]', 'P[3]'))
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.boolean.expressible import why_inexpressible as why_inexpressible
    from gatewalk.boolean.gates import Gate as Gate
    from gatewalk.boolean.gates import GateSet as GateSet
    from gatewalk.boolean.gates import gate as gate
    from gatewalk.boolean.gates import gate_set as gate_set
    from gatewalk.boolean.targets import Target as Target
    from gatewalk.boolean.targets import defaults as defaults
    from gatewalk.boolean.targets import families as families
    from gatewalk.boolean.targets import family_target as family_target
    from gatewalk.boolean.training import TrainingSet as TrainingSet
    from gatewalk.boolean.training import complete as complete
    from gatewalk.boolean.training import fitness as fitness

_HOME = {
    "Gate": "gates",
    "GateSet": "gates",
    "Target": "targets",
    "TrainingSet": "training",
    "complete": "training",
    "defaults": "targets",
    "families": "targets",
    "fitness": "training",
    "gate": "gates",
    "gate_set": "gates",
    "why_inexpressible": "expressible",
    "family_target": "targets",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
