"""The referee: a pure core (session, match) and the driver that pumps pipes for it."""
