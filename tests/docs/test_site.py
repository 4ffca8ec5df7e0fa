"""The documentation site builds without a warning, loads nothing from a network, and leads to every page."""

import re
import sys

import pytest
from documents import ROOT
from processes import finished

SECTIONS = ("Tutorial", "How-to", "Reference", "Explanation", "Theory", "Studies")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "--quiet", "-c", "docs", "-b", "html"]
    done = finished([*command, "-d", str(out / "doctrees"), ".", str(out / "html")], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return out / "html"


def test_the_site(site):
    index = (site / "docs" / "index.html").read_text()
    assert "docs/index.html" in (site / "index.html").read_text()
    captions = re.findall(r'class="caption-text">([^<]+)<', index)
    assert [caption for caption in captions if caption in SECTIONS] == list(SECTIONS)

    # Every page is in the navigation, and nothing that a browser loads by itself comes from elsewhere.
    pages = [page for page in site.rglob("*.html") if page.name not in ("genindex.html", "search.html")]
    linked = set(re.findall(r'class="reference internal" href="([^"#]+)"', index))
    named = {(site / "docs" / link).resolve() for link in linked}
    assert {page for page in pages if page.parent != site} - named <= {site / "docs" / "index.html"}
    for page in pages:
        loaded = re.findall(
            r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=\"([^\"]*)\"", page.read_text()
        )
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import", style.read_text()), style

    # The search knows the pages, those of commands and of Python names included.
    words = (site / "searchindex.js").read_text()
    for name in (
        "docs/reference/commands",
        "docs/reference/api/gatewalk",
        "src/gatewalk_studies/nodes/README",
    ):
        assert f'"{name}"' in words
