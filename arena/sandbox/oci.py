"""The filter's tables as container engines read them: an OCI seccomp profile.

One source for both: `seccomp` assembles the same tables for the kernel. An engine's profile knows
no unnamed calls, so what it cannot say is left to the engine: numbers above the last known one, and
the 32-bit entry (which an engine refuses when a profile names one architecture only).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from arena.sandbox.seccomp import Policy, Rule, When, refusals, rules
from arena.sandbox.syscalls import Architecture, number

LOW_WORD = 0xFFFF_FFFF


def profile(policy: Policy, architecture: Architecture) -> str:
    """The profile as JSON."""
    refused = [
        {"names": known, "action": "SCMP_ACT_ERRNO", "errnoRet": error}
        for names, error in refusals(policy)
        if (known := [n for n in names if number(n, architecture) is not None])
    ]
    by_argument = [entry for rule in rules(policy) for entry in _entries(rule)]
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ALLOW",
            "architectures": [f"SCMP_ARCH_{architecture.machine.upper()}"],
            "syscalls": refused + by_argument,
        }
    )


def _entries(rule: Rule) -> Iterator[dict[str, Any]]:
    """One entry for each way in which the rule refuses; conditions of one entry must all hold."""
    for conditions in _ways(rule):
        yield {
            "names": [rule.call],
            "action": "SCMP_ACT_ERRNO",
            "errnoRet": rule.errno,
            "args": [{"index": rule.argument, **condition} for condition in conditions],
        }


def _ways(rule: Rule) -> Iterator[list[dict[str, Any]]]:
    if rule.when is When.ONE_OF:
        # Orders are 32 bits wide: the kernel looks at no more of them, and neither may we.
        yield from ([_is("SCMP_CMP_MASKED_EQ", LOW_WORD, value)] for value in rule.values)
    elif rule.when is When.ALL_BITS:
        yield [_is("SCMP_CMP_MASKED_EQ", rule.values[0], rule.values[0])]
    elif rule.when is When.ANY_BIT:
        bits = (1 << n for n in range(32) if rule.values[0] >> n & 1)
        yield from ([_is("SCMP_CMP_MASKED_EQ", bit, bit)] for bit in bits)
    elif rule.when is When.NO_BIT:
        yield [_is("SCMP_CMP_MASKED_EQ", rule.values[0], 0)]
    elif len(rule.values) <= 1:
        yield [_is("SCMP_CMP_NE", value) for value in rule.values]
    else:
        # An entry cannot compare one argument twice: each gap between the values is a way.
        low, *rest = sorted(rule.values)
        yield [_is("SCMP_CMP_LT", low)]
        yield [_is("SCMP_CMP_GT", rest[-1])]
        for before, after in zip((low, *rest), rest, strict=False):
            yield from ([_is("SCMP_CMP_EQ", value)] for value in range(before + 1, after))


def _is(operator: str, value: int, second: int = 0) -> dict[str, Any]:
    return {"op": operator, "value": value, "valueTwo": second}
