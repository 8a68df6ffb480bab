"""MEMORY.md and USER.md: their entries, the store's rules, the threat scan, the prompt block, the journal."""
