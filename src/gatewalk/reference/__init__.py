"""The literal twin: the paper's algorithms in plain Python, to be read beside it. Slow on purpose."""
