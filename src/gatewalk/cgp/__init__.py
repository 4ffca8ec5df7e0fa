"""Cartesian GP: the genotype of the paper, its mutations, and kernels that walk through programs."""
