"""The transcript of one conversation, drawn line by line."""
