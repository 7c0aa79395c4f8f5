"""Settings for every test."""

from hypothesis import settings

# A busy machine must not fail a property: no test asserts how long an example takes.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
