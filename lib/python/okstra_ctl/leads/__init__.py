"""Which session drives a run, and how is it started?"""
