"""What becomes of a report's data: pages, follow-ups, token counts, the last checks."""
