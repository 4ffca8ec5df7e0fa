"""The paper reproduced: its campaigns, its published numbers, and the two side by side.

Dang, Kalkreuth and Opris, "Runtime Analysis of Cartesian Genetic Programming in Evolving Boolean
Functions", 2026, arXiv:2606.15923.
"""
