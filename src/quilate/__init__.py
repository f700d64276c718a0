"""quilate: golden cases, honest comparison, one comment and one gate for AI agents."""

__version__ = "0.1.0"
