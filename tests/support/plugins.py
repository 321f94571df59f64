"""Packages that offer agents, as an installer would leave them in a folder."""

from pathlib import Path


def install(folder: Path, package: str, agent: str, source: str, *, module: str | None = None) -> Path:
    """A package with one module, whose function `make` is the agent's entry point. Returns the folder, for PYTHONPATH."""
    module = module or package.replace("-", "_")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[coop.agents]\n{agent} = {module}:make\n")
    (folder / f"{module}.py").write_text(source)
    return folder
