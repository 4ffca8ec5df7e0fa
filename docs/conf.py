"""The documentation site: `make docs` builds it from README.md, docs and the studies' pages into site/.

The source folder is the root of the repository, so that links between pages also work on GitHub.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "docs" / "_ext"), str(ROOT / "src")]

from gatewalk.version import __version__  # noqa: E402

project = "Gatewalk"
author = "The Gatewalk authors"
copyright = author
version = release = __version__

root_doc = "docs/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "docs/**/*.md",
    "docs/**/*.ipynb",
    "src/gatewalk_studies/*/README.md",
]
exclude_patterns = [
    ".*",
    "benchmarks",
    "build",
    "dist",
    "paper",
    "results",
    "site",
    "tests",
    "**/__pycache__",
]
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "commands",
    "mathml",
    "navigation",
    "notebooks",
    "public_names",
    "generated_tables",
]

# Markdown as GitHub reads it: anchors of headings, and file= after the language of a block.
myst_heading_anchors = 4
# And formulas: $...$ in a line, and a block fenced with math.
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
html_math_renderer = "mathml"
default_role = "code"  # single backticks in docstrings
smartquotes = False  # two dashes begin an option

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_title = f"Gatewalk {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_permalinks_icon = "#"
pygments_style = "tango"
pygments_dark_style = "github-dark-high-contrast"
