"""A circuit as a picture: a schematic with routed wires, written as SVG, PDF, PNG, TikZ or DOT."""
