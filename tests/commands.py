"""`arena` as a process of its own, without what it costs to import the package each time.

One process a worker of the test run has imported every command, and forks itself for each call.
The fork has the caller's folder, environment and words, streams that are files, and runs
`python -m arena` to its end: exit status, signals, children and what is done on exit are a real
process's. Tests of how the interpreter starts, of terminals and of kills start `arena` themselves.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path


class Forker:
    """Our end of the process that forks; it is started when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(
        self, words: Sequence[str], *, cwd: Path, env: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """What `arena WORDS` did and said. Its standard input is empty."""
        with tempfile.TemporaryDirectory(prefix="arena-said-") as folder:
            out, err = (str(Path(folder, name)) for name in ("out", "err"))
            order = {"words": words, "cwd": str(cwd), "env": dict(env), "out": out, "err": err}
            try:
                status = self._ask(json.dumps(order).encode() + b"\n")
            except BaseException:  # the test was interrupted, or is too late
                self.stop()
                raise
            said = [Path(path).read_bytes().decode() for path in (out, err)]
        return subprocess.CompletedProcess(list(words), status, *said)

    def _ask(self, order: bytes) -> int:
        if self._process is None:
            env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.commands"],
                cwd=Path(__file__).parent.parent,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(order)
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def stop(self) -> None:
        """Nothing of it is left."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None


@contextlib.contextmanager
def forker() -> Iterator[Forker]:
    it = Forker()
    try:
        yield it
    finally:
        it.stop()


def serve() -> None:
    """Forks for every order on stdin and tells how that ended; returns in each fork, and never
    in the process that forks."""
    # Imported here alone: whoever asks for it need not spend the time.
    for module in importlib.import_module("arena.cli.commands").COMMANDS.values():
        importlib.import_module(module)
    importlib.import_module("arena.plugins").build_manager(entry_points=False)
    orders = io.FileIO(0)
    while order := orders.readline():
        if (pid := os.fork()) == 0:
            become(json.loads(order))
            return
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(1, b"%d\n" % status)
    os._exit(0)


def become(order: Mapping[str, object]) -> None:
    """This process has the folder, environment, streams and words of the order."""
    for fd, name, flags in ((0, os.devnull, os.O_RDONLY), (1, order["out"], os.O_WRONLY),
                            (2, order["err"], os.O_WRONLY)):  # fmt: skip
        opened = os.open(str(name), flags | os.O_CREAT, 0o600)
        os.dup2(opened, fd)
        os.close(opened)
    os.chdir(str(order["cwd"]))
    os.environ.clear()
    os.environ.update(order["env"])  # type: ignore[call-overload]
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = dict.fromkeys([str(order["cwd"]), *filter(None, paths), *sys.path])
    sys.argv[:] = ["arena", *order["words"]]  # type: ignore[misc]


if __name__ == "__main__":
    serve()
    runpy.run_module("arena", run_name="__main__", alter_sys=True)
