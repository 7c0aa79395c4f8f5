"""Bot tournaments for Callbreak: the plugin marker and the version, nothing else."""

import pluggy

__version__ = "0.1.0"

hookimpl = pluggy.HookimplMarker("arena")
