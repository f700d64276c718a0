"""People rate replies on a page of their own machine."""
