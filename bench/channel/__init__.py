"""The channel suite of ./dev bench: a module for each part of its table."""
