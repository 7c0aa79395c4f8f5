"""Small programs that try, from inside, what a sandbox must refuse.

The harness does not run them in its own process: `trial` copies this package and `syscalls` into a
bot's folder and runs `python3 -m inside.attacks NAME...` there, under the provider that is tried.
So these files import the standard library, each other and `syscalls`, relatively, and nothing else.
"""
