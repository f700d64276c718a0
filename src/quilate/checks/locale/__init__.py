"""A locale's visible signals in a reply: packs as data, readers that quote what they see, grades by the rubric."""
