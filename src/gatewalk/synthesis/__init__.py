"""For engineers: smaller circuits, proven equal to what was wanted."""
