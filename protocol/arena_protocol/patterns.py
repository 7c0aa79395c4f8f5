"""How names in a manifest are spelt; importing this costs nothing."""

from __future__ import annotations

NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"
VARIABLE_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*$"

_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_PLACE = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
IMAGE_PATTERN = (
    rf"^(?:(?:{_HOST}(?:\.{_HOST})*|\[[0-9a-fA-F:]+\])(?::[0-9]{{1,5}})?/)?"
    rf"{_PLACE}(?:/{_PLACE})*"
    r"(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?"
    r"(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,128})?$"
)
"""A reference to an image by the OCI's grammar: it never begins with a hyphen, has no space, and
names no file."""
