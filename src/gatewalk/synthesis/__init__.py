"""For engineers: smaller circuits, each proven to compute the same function as the original.

>>> from gatewalk.synthesis import smallest
>>> len(smallest("maj:3").circuit)
4
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.synthesis.exact_synthesis import Smallest as Smallest
    from gatewalk.synthesis.exact_synthesis import smallest as smallest
    from gatewalk.synthesis.lower_bounds import Bound as Bound
    from gatewalk.synthesis.lower_bounds import lower_bound as lower_bound
    from gatewalk.synthesis.mapping import mapped as mapped
    from gatewalk.synthesis.minimisation import Minimised as Minimised
    from gatewalk.synthesis.minimisation import minimise as minimise
    from gatewalk.synthesis.options import basis as basis
    from gatewalk.synthesis.window_search import resynthesise as resynthesise

_HOME = {
    "Bound": "lower_bounds",
    "Minimised": "minimisation",
    "Smallest": "exact_synthesis",
    "basis": "options",
    "lower_bound": "lower_bounds",
    "mapped": "mapping",
    "minimise": "minimisation",
    "resynthesise": "window_search",
    "smallest": "exact_synthesis",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
