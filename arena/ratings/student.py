"""Student's t without a library of statistics.

Hill's expansion turns a t into the normal deviate of the same tail (Algorithm 395, Communications
of the ACM 13, 1970): with 8 or more degrees of freedom, as the error bars have at least, it errs by
less than 0.00001 in the probability.
"""

from __future__ import annotations

import math
from functools import lru_cache


def normal_cdf(z: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def student_cdf(t: float, freedom: float) -> float:
    """The distribution function of Student's t."""
    return normal_cdf(math.copysign(_normal_deviate(t, freedom), t))


@lru_cache(maxsize=256)
def student_quantile(probability: float, freedom: float) -> float:
    """The t that is not exceeded with this probability, of at least 0.5; by halving."""
    low, high = 0.0, 1.0
    while student_cdf(high, freedom) < probability:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if student_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _normal_deviate(t: float, freedom: float) -> float:
    a = freedom - 0.5
    b = 48 * a * a
    z2 = a * math.log1p(t * t / freedom)
    z = math.sqrt(z2)
    tail = (((-0.4 * z2 - 3.3) * z2 - 24) * z2 - 85.5) / (0.8 * z2 * z2 + 100 + b)
    return z + z * (tail + z2 + 3) / b
