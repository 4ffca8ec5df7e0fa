"""The pages of the documentation, and the examples in them: fenced blocks and the notes about running them.

`examples.py` runs the blocks of a page in order, in an empty folder that they share, with one Python
namespace.

- Output is compared if it is shown: in a `console` block below its command, which begins with `$ `; in a
  block marked `text` right after a `sh` or `python` block; or below `>>>`. `...` stands for what varies.
- A file is written by a block that names it: ```toml file=and.toml.
- Output that begins with `gatewalk: ` must come with exit code 2; any other exit code is announced on the
  line before the block: <!-- exits with: 3 -->.
- Hidden preparation is a comment: <!-- run: gatewalk circuit convert maj:3 function.pla -->.
- A block that a test cannot run has a reason on the line before: <!-- not run: needs a SLURM cluster -->.
  The reason begins with installs, needs, takes, continues or "a sketch".
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PAGES = [ROOT / "README.md", *sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")])]
PAGES = {str(page.relative_to(ROOT)): page for page in _PAGES}

_FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)")
_NOTE = re.compile(r"<!-- *(?P<kind>not run|exits with|run):(?P<text>.*?)-->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, or the commands of a hidden comment `<!-- run: ... -->`.

    Attributes
    ----------
    language, file
        From the line that opens it, as in ```` ```toml file=and.toml ````; an empty text if there is none.
    text
        What is between the fences.
    line
        The line of the page before its first line; of a notebook the number of the cell.
    is_output
        It follows another block with nothing in between: it may be what that one prints.
    not_run
        The reason why it is not run, from the comment before it.
    status
        The exit status that the comment before it announces; 0 if there is none.
    shows
        Of a cell of a notebook, how its last value was shown when the notebook was saved, by media type.
    """

    language: str
    text: str
    line: int
    file: str = ""
    is_output: bool = False
    not_run: str = ""
    status: int = 0
    shows: dict[str, str] = field(default_factory=dict)


def blocks_of(path):
    """The blocks of a page in a file, or the cells of a notebook, in order."""
    text = path.read_text()
    return cells(json.loads(text)) if path.suffix == ".ipynb" else blocks(text)


def cells(notebook):
    """The code of a notebook, cell by cell, each followed by what it printed when the notebook was saved."""
    found = []
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] == "code":
            data = [one["data"] for one in cell["outputs"] if "data" in one]
            shows = {media: "".join(text) for one in data for media, text in one.items()}
            found.append(Block(language="python", text="".join(cell["source"]), line=number, shows=shows))
            printed = "".join("".join(one.get("text", "")) for one in cell["outputs"])
            if printed:
                found.append(Block(language="text", text=printed, line=number, is_output=True))
    return found


def blocks(page):
    """The blocks of a page, in order.

    Parameters
    ----------
    page
        Its text, in Markdown.

    Raises
    ------
    ValueError
        If a fence is not closed, or a note stands before no block.
    """
    found = []
    lines = page.splitlines()
    notes = {}
    prose = True
    at = 0
    while at < len(lines):
        line = lines[at]
        opened = _FENCE.fullmatch(line)
        if opened:
            end = _closing(lines, at, opened["fence"])
            words = opened["info"].split() or [""]
            found.append(
                Block(
                    language=words[0],
                    file=next((word.removeprefix("file=") for word in words if word.startswith("file=")), ""),
                    text="".join(f"{line.removeprefix(opened['indent'])}\n" for line in lines[at + 1 : end]),
                    line=at + 1,
                    is_output=not prose,
                    not_run=notes.pop("not run", ""),
                    status=int(notes.pop("exits with", "0")),
                )
            )
            prose = False
            at = end + 1
        elif line.startswith("<!--"):
            end = next((i for i in range(at, len(lines)) if "-->" in lines[i]), at)
            note = _NOTE.fullmatch("\n".join(lines[at : end + 1]).strip())
            if note and note["kind"] == "run":
                found.append(Block(language="sh", text=f"{note['text'].strip()}\n", line=at + 1))
            elif note:
                notes[note["kind"]] = note["text"].strip()
            prose = True
            at = end + 1
        else:
            if line.strip():
                prose = True
                if notes:
                    raise ValueError(f"line {at + 1}: a note on how to run stands before no block")
            at += 1
    return found


def _closing(lines, opened, fence):
    for at in range(opened + 1, len(lines)):
        stripped = lines[at].strip()
        if stripped.startswith(fence) and not stripped.strip(fence[0]):
            return at
    raise ValueError(f"line {opened + 1}: the block is not closed")


def commands(text):
    """The commands of a shell block: a line each, with continued lines and here-documents in one piece."""
    found = []
    lines = iter(text.splitlines())
    for line in lines:
        command = line
        while command.endswith("\\"):
            command = f"{command[:-1]} {next(lines).strip()}"
        word = re.search(r"<<-?\s*['\"]?(\w+)", command)
        while word and command.rsplit("\n", 1)[-1].strip() != word[1]:
            command += f"\n{next(lines)}"
        if command.strip() and not command.lstrip().startswith("#"):
            found.append(command)
    return found


def session(text):
    """The commands of a console block, each after `$`, with the output that is shown below it.

    A command goes on over lines that end in a backslash, and to the end of a here-document.
    """
    found = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        end = 1
        word = re.search(r"<<-?\s*['\"]?(\w+)", lines[0])
        if word:
            end = next(i for i in range(1, len(lines)) if lines[i].strip() == word[1]) + 1
        while lines[end - 1].endswith("\\"):
            end += 1
        (command,) = commands("\n".join(lines[:end])) or [""]
        found.append((command, "".join(f"{line}\n" for line in lines[end:])))
    return found
