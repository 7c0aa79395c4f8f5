"""The clocks of a run: a steady one that matches are played by, and the time of day for records."""

import time
from datetime import UTC, datetime


class SteadyClock:
    """The machine's monotonic clock."""

    now = staticmethod(time.monotonic)  # read twice a decision
    """Seconds since some fixed instant; never goes back."""


def utc_now() -> str:
    """The time of day in UTC, ISO 8601 to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
