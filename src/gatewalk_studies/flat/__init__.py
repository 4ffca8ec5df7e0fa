"""Exclusive disjunctions: exponential time, and the drift near the optimum."""
