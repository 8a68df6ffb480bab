"""The Timeline screen: what both stores held at any time, what changed them, and who."""
