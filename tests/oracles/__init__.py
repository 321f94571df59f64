"""Our screen beside xterm's and tmux's: the same bytes, three opinions."""
