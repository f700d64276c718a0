"""The history of a suite as a page: trends, what moved them, and the cases that cost the most trust."""
