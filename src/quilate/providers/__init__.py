"""Language models over plain HTTP: one small protocol for the judge and for the `chat` agent."""
