"""Games: what every game keeps (api), and the games that come with the harness."""
