"""Agents under test: one protocol, four adapters."""
