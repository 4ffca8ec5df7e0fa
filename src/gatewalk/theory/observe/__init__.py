"""Runs that are watched: levels, drift and traces, compared with the estimates of the proofs."""
