"""The documentation site: whole, made from the pages as they are, and from nowhere else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("zensical")

ROOT = Path(__file__).parent.parent
PLACES = ("docs", "protocol", "bots", "leaderboards", "tests", "arena", "examples", ".github")
"""What pages lie in, or lead to."""


def make_site(root: Path, site: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, root / "docs/make_site.py", site, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("docs") / "site"
    done = make_site(ROOT, site, "--source", "https://code.example/tree/")
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of all that the site is made from, to break."""
    root = tmp_path / "checkout"
    root.mkdir()
    for page in [*ROOT.glob("*.md"), ROOT / "LICENSE", ROOT / "Containerfile"]:
        shutil.copy(page, root)
    leave = shutil.ignore_patterns("__pycache__", "target", "node_modules", "build")
    for place in PLACES:
        shutil.copytree(ROOT / place, root / place, ignore=leave)
    return root


def test_the_site_has_every_page_of_the_menus_and_search_finds_them(site):
    pages = {str(page.relative_to(site)) for page in site.rglob("*.html")}
    assert {"index.html", "docs/guide/sandbox.html", "protocol/SPEC.html"} <= pages
    assert len([page for page in pages if page.startswith("docs/decisions/")]) == len(
        list((ROOT / "docs/decisions").glob("*.md"))
    )
    assert "docs/guide/sandbox.html" in (site / "search.json").read_text()


def test_a_reader_fetches_nothing_from_elsewhere(site):
    loads = re.compile(
        r"""(?:<(?:script|img|iframe)[^>]*\bsrc|<link[^>]*\bhref)=["']?(https?:|//)"""
    )
    for page in site.rglob("*.html"):
        assert not loads.search(page.read_text()), page
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:|//)", style.read_text()), style


def test_links_to_sources_lead_to_where_they_can_be_read(site):
    page = (site / "CONTRIBUTING.html").read_text()
    assert 'href="https://code.example/tree/arena/games/callbreak/variants.py"' in page
    assert 'href="bots/index.html"' in page  # a folder whose README is a page


def test_every_link_inside_the_site_leads_to_a_file_of_it(site):
    for page in site.rglob("*.html"):
        if page.name == "404.html":  # its links begin at the root of whatever serves it
            continue
        for target in re.findall(r'href="(?!\w+:|#|//)([^"#?]+)', page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ("[gone](docs/guide/gone.md)", "README.md: the link to docs/guide/gone.md leads nowhere"),
        ("[gone](docs/guide/sandbox.md#gone)", "anchor"),
    ],
    ids=["file", "anchor"],
)
def test_a_link_that_leads_nowhere_fails_the_build(checkout, tmp_path, slip, said):
    readme = checkout / "README.md"
    readme.write_text(f"{readme.read_text()}\n{slip}\n")
    done = make_site(checkout, tmp_path / "site")
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "site").exists()


def test_a_page_that_no_menu_shows_fails_the_build(checkout, tmp_path):
    (checkout / "docs/guide/lost.md").write_text("# Lost\n")
    done = make_site(checkout, tmp_path / "site")
    assert (done.returncode, done.stderr) == (
        1,
        "docs: no menu in zensical.toml shows docs/guide/lost.md\n",
    )
