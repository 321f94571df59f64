"""Values to and from JSON: the only place that knows the names on the wire."""
