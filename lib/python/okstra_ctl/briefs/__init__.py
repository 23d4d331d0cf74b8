"""What people ask for."""
