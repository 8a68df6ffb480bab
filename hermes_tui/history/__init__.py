"""What the agent remembered at any time, since when, and who wrote it; put together from what is on disk anyway."""
