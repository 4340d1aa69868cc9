"""Models: endpoints and their clients, what was used, and a scripted model for tests; no Django."""
