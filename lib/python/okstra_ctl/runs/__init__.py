"""One run's own records: names, numbers, manifest, index."""
