"""External memory providers: what they are, whether they are set up, and what they hold."""
