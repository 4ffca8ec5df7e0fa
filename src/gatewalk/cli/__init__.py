"""The command line: one module per command. What commands compute is in the other rooms.

`main.py` lists the commands and turns errors into exit codes, `options.py` makes flags from the table of
options, `terminal.py` shows everything that is not a result. Begin with `evolve.py`.
"""
