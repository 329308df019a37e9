"""Plain geometry that paper and screen share: boxes, lettering, typeface, the bracket, curves."""
