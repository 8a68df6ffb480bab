"""The full-screen app: screens over the domain packages, never touching a file themselves."""
