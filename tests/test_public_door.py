"""The pages and workflows that strangers meet first, held against the tree."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest
from packaging.version import Version

import arena

ROOT = Path(__file__).parent.parent
WORKFLOWS = ROOT / ".github" / "workflows"
COVENANT = "2.1"
COVENANT_TEXT = "dac9c0329c6af294f273d270205a86dfc846f9bab97b1a965cfe4cab8b4eb0ae"
"""SHA-256 of the Contributor Covenant's text, with the contact left open as it is published."""


def linter(*command: str) -> str:
    """What a linter that lies beside this Python complains of."""
    done = subprocess.run(
        [Path(sys.executable).with_name(command[0]), *command[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_a_workflow_keeps_to_githubs_schema(name):
    schema = ("--builtin-schema", "vendor.github-workflows")
    assert linter("check-jsonschema", *schema, str(WORKFLOWS / name)) == ""


def test_the_schema_refuses_a_workflow_with_a_slip(tmp_path):
    slip = tmp_path / "ci.yml"
    slip.write_text((WORKFLOWS / "ci.yml").read_text().replace("runs-on:", "run-on:", 1))
    assert linter("check-jsonschema", "--builtin-schema", "vendor.github-workflows", str(slip))


def test_the_workflows_give_away_no_rights_and_run_nothing_that_others_wrote():
    assert (
        linter("zizmor", "--offline", "--quiet", "--config", ".github/zizmor.yml", ".github") == ""
    )


def test_the_shell_scripts_are_clean():
    assert linter("shellcheck", "run", ".ci/run", ".github/try-wheels.sh") == ""


def test_the_workflow_tries_every_python_that_is_supported_on_both_architectures():
    said = (WORKFLOWS / "ci.yml").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    prefix = "Programming Language :: Python :: "
    supported = [
        name.removeprefix(prefix) for name in project["classifiers"] if name.startswith(prefix)
    ]
    matrix = re.search(r"python: \[(.*)\]", said)
    assert matrix is not None
    assert re.findall(r'"([^"]+)"', matrix[1]) == supported
    assert "os: [ubuntu-24.04, ubuntu-24.04-arm]" in said
    assert "bash .ci/run" in said
    built = (ROOT / "pyproject.toml").read_text()
    assert all(f"cp{version.replace('.', '')}-*" in built for version in supported)


def test_the_workflow_installs_each_command_that_ci_needs():
    script = (ROOT / ".ci" / "run").read_text()
    packages = re.findall(r"^need \S+ (\S+)$", script, re.M)
    assert packages
    said = (WORKFLOWS / "ci.yml").read_text()
    assert [name for name in packages if name not in said.split()] == []


def test_the_version_stands_once():
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]
    released = re.findall(r"^## (\d\S*) ", (ROOT / "CHANGELOG.md").read_text(), re.M)
    numbers = [Version(version) for version in released]
    assert numbers == sorted(numbers, reverse=True)
    assert all(number <= Version(arena.__version__) for number in numbers)


def test_the_commonest_changes_name_places_in_the_tree():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| (?!you want|---)(.*) \|$", page, re.M)
    assert len(rows) == 10
    for row in rows:
        places = re.findall(r"\[`([^`]+)`\]\(([^)]+)\)", row)
        assert places, row
        for shown, target in places:
            assert shown == target
            assert (ROOT / target).exists(), target


def test_the_code_of_conduct_is_the_contributor_covenant_as_it_is():
    page = (ROOT / "CODE_OF_CONDUCT.md").read_text()
    assert f"version {COVENANT}" in page
    words = " ".join(page.split())
    contact = re.search(r"enforcement at (.*?)\. All complaints", words)
    assert contact is not None
    published = words.replace(contact[1], "[INSERT CONTACT METHOD]")
    assert sha256(published.encode()).hexdigest() == COVENANT_TEXT


def test_no_page_at_the_door_names_an_address_to_write_to():
    for page in ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"):
        assert not re.search(r"\S+@\S+\.\S+", (ROOT / page).read_text()), page
