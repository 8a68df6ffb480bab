"""The Memory screen: both stores as cards of § entries, live."""
