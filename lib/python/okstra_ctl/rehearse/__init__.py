"""Runs the real engine against scripted CLIs, so that it can be seen at work at no cost."""
