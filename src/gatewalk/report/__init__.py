"""Web pages of a store, of a study and of a recorded run, with the style sheet and the parts they share.

>>> from gatewalk.report import watch
>>> watch("and:6", "run.html", nodes=12, seed=1)  # doctest: +SKIP
Run(and:6, cgp, solved, iterations=35, gates=6, seed=1, run=0)
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.report.animation import animation_gif as animation_gif
    from gatewalk.report.animation import animation_svg as animation_svg
    from gatewalk.report.replay import replay_page as replay_page
    from gatewalk.report.replay import watch as watch
    from gatewalk.report.replay import write_replay as write_replay
    from gatewalk.report.store_page import report as report

_HOME = {
    "animation_gif": "animation",
    "animation_svg": "animation",
    "replay_page": "replay",
    "report": "store_page",
    "watch": "replay",
    "write_replay": "replay",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
