"""Many runs: a campaign is a grid of settings, its runs a store that loses nothing.

>>> from gatewalk.campaign import campaign, run
>>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
>>> len(results)
10
"""

from gatewalk.campaign.plan import Cell, plan
from gatewalk.campaign.results import Results
from gatewalk.campaign.runner import Progress, run
from gatewalk.campaign.spec import Campaign, Grid, campaign, grid, parse, read
from gatewalk.campaign.stored import StoredCell

__all__ = [
    "Campaign",
    "Cell",
    "Grid",
    "Progress",
    "Results",
    "StoredCell",
    "campaign",
    "grid",
    "parse",
    "plan",
    "read",
    "run",
]
