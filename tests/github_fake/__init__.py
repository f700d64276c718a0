"""A stateful GitHub on loopback, held to GitHub's published API description at every request and answer."""
