"""The command `gatewalk`, also as `python -m gatewalk`; Ctrl-C is answered from the first line on."""

import os

try:
    from gatewalk.cli import interrupts
except KeyboardInterrupt:
    os.write(2, b"gatewalk: interrupted\n")
    os._exit(130)


def main() -> None:
    """Run the command line and end the process."""
    interrupts.exit_on_interrupt()
    from gatewalk.cli.main import main as command

    interrupts.answer_while_busy()
    try:
        command()
    except SystemExit as done:
        interrupts.end(done.code if isinstance(done.code, int) else 0)


if __name__ == "__main__":
    main()
