"""The provider that needs no network and no model: okstra's own engines (H-030)."""
