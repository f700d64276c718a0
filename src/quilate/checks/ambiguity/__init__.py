"""Whether a reply asks, and only where it should: a reading by code, grades by the rubric."""
