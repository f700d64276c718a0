"""Runs on disk: the run file, and the stores that keep baselines."""
