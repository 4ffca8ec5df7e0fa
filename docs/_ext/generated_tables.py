"""Tables that are made from the package when the site is built."""


def setup(app: object) -> dict[str, bool]:
    """Called by Sphinx."""
    return {"parallel_read_safe": True}
