"""YAML, JSON and JSON Lines as plain values that know on which line each of them stands.

All three are read as the same data: JSON's, plus `~` for null in YAML. What YAML adds to that (tags, anchors, merge
keys, several documents, dates, octal numbers) is either text or refused, so that a golden file means what it shows.
"""

from quilate.documents.document import Document, Mark
from quilate.documents.read import FORMATS, MAX_BYTES, parse_document, read_document

__all__ = ["FORMATS", "MAX_BYTES", "Document", "Mark", "parse_document", "read_document"]
