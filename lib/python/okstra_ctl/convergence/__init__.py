"""What the votes decided: which finding is agreed on, and by whom."""
