"""The command line: one module per command. What commands compute is in the other rooms."""
