"""Static pages of a run: a board, a page a bot, head to head, matches, a replay viewer.

The pages work from a file and from any web host: no page loads anything that is not beside it. What
a bot's author wrote (names, notes, logs) is hostile text; it is escaped by the templates and by
`arena.make` in the scripts, and a Content-Security-Policy stands behind both.
"""
