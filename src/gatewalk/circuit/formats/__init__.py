"""File formats of circuits and cells: a module each, reader and writer together, found by `files.py`."""
