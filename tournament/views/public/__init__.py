"""The pages that anyone may see."""
