"""The commands: where settings are read and everything is put together."""
