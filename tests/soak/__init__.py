"""Hours of an agent at work, the app in a terminal and a second reviewer on one home; then everything is counted."""
