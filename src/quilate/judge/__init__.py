"""Grading what code cannot: by a model, by people, or, where neither is configured, openly not at all."""
