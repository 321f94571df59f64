"""A shell and a REPL under `--agent-config`: are their states right over 200 commands each?"""
