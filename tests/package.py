"""Builds what people install, and uses it where nothing of the project is: `make package`."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WANTED = (
    "hermes_tui/ui/memory/memory.tcss",
    "hermes_tui/ui/settings/settings.tcss",
    "hermes_tui/demo/data/state.sql",
    "themes/hermes-dark.yaml",
)
"""Files that are no Python, and without which it would not start."""
FOREIGN = ("tests/", "screenshots/", ".ci/", ".venv", "Makefile")


def run(*words: str | Path, folder: Path, **environ: str) -> str:
    """Run a command, and give back what it says."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HERMES", "XDG_"))}
    done = subprocess.run(
        list(map(str, words)), cwd=folder, env={**clean, **environ}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_names(archive: str, names: list[str]) -> None:
    """What has to be in it is in it, and nothing else."""
    missing = [name for name in WANTED if not any(each.endswith(name) for each in names)]
    foreign = [name for name in names if any(f"/{part}" in f"/{name}" for part in FOREIGN)]
    if missing or foreign:
        raise SystemExit(f"{archive}: missing {missing}, too much {foreign[:5]}")
    print(f"{archive}: {len(names)} files")


def main() -> None:
    """Build, look inside, install, use."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT, folder=folder)
        wheel, sdist = next((folder / "dist").glob("*.whl")), next((folder / "dist").glob("*.tar.gz"))
        check_names(wheel.name, zipfile.ZipFile(wheel).namelist())
        with tarfile.open(sdist) as archive:
            check_names(sdist.name, archive.getnames())
        venv.create(folder / "clean", with_pip=True)
        python = folder / "clean" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, folder=folder)
        command = folder / "clean" / "bin" / "hermes-tui"
        home = {"HOME": str(folder / "user"), "LC_ALL": "C.UTF-8"}
        (folder / "user").mkdir()
        print(run(command, "--version", folder=Path("/"), **home).strip())
        run(command, "demo", folder / "home", folder=Path("/"), **home)
        listed = run(command, "--home", folder / "home", "memory", "list", folder=Path("/"), **home)
        if "MEMORY.md" not in listed:
            raise SystemExit(f"memory list says:\n{listed}")
        run(command, "--home", folder / "home", "sessions", "search", "courier", folder=Path("/"), **home)
        print("installed from the wheel, it makes a home, lists it and searches it")


if __name__ == "__main__":
    main()
