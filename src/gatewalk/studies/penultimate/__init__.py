"""The start of Theorem 4: measured times compared with the exact expectation."""
