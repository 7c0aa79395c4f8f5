"""Numbers of things as people write them."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 match`, `2,000 matches`: `many` is `one` with an s unless given."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
