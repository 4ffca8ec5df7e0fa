"""Notebooks: running a cell as Jupyter does, and storing what cells print and show.

`python tests/support/notebooks.py docs/tutorials/operators.ipynb` runs it and stores its outputs.
"""

import ast
import base64
import contextlib
import io
import json
import linecache
import sys
from pathlib import Path


def run_cell(text, names, *, line=0):
    """Run a cell, and return the value of its last line, None if that is not an expression.

    Parameters
    ----------
    text
        Its source.
    names
        The namespace that the cells of a notebook share.
    line
        How many lines of the page stand before it, so that the lines of a traceback are those of the page.
    """
    text = "\n" * line + text
    # As in a notebook, the source of functions can be read.
    linecache.cache["<page>"] = (len(text), None, text.splitlines(keepends=True), "<page>")
    tree = ast.parse(text, "<page>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<page>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<page>", "eval"), names)


def shown_by(value):
    """How a notebook shows the value of a cell's last line: texts by their media type, none for None."""
    if value is None:
        return {}
    forms = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}
    made = {media: getattr(value, name)() for media, name in forms.items() if hasattr(value, name)}
    if hasattr(value, "savefig"):
        made["image/png"] = _png(value)
    return {media: text for media, text in made.items() if text is not None} | {"text/plain": repr(value)}


def _png(figure):
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=100, bbox_inches="tight", metadata={"Software": None})
    return base64.b64encode(stream.getvalue()).decode()


def store_outputs(path):
    """Run the cells of a notebook and store what they print and show."""
    notebook = json.loads(path.read_text())
    names = {"__name__": "__main__"}
    counted = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            data = shown_by(run_cell("".join(cell["source"]), names))
        counted += 1
        cell["execution_count"] = counted
        cell["outputs"] = []
        if printed.getvalue():
            stream = {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
            cell["outputs"].append(stream)
        if data:
            cell["outputs"].append(
                {
                    "data": {media: _lines(text) for media, text in data.items()},
                    "execution_count": counted,
                    "metadata": {},
                    "output_type": "execute_result",
                }
            )
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def _lines(text):
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store_outputs(Path(name))
