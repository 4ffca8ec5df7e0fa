"""The door: one module per command, no logic of its own."""
