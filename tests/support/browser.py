"""A browser without a window, Chromium, for pages and drawings as readers see them."""

import shutil
import subprocess

import pytest

# Nothing is asked of the network, and nothing is kept.
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
)


def document_after(html, folder):
    """The document that a page has become when its scripts have run, as text."""
    page = folder / "page.html"
    page.write_text(html, encoding="utf-8")
    return _chromium(folder, "--dump-dom", page.as_uri())


def _chromium(folder, *options):
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    profile = folder / "profile"
    done = subprocess.run(
        [program, *QUIET, f"--user-data-dir={profile}", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
