"""`python -m gatewalk` is the command `gatewalk`."""

from gatewalk.cli.main import main

main()
