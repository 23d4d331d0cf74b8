"""One run's bundle, from checked inputs to a lead that can be started."""
