"""The proofs, executable: bounds, the chains behind them, levels, drift and the exact solver.

Every result of Dang, Kalkreuth and Opris (2026), "Runtime Analysis of Cartesian Genetic Programming
in Evolving Boolean Functions", is a function named after it; the quantities its proofs estimate can
be watched while the algorithm runs.
"""
