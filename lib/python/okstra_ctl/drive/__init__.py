"""The lead without a session: what a run still needs, done step by step."""
