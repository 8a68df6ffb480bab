"""The same files under our hands and the real agent's."""
