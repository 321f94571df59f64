"""Is the event stream of the SDK whole, whatever happens to its connections?"""
