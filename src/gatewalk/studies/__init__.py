"""Studies: one folder each."""
