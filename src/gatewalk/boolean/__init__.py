"""The task: gates, packed tables, targets and training sets."""
