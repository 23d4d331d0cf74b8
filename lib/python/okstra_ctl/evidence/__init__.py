"""Is this worker's answer well formed, and did the worker read what it cites?"""
