"""What people read: the comment, the report, files for other tools."""
