"""A person's terminal onto a session: what `coop attach` draws, and what it makes of the keyboard."""
