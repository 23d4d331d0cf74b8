"""A report's data: its shape, its rules, its bytes, and a first form of it out of the votes."""
