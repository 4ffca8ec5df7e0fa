"""The loop: settings, seeded sessions that advance in slices, and the runs that come of them."""
