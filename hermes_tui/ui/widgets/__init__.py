"""Small widgets that every screen shares."""
