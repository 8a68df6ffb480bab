"""The Pending screen: what the agent wants to remember, and the decisions over it."""
