"""The version of the package; every other place takes it from here, or is compared with it by a test."""

__version__ = "0.3.0"
