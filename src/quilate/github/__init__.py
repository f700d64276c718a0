"""GitHub: events, the API, comments, the data branch."""
