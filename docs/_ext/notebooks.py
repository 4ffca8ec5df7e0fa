"""Notebooks as pages: their cells as Markdown, with the outputs that were saved below them."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx


def as_markdown(notebook: dict[str, Any]) -> str:
    """The cells of a notebook, with the outputs stored in it.

    Parameters
    ----------
    notebook
        What the file holds, as JSON has it.

    Returns
    -------
    str
        One page in Markdown.
    """
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            parts += [_shown(output) for output in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return f"<div class='output'>\n{''.join(data['image/svg+xml'])}\n</div>"
    if "image/png" in data:
        picture = "".join(data["image/png"]).strip()
        return f'<img class="output" alt="a figure" src="data:image/png;base64,{picture}">'
    if "text/html" in data:
        return f"<div class='output'>\n{''.join(data['text/html'])}\n</div>"
    text = "".join(output.get("text") or data.get("text/plain", ""))
    return f"```text\n{text.rstrip()}\n```"


class NotebookParser(MystParser):
    """Reads a notebook as the page that it is."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        super().parse(as_markdown(json.loads(inputstring)), document)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
