"""The check over past conversations: did they invent, judged by today's search, within a window of days."""
