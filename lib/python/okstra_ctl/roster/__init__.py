"""Who works in a run: profiles, roles, worker ids, selection, assignments."""
