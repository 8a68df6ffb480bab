"""The agent's conversations in state.db, read without ever writing to it."""
