"""Faults on purpose: kills, full disks, races, hostile surroundings (spec 70 §5).

`make test` runs a sample; `tests/faults/run` the long series, `tests/faults/run --all` every point.
"""
