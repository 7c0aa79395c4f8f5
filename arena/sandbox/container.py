"""The provider `container`: podman or docker, whichever is there and runs.

For machines where an organiser trusts an engine more than us, and for bots that need a system of
their own: a bot (or the tournament) can name an image. Without one, a bot runs in an image of ours
that is empty but for mount points: it shows the host's system folders, read-only, as `bwrap` does,
so that every bot finds the interpreters of this machine.

A container is not our child: the engine's client is, and the container outlives it. So the end of a
process is an order to the engine (`Launch.stop`), and what a killed harness left behind is removed
by the next one, which knows it by its label.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tarfile
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from arena_protocol.patterns import IMAGE_PATTERN

from arena.cache import hold, making_in
from arena.errors import SandboxError
from arena.process import Answer, Exit, Launch, ask
from arena.sandbox.api import CapabilityReport, Level, Limits, Program, Unavailable
from arena.sandbox.gate import LOCKED_BYTES, QUEUED_SIGNALS
from arena.sandbox.interpreters import Commands, check_shown
from arena.sandbox.layout import LOOPBACK_HOSTS, SYSTEM_LINKS, environment, system_files
from arena.sandbox.oci import profile
from arena.sandbox.report import Claims, confirmed, reports_folder
from arena.sandbox.seccomp import Policy, supported
from arena.sandbox.uids import Uids, check_readable
from arena.scratch import is_dead, owner, owner_in, scratch_folder

ENGINES = ("podman", "docker")

RUNTIMES = ("", "runc", "crun")
"""Tried in this order, '' being the engine's own choice: crun refuses some mixtures of cgroups."""

HOST_IMAGE = "localhost/callbreak-arena-host:1"
FOLDER = "/bot"
LABEL = "callbreak-arena"
UNPRIVILEGED_UID = 1000
MAX_IMAGE_CHARS = 255
KEPT = (
    "HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "CONTAINERS_CONF",
    "DBUS_SESSION_BUS_ADDRESS",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
)
"""Variables that an engine's client looks at; containers get none of them."""

ASK_S = 60.0

CLAIMS: Claims = MappingProxyType(
    {
        "network": (Level.ENFORCED, "--network none; socket() is refused"),
        "filesystem": (Level.ENFORCED, "a read-only image; the bot's folder read-only"),
        "processes": (Level.ENFORCED, "a pid namespace; ptrace and its kin are refused"),
        "memory": (Level.ENFORCED, "a memory limit of the container's cgroup, no swap"),
        "process-count": (Level.ENFORCED, "a pids limit of the container's cgroup"),
        "cores": (Level.ENFORCED, "a cpuset; sched_setaffinity is refused"),
        "cpu-time": (
            Level.WATCHED,
            "counted for the whole tree; who takes the core from others is killed and charged",
        ),
        "disk": (Level.ENFORCED, "nothing is writable but a tmpfs of bounded size, if granted"),
        "tree-kill": (Level.ENFORCED, "the engine removes the container"),
        "referee-death": (
            Level.NONE,
            "bots read end of file; containers that stay are removed by the next run",
        ),
        "privileges": (Level.ENFORCED, "no capabilities, none to be gained; seccomp profile"),
        "collusion": (Level.NONE, "common files, load, and totals of /proc are open"),
    }
)


class Container:
    """Shuts programs in with a container engine.

    `image` is for bots that name none: '' shows this machine's own programs.
    """

    name = "container"

    def __init__(
        self, search_path: str | None = None, cache: Path | None = None, image: str = ""
    ) -> None:
        self._search_path = search_path
        self._cache = cache
        self._image = image
        self._commands = Commands(search_path)
        self._uids = Uids()
        self._engine: Engine | Unavailable | None = None

    def unavailable(self) -> Unavailable | None:
        engine = self._found()
        return engine if isinstance(engine, Unavailable) else None

    def report(self) -> CapabilityReport:
        engine = self._need()
        version = engine.ask("--version").out
        return confirmed(self, version, CLAIMS, children=True, cache=self._cache)

    def launch(self, program: Program, limits: Limits) -> Launch:
        engine = self._need()
        image = _checked_image(program.image or self._image or HOST_IMAGE)
        own_image = image != HOST_IMAGE
        cache = self._cache or reports_folder()
        uid = self._uids.next()
        if uid is not None:
            check_readable(program.folder)
        name = f"{LABEL}-{uuid.uuid4().hex[:16]}"
        command, shown = self._command(program, limits, own_image=own_image)
        options = [
            *_labels(),
            *_rights(engine, program, UNPRIVILEGED_UID if uid is None else uid, cache),
            *_limits(program, limits),
            *shown,
            *_folder(program),
            *_loopback(program),
        ]
        run = ("run", "--interactive", f"--name={name}", *options, "--", image)
        at_once = ("--time=0",) if engine.is_podman else ()
        return Launch(
            # Engines leave files where they are started; that must not be where we are.
            argv=(
                "/bin/sh",
                "-c",
                'cd -- "$0" && exec "$@"',
                str(cache),
                *engine.words,
                *run,
                *command,
            ),
            env=engine.env,
            stop=(*engine.words, "rm", "--force", *at_once, name),
            tell_root=(*engine.words, "inspect", "--format", "{{.State.Pid}}", name),
            signal_as_status=True,
            guards=(ContainerGuard(engine, name), *self._uids.guards(uid)),
        )

    def _command(
        self, program: Program, limits: Limits, *, own_image: bool
    ) -> tuple[Sequence[str], list[str]]:
        """argv inside, and the options that make its interpreter visible there."""
        if own_image:
            for path in program.shows:
                check_shown(path, (program.folder, *limits.toolchains))
            return program.argv, [
                *(f"--env={name}={value}" for name, value in program.env.items()),
                *(_shown(str(mount)) for mount in program.shows),
            ]
        command = self._commands.resolve(program, limits.toolchains)
        variables = {**environment(limits, command.folders), **program.env}
        return command.argv, [
            *(f"--env={name}={value}" for name, value in variables.items()),
            *_system(),
            *(_shown(str(mount)) for mount in dict.fromkeys((*command.mounts, *program.shows))),
        ]

    def _need(self) -> Engine:
        engine = self._found()
        if isinstance(engine, Unavailable):
            raise SandboxError(engine.reason, where="sandbox container", mend=engine.remedy)
        return engine

    def _found(self) -> Engine | Unavailable:
        """The engine, looked for once."""
        if self._engine is None:
            path = self._search_path or os.environ.get("PATH", os.defpath)
            self._engine = _find(path)
            if isinstance(self._engine, Engine):
                _sweep(self._engine)
        return self._engine


@dataclass(frozen=True, slots=True)
class Engine:
    """A container engine that runs here: its command, with a runtime that works."""

    words: tuple[str, ...]
    env: Mapping[str, str]

    @property
    def is_podman(self) -> bool:
        return Path(self.words[0]).name == "podman"

    def ask(self, *words: str) -> Answer:
        return ask((*self.words, *words), timeout_s=ASK_S, env=self.env)


@dataclass(frozen=True, slots=True)
class ContainerGuard:
    """Asks the engine how a container ended, before it is removed."""

    engine: Engine
    name: str

    def attach(self, pid: int, pidfd: int) -> ContainerGuard:
        return self

    def verdict(self) -> Exit | None:
        """A kill for memory. Raises SandboxError if the program was never started."""
        told = self.engine.ask("inspect", "--format", "{{json .State}}", self.name)
        if told.status != 0:
            raise SandboxError(
                "the container engine did not start the program",
                where=self.name,
                mend="`arena doctor` shows what is amiss; is the image there?",
            )
        state = json.loads(told.out)
        if state.get("OOMKilled"):
            return Exit(signal=9, memory=True, detail="killed at its container's limit")
        return None

    def release(self) -> None:
        return None


def _find(path: str) -> Engine | Unavailable:
    if supported() is None:
        return Unavailable("no seccomp profile for this architecture", "use x86_64 or aarch64")
    why = Unavailable("neither podman nor docker is installed", "apt install podman")
    for name in ENGINES:
        program = shutil.which(name, path=path)
        # Docker's runtimes are its daemon's business.
        for runtime in () if program is None else RUNTIMES if name == "podman" else RUNTIMES[:1]:
            words = (str(program), "--runtime", runtime) if runtime else (str(program),)
            engine = Engine(words, _engine_environment(path))
            if (lack := _try(engine)) is None:
                return engine
            if not runtime:
                why = Unavailable(f"{name} does not run: {lack}", f"mend {name}, or use bwrap")
    return why


def _engine_environment(path: str) -> Mapping[str, str]:
    """What a client needs to find its engine and its own files; no proxies, nothing of ours."""
    return {"PATH": path, **{name: os.environ[name] for name in KEPT if name in os.environ}}


def _try(engine: Engine) -> str | None:
    """Runs a container that does nothing; what the engine says if it cannot."""
    if (there := _ensure_image(engine)).status != 0:
        return _last_line(there.err)
    limits = ("--memory=64m", "--pids-limit=16", "--ulimit=nofile=64:64", "--ulimit=nproc=64:64")
    done = engine.ask("run", "--rm", "--network=none", *limits, *_system(), HOST_IMAGE, "/bin/true")
    return None if done.status == 0 else _last_line(done.err)


def _ensure_image(engine: Engine) -> Answer:
    """Our image is there, made from nothing if need be."""
    known = engine.ask("image", "inspect", HOST_IMAGE)
    if known.status == 0:
        return known
    with scratch_folder("image") as folder:
        image = folder / "image.tar"
        with tarfile.open(image, mode="w") as tar:
            for name in ("usr", "proc", "dev", "etc/ssl", "tmp", FOLDER[1:]):
                _add_folder(tar, name)
            for name in SYSTEM_LINKS:
                _add_link(tar, name)
        return engine.ask("import", str(image), HOST_IMAGE)


def _add_folder(tar: tarfile.TarFile, name: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
    tar.addfile(entry)


def _add_link(tar: tarfile.TarFile, name: str) -> None:
    """The host's own link into /usr; a folder to mount on where the host has one."""
    outside = Path("/", name)
    if outside.is_symlink():
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(outside)
        tar.addfile(entry)
    elif outside.is_dir():
        _add_folder(tar, name)


def _rights(engine: Engine, program: Program, uid: int, cache: Path) -> list[str]:
    policy = Policy(writable=program.writable, loopback=program.loopback)
    only_podman = ["--read-only-tmpfs=false", "--http-proxy=false", "--no-hosts"]
    return [
        "--pull=never",
        "--network=none",
        "--ipc=none",
        "--hostname=arena",
        "--read-only",
        "--cap-drop=all",
        "--security-opt=no-new-privileges",
        f"--security-opt=seccomp={_profile(policy, cache)}",
        f"--user={uid}:{uid}",
        "--log-driver=none",
        *(only_podman if engine.is_podman else []),
    ]


def _profile(policy: Policy, cache: Path) -> Path:
    """The file of a policy's profile; the engine's client reads it at every start."""
    architecture = supported()
    assert architecture is not None  # or there would be no engine
    text = profile(policy, architecture)
    path = cache / f"seccomp-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    while not hold(path):
        with making_in(path.parent, "making-") as making:
            making.write_text(text)
            making.replace(path)
    return path


def _limits(program: Program, limits: Limits) -> list[str]:
    memory = f"{limits.memory_mb + limits.scratch_mb}m"
    data = limits.memory_mb * 1024 * 1024
    options = [
        f"--memory={memory}",
        f"--memory-swap={memory}",
        f"--pids-limit={limits.processes}",
        f"--ulimit=nofile={limits.open_files}:{limits.open_files}",
        f"--ulimit=nproc={limits.processes}:{limits.processes}",
        f"--ulimit=fsize={limits.file_size_bytes}:{limits.file_size_bytes}",
        f"--ulimit=data={data}:{data}",
        "--ulimit=core=0:0",
        "--ulimit=rtprio=0:0",
        "--ulimit=msgqueue=0:0",
        f"--ulimit=memlock={LOCKED_BYTES}:{LOCKED_BYTES}",
        f"--ulimit=sigpending={QUEUED_SIGNALS}:{QUEUED_SIGNALS}",
    ]
    if program.core is not None:
        options.append(f"--cpuset-cpus={program.core}")
    if limits.cpu_s:
        options.append(f"--ulimit=cpu={limits.cpu_s}:{limits.cpu_s}")
    if limits.scratch_mb:
        options.append(f"--tmpfs=/tmp:rw,size={limits.scratch_mb}m,mode=1777")
    return options


def _folder(program: Program) -> list[str]:
    mode = "" if program.writable else ":ro"
    folder = _mountable(str(program.folder.resolve()))
    return [f"--volume={folder}:{FOLDER}{mode}", f"--workdir={FOLDER}"]


def _loopback(program: Program) -> list[str]:
    """The name of the loopback interface, which engines bring up."""
    return [f"--volume={LOOPBACK_HOSTS}:/etc/hosts:ro"] if program.loopback else []


def _system() -> list[str]:
    """The host's system folders, shown where the image has places for them."""
    own = [f"/{n}" for n in SYSTEM_LINKS if Path("/", n).is_dir() and not Path("/", n).is_symlink()]
    return [_shown(path) for path in ("/usr", *own, *system_files())]


def _shown(path: str) -> str:
    return f"--volume={_mountable(path)}:{path}:ro"


def _mountable(path: str) -> str:
    """The path, in which an engine reads nothing but a path. Raises SandboxError."""
    if ":" in path:
        raise SandboxError(
            "a path with a colon cannot be shown to a container",
            where=path,
            mend="use a folder of another name, or --sandbox bwrap",
        )
    return path


def _checked_image(image: str) -> str:
    """The image, which an engine cannot take for an option or a file. Raises SandboxError."""
    if len(image) > MAX_IMAGE_CHARS or not re.fullmatch(IMAGE_PATTERN, image):
        raise SandboxError(
            "this is no reference to an image",
            where=f"image {image[:100]!r}",
            mend="write one such as localhost/my-bot:1",
        )
    return image


def _labels() -> list[str]:
    """How a later harness knows whose container it is, and whether that harness is dead."""
    return [f"--label={LABEL}={owner()}"]


def _sweep(engine: Engine) -> None:
    """Removes the containers of harnesses that are dead."""
    form = '{{.ID}} {{.Label "' + LABEL + '"}}'
    for line in engine.ask("ps", "--all", "--filter", f"label={LABEL}", "--format", form).out.split(
        "\n"
    ):
        container, _, label = line.strip().partition(" ")
        its = owner_in(f"container-{label}")
        if its and is_dead(its):
            engine.ask("rm", "--force", container)


def _last_line(text: str) -> str:
    return (text.splitlines() or ["it says nothing"])[-1]
