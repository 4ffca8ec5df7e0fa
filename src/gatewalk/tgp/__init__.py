"""Tree GP: trees of two-input gates, HVL-prime and kernels that walk through trees."""
