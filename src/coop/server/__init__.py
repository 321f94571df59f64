"""The session's face: HTTP, WebSocket and server-sent events."""
