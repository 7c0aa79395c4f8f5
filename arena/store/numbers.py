"""Sets of match numbers in little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set


class Numbers(Set[int]):
    """A set of numbers from 0 upwards, one bit each: ten million of them take 1.25 MB."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._bits = bytearray()
        self._count = 0
        for number in numbers:
            self._add(number)

    def _add(self, number: int) -> None:
        place, bit = number >> 3, 1 << (number & 7)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        self._count += not self._bits[place] & bit
        self._bits[place] |= bit

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int) or not 0 <= number >> 3 < len(self._bits):
            return False
        return bool(self._bits[number >> 3] & 1 << (number & 7))

    def __iter__(self) -> Iterator[int]:
        return (number for number in range(8 * len(self._bits)) if number in self)

    def __len__(self) -> int:
        return self._count
