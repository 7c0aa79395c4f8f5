"""`python -m arena` is `arena`."""

from arena.cli.app import main

if __name__ == "__main__":
    main()
