"""Graders that ask a model or a person."""
