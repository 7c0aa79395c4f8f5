"""The wire contract of callbreak-arena for Python programs: models and framing."""
