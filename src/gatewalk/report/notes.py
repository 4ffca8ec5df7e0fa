"""Notes in Markdown as a part of a page: headings, paragraphs, lists, tables, code, bold, links, pictures.

Only a small part of Markdown is understood, and any text is safe: all characters are escaped, links go to web
addresses only, and the caller supplies the pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gatewalk.report.html import text
from gatewalk.report.prose import prose

Show = Callable[[str, str], str]  # the markup of a picture, from its text and address; "" for none
_PICTURE = re.compile(r"!\[([^\]\n]{0,500})\]\(([^)\s]{1,500})\)")
_INLINE = re.compile(r"`([^`\n]+)`|\*\*(.+?)\*\*|\[([^\]\n]{1,500})\]\(([^)\s]{1,500})\)", re.DOTALL)
_BULLET = re.compile(r"\s*[-*] +")
_RULE = re.compile(r"[\s|:-]+")


def notes_markup(markdown: str, show: Show = lambda words, address: "") -> str:
    """The notes as HTML, without their first top-level heading, because a page has its own.

    >>> notes_markup("# Title\\n\\nA **bold** <b>.")
    '<p>A <b>bold</b> &lt;b&gt;.</p>'
    """
    return "".join(_block(block, show) for block in _blocks(markdown))


def _blocks(markdown: str) -> list[list[str]]:
    """The blocks of the text: groups of lines that belong together, code with its fences."""
    blocks: list[list[str]] = [[]]
    fenced = False
    for line in markdown.replace("\t", "    ").splitlines():
        fence = line.startswith("```")
        if fence and not fenced:
            blocks.append([line])
        elif fenced:
            blocks[-1].append(line)
            if fence:
                blocks.append([])
        elif not line.strip() or line.startswith("#"):
            blocks += [[line], []] if line.strip() else [[]]
        else:
            blocks[-1].append(line)
        fenced ^= fence
    return [block for block in blocks if block]


def _block(lines: Sequence[str], show: Show) -> str:
    first = lines[0]
    if first.startswith("```"):
        body = lines[1:-1] if lines[-1].startswith("```") and len(lines) > 1 else lines[1:]
        return f"<pre>{text(chr(10).join(body))}</pre>"
    if first.startswith("#"):
        rank = len(first) - len(first.lstrip("#"))
        return "" if rank == 1 else f"<h3>{_inline(first[rank:].strip())}</h3>"
    if first.startswith("    "):
        return f"<pre>{text(chr(10).join(line[4:] for line in lines))}</pre>"
    if first.startswith("|") and len(lines) > 1 and _RULE.fullmatch(lines[1]):
        return _table(lines)
    if _BULLET.match(first):
        return _list(lines)
    words = "\n".join(lines)
    pictures = "".join(show(found[1], found[2]) for found in _PICTURE.finditer(words))
    rest = _PICTURE.sub("", words).strip()
    return (f"<p>{_inline(rest)}</p>" if rest else "") + pictures


def _list(lines: Sequence[str]) -> str:
    items: list[str] = []
    for line in lines:
        if match := _BULLET.match(line):
            items.append(line[match.end() :])
        else:
            items[-1] += "\n" + line.strip()
    return "<ul>" + "".join(f"<li>{_inline(item)}</li>" for item in items) + "</ul>"


def _table(lines: Sequence[str]) -> str:
    def row(line: str, tag: str) -> str:
        cells = line.strip().strip("|").split("|")
        return "<tr>" + "".join(f"<{tag}>{_inline(cell.strip())}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(row(line, "td") for line in lines[2:])
    head = row(lines[0], "th")
    return f'<div class="scroll low words"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def _inline(words: str) -> str:
    parts, end = [], 0
    for found in _INLINE.finditer(words):
        parts.append(prose(words[end : found.start()]))
        code, bold, label, address = found.groups()
        if code is not None:
            parts.append(f"<code>{text(code)}</code>")
        elif bold is not None:
            parts.append(f"<b>{_inline(bold)}</b>")
        elif address.startswith(("https://", "http://")):
            parts.append(f'<a href="{text(address)}">{text(label)}</a>')
        else:
            parts.append(prose(label))
        end = found.end()
    return "".join(parts) + prose(words[end:])
