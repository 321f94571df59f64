"""Bad input by the thousand: HTTP bodies, WebSocket frames and terminal byte streams. A campaign is a seed and a count."""
