"""The only place that starts bots: a `Launch` goes in, a running `Process` comes out.

How a start goes. A launcher (bubblewrap, a shell, the program itself) is spawned in a session of
its own with three fresh pipes and exactly the descriptors that the `Launch` lists; whatever else
could be inherited is closed. Before the program runs its first instruction it waits at a *gate*:

1. the launcher reports the pid of the program's init (`info_fd`), or it is the init itself;
2. we open a pidfd on that init and let every `Guard` take hold of it (limits, core, cgroup);
3. we wait until the init's parent-death signal is armed (`filtered_init`);
4. we open the gate by writing to the pipe behind `gate_fds`.

Should this process die before step 4, the gate reads end of file and the program never starts;
after it, the parent-death signals of the launcher and of its init are armed. There is no moment in
between at which a program could be orphaned. Once through the gate, and before the program,
`ready_fd` receives a byte: a process that ends without it failed in our hands (`SandboxError`), not
in the bot's.

How an end goes. SIGKILL goes to the init by pidfd, so that no reused pid can be hit, and the death
of a pid namespace's init is the death of everything in it. Nothing here waits without a deadline,
and nothing waits for end of file: a grandchild may hold a pipe open for ever.
"""

from arena.process.api import Exit, Guard, Hold, Launch, Room
from arena.process.ask import Answer, ask
from arena.process.members import Usage, own_proc
from arena.process.running import Process
from arena.process.start import spawn, spawn_all
from arena.process.status import status_of

__all__ = [
    "Answer",
    "Exit",
    "Guard",
    "Hold",
    "Launch",
    "Process",
    "Room",
    "Usage",
    "ask",
    "own_proc",
    "spawn",
    "spawn_all",
    "status_of",
]
