#!/bin/bash
# Installs the wheels of a folder as people do, and plays a match with what was installed:
#   .github/try-wheels.sh DIST [TOOL…]    TOOL is pip, pipx, uv or uvx; all of them if none is named
# Where DIST holds a compiled wheel for this Python, each of them has to take it.
set -euo pipefail
dist=$(realpath "$1"); shift
tools=("$@"); [ ${#tools[@]} -gt 0 ] || tools=(pip pipx uv uvx)
python=${PYTHON:-python3}
tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
compiled=("$dist"/*"$tag-$tag"-*.whl)
if [ -e "${compiled[0]}" ]; then wanted="(compiled)"; else wanted="(plain Python)"; fi
place=$(mktemp -d); trap 'rm -rf "$place"' EXIT
export PIPX_HOME=$place/pipx PIPX_BIN_DIR=$place/bin UV_TOOL_DIR=$place/uv UV_TOOL_BIN_DIR=$place/uvbin
export PIP_FIND_LINKS="$dist ${PIP_FIND_LINKS:-}" UV_FIND_LINKS="$dist${UV_FIND_LINKS:+,$UV_FIND_LINKS}"

# works COMMAND…: it says which build it is, and plays.
works() {
    local said; said=$("$@" --version)
    case $said in *"$wanted") ;; *) echo "$1: wanted a build $wanted, got: $said" >&2; return 1 ;; esac
    (cd "$place" && "$@" match random random random random --deals 1 --record - >"$place/record" 2>"$place/log") ||
        { cat "$place/log" >&2; return 1; }
    grep -q '"ranks"' "$place/record"
}

for tool in "${tools[@]}"; do
    case $tool in
    pip)
        "$python" -m venv "$place/venv"
        "$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check callbreak-arena
        works "$place/venv/bin/arena"
        "$place/venv/bin/python" -m pip check >/dev/null
        ;;
    pipx)
        pipx install --quiet --python "$python" callbreak-arena >/dev/null
        works "$place/bin/arena"
        ;;
    uv)
        uv tool install --quiet --python "$python" callbreak-arena
        works "$place/uvbin/arena"
        ;;
    uvx)
        works uvx --quiet --python "$python" --from callbreak-arena arena
        ;;
    esac
    echo "$tool: arena plays $wanted"
done
