"""Datasets of other tools into golden cases. Every import says what became of each part: nothing goes in silence."""
