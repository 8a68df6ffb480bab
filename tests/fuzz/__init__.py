"""What comes from outside, thrown at every place where it enters: by hypothesis in the tests, by atheris for hours."""
