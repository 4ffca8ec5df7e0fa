"""The start of Theorem 4: measured times beside the exact expectation."""
