"""Stores for tests of reports: one with something of everything, made once."""

from functools import cache

from gatewalk.campaign import run
from gatewalk.campaign.spec import parse

SPEC = """
name = "a <b>campaign</b>"
seed = 7
replications = 12
budget = 300
[[grid]]
target = "and"
n = [2, 3, 4]
nodes = "n"
selection = ["nonstrict", "strict"]
[[grid]]
target = "xor:6"
budget = 2
[[grid]]
target = "and:6"
training = "sample:20"
[[grid]]
target = "and:3"
algorithm = "tgp-multi"
"""


@cache
def everything():
    """Two kinds of algorithms, sizes, selections, a cell that nothing solves, a sampled training set."""
    return run(parse(SPEC), jobs=1)


@cache
def nothing():
    """A campaign of which no run is there."""
    results = run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), jobs=1)
    results.connection.execute("DELETE FROM run")
    results.connection.execute("UPDATE cell SET finished = 0, solved = 0, iterations = 0, seconds = 0")
    return results


@cache
def unsolved():
    """A campaign with one cell, none of whose runs was solved."""
    return run(parse('[grid]\ntarget = "xor:6"\nbudget = 2\nreplications = 3\n'), jobs=1)


@cache
def sampled():
    """Three sizes and two selections, all trained on samples."""
    grid = 'target = ["and:4", "and:5", "and:8"]\nselection = ["nonstrict", "strict"]\ntraining = "sample"\n'
    return run(parse(f"seed = 7\nreplications = 8\nbudget = 300\n[grid]\n{grid}"), jobs=1)
