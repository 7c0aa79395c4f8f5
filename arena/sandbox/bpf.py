"""A small assembler for classic BPF, the language of seccomp filters.

A filter is a list of 8-byte instructions with one register (A). Conditional jumps go forward, at
most 255 instructions; labels are resolved here. The program sees `struct seccomp_data`: the number
of the system call, the architecture, the instruction pointer and six arguments of 64 bits.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

NUMBER_OFFSET = 0
ARCHITECTURE_OFFSET = 4
ARGUMENTS_OFFSET = 16

_LOAD = 0x20  # A = 32 bits of seccomp_data
_RETURN = 0x06
_AND = 0x54  # A &= k
_JUMP = 0x05
JUMP_EQUAL = 0x15
JUMP_ABOVE = 0x25
JUMP_ANY_BIT = 0x45

ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000


def refuse(errno: int) -> int:
    """The verdict that makes a system call fail with `errno`."""
    return _ERRNO | errno


@dataclass(frozen=True, slots=True)
class _Instruction:
    code: int
    operand: int
    if_true: str = ""
    if_false: str = ""


class Assembler:
    """Collects instructions and labels; `assemble` gives the bytes for the kernel."""

    def __init__(self) -> None:
        self._instructions: list[_Instruction | bytes] = []
        self._labels: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._instructions)

    def label(self, name: str) -> None:
        """Names the next instruction."""
        self._labels[name] = len(self._instructions)

    def load(self, offset: int) -> None:
        self._add(_LOAD, offset)

    def load_argument(self, index: int) -> None:
        """The low half of an argument: all that the checked calls look at (little-endian)."""
        self._add(_LOAD, ARGUMENTS_OFFSET + 8 * index)

    def keep_bits(self, mask: int) -> None:
        self._add(_AND, mask)

    def give(self, verdict: int) -> None:
        self._add(_RETURN, verdict)

    def go(self, label: str) -> None:
        self._add(_JUMP, 0, label)

    def branch(self, code: int, operand: int, *, if_true: str = "", if_false: str = "") -> None:
        """Jumps to a label, or falls through where none is given."""
        self._add(code, operand, if_true, if_false)

    def inline(self, block: Assembler) -> None:
        """Appends a finished block; its labels stay its own."""
        binary = block.assemble()
        self._instructions += [binary[at : at + 8] for at in range(0, len(binary), 8)]

    def assemble(self) -> bytes:
        return b"".join(
            i if isinstance(i, bytes) else self._encode(at, i)
            for at, i in enumerate(self._instructions)
        )

    def _add(self, code: int, operand: int, if_true: str = "", if_false: str = "") -> None:
        self._instructions.append(_Instruction(code, operand, if_true, if_false))

    def _encode(self, at: int, instruction: _Instruction) -> bytes:
        true = self._distance(at, instruction.if_true)
        false = self._distance(at, instruction.if_false)
        if instruction.code == _JUMP:
            return struct.pack("=HBBI", _JUMP, 0, 0, true)
        return struct.pack("=HBBI", instruction.code, true, false, instruction.operand)

    def _distance(self, at: int, label: str) -> int:
        return self._labels[label] - at - 1 if label else 0
