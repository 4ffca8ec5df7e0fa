"""Seeded searches: settings, sessions that advance in slices, and their results, `Run` and `Runs`."""
