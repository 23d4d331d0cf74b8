"""A report's other forms: Markdown and a page, both made of its data alone."""
