"""For agents whose hooks are commands: a small program that hands a hook to coop and prints what coop replies.

It runs without site packages, so that it starts in some 15 ms, and it never fails the hook: no coop, no reply, no harm.
"""

import shlex
from pathlib import PurePath

from coop.model.launch import SessionPlaces

NAME = "hook.py"
SOURCE = b"""\
import os, socket, sys

def relay(event, url, token, body):
    host, _, port = url.partition("://")[2].rstrip("/").rpartition(":")
    head = f"POST /api/v1/hooks/{event} HTTP/1.0\\r\\nHost: {host}\\r\\nAuthorization: Bearer {token}\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
    with socket.create_connection((host, int(port)), timeout=2) as door:
        door.settimeout(None)
        door.sendall(head.encode() + body)
        reply = b"".join(iter(lambda: door.recv(65536), b""))
    status, _, rest = reply.partition(b"\\r\\n")
    return rest.partition(b"\\r\\n\\r\\n")[2] if b" 200 " in status + b" " else b""

try:
    said = relay(sys.argv[1], os.environ["COOP_URL"], os.environ["COOP_HOOK_TOKEN"], sys.stdin.buffer.read())
    sys.stdout.buffer.write(b"" if said == b"{}" else said)
except (OSError, KeyError, ValueError):
    pass
"""


def relay_file(places: SessionPlaces) -> tuple[str, bytes]:
    """To be written before the child starts."""
    return str(PurePath(places.files, NAME)), SOURCE


def relay_command(places: SessionPlaces, event: str) -> str:
    """What a shell runs for that hook."""
    return shlex.join((places.python, "-IS", relay_file(places)[0], event))
