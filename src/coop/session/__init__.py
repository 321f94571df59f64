"""Where the streets meet: one inbox, one core, effects out."""
