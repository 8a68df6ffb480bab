"""Secrets that lie about in a home, each with its place and masked: in memory, queues, sessions, logs and settings."""
