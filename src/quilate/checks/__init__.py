"""Pure graders: what code can see in a reply."""
