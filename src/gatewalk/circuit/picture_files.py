"""Pictures as files: SVG, PDF or PNG, by the suffix."""

from __future__ import annotations

from pathlib import Path

from gatewalk.circuit.picture import Picture
from gatewalk.circuit.themes import Theme
from gatewalk.errors import InputError, shown
from gatewalk.extras import need

SUFFIXES = (".svg", ".pdf", ".png")


def check_suffix(path: str | Path) -> None:
    """Refuse a file whose suffix stands for no picture, or for one that needs an extra that is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        wrong = f"the suffix {shown(suffix)} stands for no picture" if suffix else "the name has no suffix"
        raise InputError(f"{path}: {wrong}, use one of {' '.join(SUFFIXES)}")
    if suffix != ".svg":
        need("matplotlib", f"drawing a circuit as {suffix[1:].upper()}")


def write_picture(picture: Picture, path: str | Path, *, theme: Theme = "auto") -> None:
    """Write a picture in the format of the file's suffix: .svg, .pdf or .png.

    Parameters
    ----------
    picture
        From `schematic`, or of a program from `gatewalk.search.program_pictures`.
    path
        The file; PDF and PNG need the extra `plot`.
    theme
        "light", "dark", or "auto": an SVG then follows the reader's screen, other files are light.

    Examples
    --------
    >>> from gatewalk.circuit import circuit_named, schematic
    >>> write_picture(schematic(circuit_named("maj:3")), "majority.svg")
    """
    check_suffix(path)
    try:
        Path(path).write_bytes(_contents(picture, Path(path).suffix.lower(), theme))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _contents(picture: Picture, suffix: str, theme: Theme) -> bytes:
    if suffix == ".svg":
        from gatewalk.circuit.picture_svg import svg_text

        return svg_text(picture, theme=theme).encode()
    from gatewalk.circuit.picture_matplotlib import image

    return image(picture, "pdf" if suffix == ".pdf" else "png", theme="light" if theme == "auto" else theme)
