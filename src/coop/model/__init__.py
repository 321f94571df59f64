"""The vocabulary everything speaks: frozen values that import nothing of ours and read no clock."""
