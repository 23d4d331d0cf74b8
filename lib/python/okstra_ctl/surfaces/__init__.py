"""Where a worker is shown."""
