"""Seeded searches: words become a search, a search becomes runs, and runs become columns.

`options.py` is the table of options and the only reader of words, `scheduler.py` the only place with threads,
`session.py` a run under way. Begin with `evolve.py` and follow its calls.
"""
