"""The pictures of the README and its pages, made from the demo home: `make screenshots`."""
