"""The reproduction of the paper: its campaigns, its published numbers, and their comparison.

Dang, Kalkreuth and Opris, "Runtime Analysis of Cartesian Genetic Programming in Evolving Boolean
Functions", 2026, arXiv:2606.15923.
"""
