"""The recipe of the organisers' image holds what the bots and the pages need."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RECIPE = (ROOT / "Containerfile").read_text()
PACKAGES = {
    "gcc": "gcc",
    "g++": "g++",
    "go": "golang-go",
    "javac": "default-jdk-headless",
    "node": "nodejs",
    "python3": "python3",
    "rustc": "rustc",
    "java": "default-jdk-headless",
}
"""Debian's packages of the programs that bundled bots name; `sh` is always there."""
OPTIONS = ["--security-opt", "seccomp=unconfined", "--security-opt", "unmask=ALL"]


def test_the_image_has_the_toolchains_of_every_bundled_bot():
    installed = set(RECIPE.split("FROM ${BASE}\n")[-1].replace('"', " ").replace("=", " ").split())
    for manifest in (ROOT / "bots").glob("*/bot.toml"):
        bot = tomllib.loads(manifest.read_text())
        programs = {bot["run"][0], *bot.get("build", [])[:1]} - {"sh", "./bot"}
        assert {PACKAGES[program] for program in programs} <= installed, manifest


def test_the_build_arguments_of_the_page_are_those_of_the_recipe():
    page = (ROOT / "docs/guide/container.md").read_text()
    named = set(re.findall(r"--build-arg (\w+)=", page))
    assert named == set(re.findall(r"^ARG (\w+)=", RECIPE, re.M))


def test_what_is_left_out_of_the_image_is_nothing_that_the_package_is_made_of():
    left_out = set((ROOT / ".containerignore").read_text().split())
    assert not left_out & {"arena", "bots", "protocol", "docs", "README.md", "LICENSE"}


def test_the_image_plays_the_demo_in_its_sandbox(tmp_path):
    """Where ARENA_IMAGE names an image that was made by the recipe; CI makes one."""
    image = os.environ.get("ARENA_IMAGE")
    if not image:
        pytest.skip("ARENA_IMAGE names no image that was made by the Containerfile")
    command = ["podman", "run", "--rm", "--network", "none", *OPTIONS]
    done = subprocess.run(
        [*command, image, "demo", "--orbits", "1", "--sandbox", "bwrap"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "9 bots, 9 matches" in done.stdout
