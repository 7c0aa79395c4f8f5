"""Builds the documentation site from the repository's own pages: `python docs/make_site.py SITE`

The pages stay as they are and where they are. A copy of them, laid out as in the repository, is
built strictly: a link or an anchor that leads nowhere, or a page that no menu shows, fails the
build. Links to what is no page (source files, folders) lead to `--source URL`, or become plain
text.
docs/decisions/0017-documentation-site.md says why.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from make_manual import reference

ROOT = Path(__file__).resolve().parent.parent
CONFIG = ROOT / "docs" / "zensical.toml"
STYLE = ROOT / "docs" / "site.css"
DECISIONS = ROOT / "docs" / "decisions"

MADE_HERE = {"docs/guide/commands.md": reference}
"""Pages that no file of the repository holds, and what writes them."""

_LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_CODE = re.compile(r"(^ *```.*?^ *```$)", re.M | re.S)


class SiteError(Exception):
    """A page does not hold together; the text says which and why."""


def main() -> None:
    """Leaves the finished site in the folder that was named, in place of what was there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("site", type=Path, help="the folder to write")
    parser.add_argument("--source", default="", help="where the repository's files can be read")
    chosen = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="arena-docs-") as name:
            place = Path(name)
            lay_out(place, chosen.source.rstrip("/"))
            _build(place)
            shutil.rmtree(chosen.site, ignore_errors=True)
            shutil.copytree(place / "site", chosen.site)
    except SiteError as error:
        sys.exit(f"docs: {error}")


def lay_out(place: Path, source: str) -> None:
    """The configuration and all pages of the menus lie in the folder, ready to be built."""
    pages = menu_pages()
    if missing := [page for page in pages if not (page in MADE_HERE or (ROOT / page).is_file())]:
        raise SiteError(f"{CONFIG.name} names pages that do not exist: {', '.join(missing)}")
    written = (str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))
    if unlisted := sorted(set(written) - set(pages)):
        raise SiteError(f"no menu in {CONFIG.name} shows {', '.join(unlisted)}")
    (place / CONFIG.name).write_text(_config_with_decisions())
    for page in pages:
        target = place / "pages" / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if page in MADE_HERE:
            target.write_text(MADE_HERE[page]())
        else:
            target.write_text(with_links_that_lead(page, set(pages), source, place / "pages"))
    shutil.copyfile(STYLE, place / "pages" / STYLE.relative_to(ROOT))


def menu_pages() -> list[str]:
    """The pages in the order of the menus, as paths in the repository."""
    listed = list(_leaves(tomllib.loads(CONFIG.read_text())["project"]["nav"]))
    return [*listed, *(str(page.relative_to(ROOT)) for page in _decisions())]


def with_links_that_lead(page: str, pages: set[str], source: str, copies: Path) -> str:
    """The page's text, with each link set to where its target is on the site."""

    def set_link(found: re.Match[str]) -> str:
        image, label, target, anchor = found.groups(default="")
        place = (ROOT / page).parent / target
        if not place.exists():
            raise SiteError(f"{page}: the link to {target} leads nowhere")
        inside = os.path.relpath(place, ROOT)
        if image:
            (copies / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, copies / inside)
        elif f"{inside}/README.md" in pages:
            target = f"{target.rstrip('/')}/README.md"
        elif inside not in pages:
            return f"[{label}]({source}/{inside})" if source else label
        return f"{image}[{label}]({target}{anchor})"

    parts = _CODE.split((ROOT / page).read_text())
    parts[::2] = [_LINK.sub(set_link, prose) for prose in parts[::2]]
    return "".join(parts)


def _decisions() -> list[Path]:
    return sorted(DECISIONS.glob("*.md"))


def _config_with_decisions() -> str:
    """The configuration, with the decisions as the last menu: nobody has to list them twice."""
    rows = [f'        "{page.relative_to(ROOT)}",\n' for page in _decisions()]
    menu = '    { "Decisions" = [\n' + "".join(rows) + "    ] },\n"
    text = CONFIG.read_text()
    place = text.index("    # docs/make_site.py adds")
    return text[:place] + menu + text[text.index("\n", place) + 1 :]


def _leaves(menu: Any) -> Iterator[str]:
    if isinstance(menu, str):
        yield menu
    else:
        for part in menu.values() if isinstance(menu, dict) else menu:
            yield from _leaves(part)


def _build(place: Path) -> None:
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", CONFIG.name]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).split("Traceback (most recent call last)")[0]
        raise SiteError(f"the site is not whole\n{said}")


if __name__ == "__main__":
    main()
