"""How okstra comes onto a machine, is upgraded, switched back and removed (Z-104, L-186 to L-189).

Runs with the standard library alone: it makes the virtual environment that the others live in.
"""
