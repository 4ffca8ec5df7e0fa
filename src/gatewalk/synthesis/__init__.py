"""Synthesis: smaller circuits, proven equal to what they replace."""
