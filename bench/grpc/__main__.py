"""`python -m bench.grpc [--size BYTES]`: the campaign, and its page at full count."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from bench.agents.page import Bar, bars
from bench.code import made_at
from bench.grpc.campaign import RING, Run, conduct
from bench.home import ROOT
from bench.report import table

PAGE = ROOT / "docs" / "evidence" / "grpc.md"
SIZE = 1_000_000_000
ABOUT = f"""A program writes numbered blocks as fast as its terminal takes them, and two official gRPC clients read it with
`StreamOutput`, each held byte for byte against what was written: one in one go, one that leaves after every hundredth part
and asks again from the offset it has. Coop keeps {RING >> 20} MiB (`--ring-size`), so far a reader may fall behind."""


def write(run: Run, *, command: str, size: int) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("grpclib", "grpcio", "protobuf"))
    made = f"Made by `{command}` at {made_at()}: Python {python_version()}, {libraries}."
    met = bars(
        Bar("bytes written", run.written, least=size),
        *(Bar(f"bytes read by the one that {each.name}", each.read, least=run.written) for each in run.readers),
        Bar("gaps and repetitions", sum(each.gaps for each in run.readers), 0),
        Bar("differing chunks", sum(each.differing for each in run.readers), 0),
        Bar("streams that ended with an error", sum(bool(each.fault) for each in run.readers), 0),
        Bar("MB/s, both readers together", sum(each.read for each in run.readers) / run.seconds / 1e6),
    )
    calls = table(["reader", "calls", "ended"], [[each.name, f"{each.calls}", each.fault or "OK"] for each in run.readers])
    return f"# A long stream over gRPC\n\n{made}\n\n{ABOUT}\n\n{met}\n\n{calls}\n"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.grpc", description="Stream a gigabyte.")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--out", type=Path, help=f"the page ({PAGE.relative_to(ROOT)}, with at least {SIZE} bytes)")
    given = parser.parse_args(argv)
    run = conduct(size=given.size)
    page = write(run, command=" ".join(["python -m bench.grpc", *argv]), size=given.size)
    out = given.out or (PAGE if given.size >= SIZE else None)
    out.write_text(page) if out else print(page)
    print(f"{run.written} bytes, {run.seconds:.0f} s", file=sys.stderr)
    return 0 if run.is_whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
