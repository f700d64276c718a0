"""Golden cases for other tools."""
