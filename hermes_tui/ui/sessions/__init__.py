"""The Sessions screen: every conversation, and what was said in it."""
