"""The project: settings, addresses, sockets and every environment variable."""
