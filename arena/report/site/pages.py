"""Templates filled and written. Every text is escaped; what does not print is shown as a code."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.errors import writing
from arena.report.escape import visible

_HERE = Path(__file__).parent
SUIT_SHAPES = {
    "S": "M8 1C6 4 2 6.2 2 9.4a2.9 2.9 0 0 0 5.2 1.8C7.1 12.6 6.6 13.8 5.5 15h5c-1.1-1.2-1.6-2.4"
    "-1.7-3.8A2.9 2.9 0 0 0 14 9.4C14 6.2 10 4 8 1z",
    "H": "M8 14.2C4.2 11.2 1.8 8.8 1.8 5.9A3.3 3.3 0 0 1 8 4.3a3.3 3.3 0 0 1 6.2 1.6c0 2.9-2.4 5.3"
    "-6.2 8.3z",
    "D": "M8 1.4 13.2 8 8 14.6 2.8 8z",
    "C": "M8 1.2a2.9 2.9 0 0 1 2.5 4.4 2.9 2.9 0 1 1-1.6 5.3c.1 1.6.6 2.9 1.5 4.1H5.6c.9-1.2 1.4"
    "-2.5 1.5-4.1a2.9 2.9 0 1 1-1.6-5.3A2.9 2.9 0 0 1 8 1.2z",
}
"""The suits as SVG paths in a square of 16."""


class Pages:
    """Writes pages into a folder. `frame` is what all of them are given."""

    def __init__(self, out: Path, frame: Mapping[str, Any]) -> None:
        self._out = out
        self._environment = environment()
        self._frame = frame

    def write(self, path: str, template: str, **context: Any) -> None:
        """Fills a template; `path` is relative to the folder of the pages."""
        page = self._environment.get_template(template).render(
            **self._frame,
            root="../" * path.count("/"),
            home="../" * path.count("/") + "index.html",
            here=path.removesuffix(".html"),
            **context,
        )
        place = self._out / path
        with writing(place):
            place.write_text(page, encoding="utf-8")

    def copy_assets(self) -> None:
        """Puts style sheet, icon and scripts beside the pages."""
        for source in (_HERE / "static").iterdir():
            place = self._out / "assets" / source.name
            with writing(place):
                shutil.copyfile(source, place)


def environment() -> Environment:
    """The template engine: escapes everything, knows no undefined names."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"icon": _icon, "shapes": SUIT_SHAPES, "connect": ""}
    return made


def _shown(value: object) -> object:
    return visible(value) if type(value) is str else value


def _icon(name: str) -> Markup:
    return Markup('<svg class="icon" aria-hidden="true"><use href="#{}"/></svg>').format(name)
