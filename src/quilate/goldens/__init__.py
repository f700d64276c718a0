"""Golden cases: what is asked, and what a good reply shows."""
