"""Views of what is there: tasks, settings, trust, the state of a project."""
