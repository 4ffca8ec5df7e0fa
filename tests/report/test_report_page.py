"""The page of a store as a file: nothing in it asks for the network, and its policy names its script."""

import base64
import hashlib
import json
import re

from report_stores import everything

from gatewalk.report.report_data import report_data
from gatewalk.report.report_page import policy, report_page, script

NASTY = '</script><img src=x onerror="alert(1)"><!--<script>'


def scripts(page: str) -> list[str]:
    return re.findall(r"<script(?: [^>]*)?>(.*?)</script>", page, re.DOTALL)


def test_the_file_fetches_nothing() -> None:
    page = report_page(report_data(everything(), resamples=3))
    addresses = set(re.findall(r"https?://[^\s\"'<\\]+", page))
    assert addresses == {"https://github.com/leeoniya/uPlot", "http://www.w3.org/2000/svg"}
    assert re.findall(r"<(?:img|iframe|object)|<script[^>]*src|url\(|@import", page) == []
    assert "connect-src &#x27;none&#x27;" in page


def test_the_policy_allows_the_script_that_is_there() -> None:
    for live in (False, True):
        page = report_page(None, live=live)
        (found,) = [text for text in scripts(page) if "uPlot" in text]
        assert found == script()
        digest = base64.b64encode(hashlib.sha256(found.encode()).digest()).decode()
        assert f"script-src 'sha256-{digest}'" in policy(live=live)
    assert "</script" not in script()


def test_names_are_text_in_the_file() -> None:
    data = report_data(everything(), resamples=3)
    data["name"] = data["overview"]["rows"][0][0] = NASTY
    page = report_page(data)
    assert len(scripts(page)) == 4
    assert "<img" not in page
    assert json.loads(scripts(page)[0])["name"] == NASTY
    assert "@" not in re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL)
