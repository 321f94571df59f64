"""`coop attach` beside `tmux attach`: the same screens, and how long a key takes to be seen."""
