from pathlib import Path

from coop_sim.claude.projects import Server, imports_of, server_of


def test_a_project_may_bring_a_server_along(tmp_path: Path) -> None:
    assert server_of(tmp_path) is None
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"one": {"command": "sh", "args": ["-c", "cat"]}}}')
    assert server_of(tmp_path) == Server("one", ("sh", "-c", "cat"))


def test_only_imports_from_outside_are_asked_about(tmp_path: Path) -> None:
    assert imports_of(tmp_path) == ()
    (tmp_path / "CLAUDE.md").write_text(f"# Notes\n\n@/elsewhere/a.md\n@{tmp_path}/b.md\n@c.md\n")
    assert imports_of(tmp_path) == (Path("/elsewhere/a.md"),)
