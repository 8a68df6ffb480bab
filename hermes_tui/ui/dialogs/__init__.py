"""The dialogs: they ask, show and edit, and hand back what was decided; they write nothing themselves."""
