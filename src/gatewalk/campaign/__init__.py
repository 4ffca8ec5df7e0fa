"""Many runs: a campaign is a grid of settings, and a store keeps every run that was finished.

>>> from gatewalk.campaign import campaign, run
>>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
>>> len(results)
10
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.campaign.execution import run as run
    from gatewalk.campaign.planning import Cell as Cell
    from gatewalk.campaign.planning import plan as plan
    from gatewalk.campaign.results import Results as Results
    from gatewalk.campaign.spec import Campaign as Campaign
    from gatewalk.campaign.spec import campaign as campaign
    from gatewalk.campaign.spec import grid as grid
    from gatewalk.campaign.spec import read as read

_HOME = {
    "Campaign": "spec",
    "Cell": "planning",
    "Results": "results",
    "campaign": "spec",
    "grid": "spec",
    "plan": "planning",
    "read": "spec",
    "run": "execution",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
