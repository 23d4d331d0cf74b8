"""A report's page where people meet it: in a browser (R-035 to R-037, Z-052).

Needs a Chromium on PATH; without one these tests are skipped.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import report_samples as samples

from okstra_ctl.reportdata.report import Report
from okstra_ctl.reports import page

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), "")
pytestmark = pytest.mark.skipif(not BROWSER, reason=f"no browser: none of {', '.join(NAMES)}")

# A page around the page, which tells how wide and how high things in it came out.
MEASURE = """<!doctype html><body><iframe src="report.html" width="%d" height="900"></iframe>
<script>
onload = function () {
  var inside = document.querySelector("iframe").contentDocument;
  var shown = Array.from(inside.querySelectorAll("a[href], button, summary, [tabindex='0']"));
  document.body.textContent = "MEASURED " + JSON.stringify({
    over: inside.documentElement.scrollWidth - inside.documentElement.clientWidth,
    unseen: shown.filter(function (one) { return !one.className && !one.offsetHeight; }).length,
    modes: Array.from(inside.querySelectorAll("button"), function (one) { one.click();
      return inside.documentElement.dataset.shown + " " +
        inside.querySelectorAll("details.audit[open]").length; }),
    base: getComputedStyle(inside.body).fontSize
  });
};
</script>"""


def browse(folder: Path, name: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"),
            *("--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files"),
            *(f"--user-data-dir={folder / 'profile'}", *words, (folder / name).as_uri()),
        ],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
        check=True,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = samples.report()
    data["clarificationItems"] = [samples.question()]
    data["findings"][0]["claim"] = "long" * 80 + " <script>document.title = 'taken'</script>"
    html = page.render(Report(data, "x.data.json", "a" * 64), [])
    (tmp_path / "report.html").write_text(html, encoding="utf-8")
    return tmp_path


def test_the_page_runs_its_own_script_and_no_other(folder: Path) -> None:
    """Z-052: the policy lets this script through, and nothing asks for more."""
    run = browse(folder, "report.html", "--dump-dom")
    assert 'data-shown="action"' in run.stdout
    assert "<title>error-analysis 001 · shop:checkout:DEV-1</title>" in run.stdout
    assert "Content Security Policy" not in run.stderr


@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_fits_its_width_and_its_modes_work(folder: Path, width: int) -> None:
    """R-035, R-037."""
    (folder / "around.html").write_text(MEASURE % width, encoding="utf-8")
    run = browse(folder, "around.html", "--dump-dom", "--window-size=1400,1000")
    found = re.search(r"MEASURED (\{.*\})", run.stdout)
    assert found, run.stdout[-500:]
    assert json.loads(found[1]) == {
        **{"over": 0, "unseen": 0, "base": "16px"},
        "modes": ["action 0", "audit 4", "full 4"],
    }


def test_the_page_prints(folder: Path) -> None:
    browse(folder, "report.html", f"--print-to-pdf={folder / 'report.pdf'}")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF")
