"""The report as one HTML file, made of the same words as the comment."""

from quilate.report.html.page import write

__all__ = ["write"]
