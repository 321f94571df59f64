"""Coop and its peers side by side: `python -m bench` measures them and writes docs/evidence/bench.md."""
