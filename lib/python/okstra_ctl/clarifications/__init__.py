"""What people answered to an earlier report's questions."""
