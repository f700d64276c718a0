"""An incident, as somebody wrote it down, into a golden case: read, redacted, compared with what is there."""
