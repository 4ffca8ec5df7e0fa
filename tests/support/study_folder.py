"""A study in a folder of a user's own."""

SPEC = """
seed = 3
replications = 12
budget = 4000

[study]
title = "Mine <b>"
question = "Do spare nodes help?"
minutes = 0.1

[grid]
target = "and"
n = [3, 4, 5]
nodes = ["n", "2n"]

[quick]
budget = 3000
"""
