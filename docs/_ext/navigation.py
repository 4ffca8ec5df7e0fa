"""The site's navigation: sections in the sidebar, and an index at its root.

The sections are added to the index page when the site is built, so on GitHub it is plain Markdown.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

# The pages of each section, in this order; a pattern stands for all other pages that match.
SECTIONS = {
    "Tutorial": ["tutorial*", "tutorials/ten-minutes*", "tutorials/*"],
    "How-to": ["how-to/*"],
    "Reference": [
        "reference/command-line",
        "reference/commands",
        "reference/json",
        "reference/columns",
        "reference/python",
        "reference/targets",
        "reference/gates",
        "reference/law",
        "reference/*",
    ],
    "Explanation": ["explanation/*"],
    "Theory": [
        "theory/paper",
        "theory/theorem6",
        "theory/results",
        "theory/neutral-walks",
        "theory/fewest-nodes",
        "theory/unused-inputs",
        "theory/many-nodes",
        "theory/*",
    ],
    "Studies": ["studies/README", "../src/gatewalk_studies/*/README"],
    "Project": ["../README", "../CONTRIBUTING", "../CHANGELOG"],
}
# Pages below another page.
BELOW = {"docs/reference/python": ["reference/api/gatewalk", "reference/api/*"]}
_START = """<!doctype html>
<meta charset="utf-8">
<title>Gatewalk</title>
<meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">Gatewalk</a>
"""


def add_sections(app: Sphinx, name: str, source: list[str]) -> None:
    """Append hidden tables of contents: the sections to the index, and to a page the pages below it."""
    if name in BELOW:
        source[0] += _contents(app, BELOW[name], "")
    if name == app.config.root_doc:
        source[0] += "".join(_contents(app, pages, caption) for caption, pages in SECTIONS.items())


def _contents(app: Sphinx, pages: list[str], caption: str) -> str:
    listed = "\n".join(_known(app, pages))
    titled = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{titled}\n{listed}\n```\n"


def _known(app: Sphinx, patterns: list[str]) -> list[str]:
    """The pages that the patterns name, each once, from the root of the site."""
    listed: list[str] = []
    for pattern in patterns:
        path = pattern.removeprefix("../") if pattern.startswith("../") else f"docs/{pattern}"
        listed += sorted(page for page in app.env.found_docs if _matches(page, path) and page not in listed)
    return [f"/{page}" for page in listed]


def _matches(page: str, pattern: str) -> bool:
    return Path(page).match(pattern) and page.count("/") == pattern.count("/")


def read_again(app: Sphinx, *_: object) -> list[str]:
    """The pages with contents, which are read at every build because pages may have been added."""
    return [app.config.root_doc, *BELOW]


def write_start(app: Sphinx, error: Exception | None) -> None:
    """Write the page at the root of the site, which leads to the index."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "index.html").write_text(_START, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", add_sections)
    app.connect("env-get-outdated", read_again)
    app.connect("build-finished", write_start)
    return {"parallel_read_safe": True}
