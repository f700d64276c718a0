"""The embedded example: an orders agent in two versions."""
