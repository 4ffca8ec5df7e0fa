"""The chain of SAM for symmetric targets, with classes that are ranked instead of stored.

It gives the mean, the standard deviation and the value of the worst start, for one offspring a generation, of
And_n, Or_n and Xor_n under the profile `paper`: and:6 with five nodes in 12 seconds of processor time instead
of 317, and six nodes, which the chain of `sam` does not reach. That chain gives in addition: the worst start
itself and the time from any program, levels, tails and quantiles, several offspring, other gates, several
outputs and sampled sets. Only `chain/exact.py` chooses between the two.

Read `programs` first (the canonical form and its rank), then `moves`, `mixing` and `search`.
"""
