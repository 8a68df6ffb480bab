"""Conversations as files: lossless for a way back, readable for people."""
