"""doc/structure.md names every file of src-plugin, and none that is not there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "doc" / "structure.md"
SOURCE = ROOT / "src-plugin"


def sections() -> dict[str, str]:
    """Text of the table of every room."""
    text = PAGE.read_text().split("## Files", 1)[1].split("### Around them")[0]
    parts = re.split(r"^### (\w+)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def named(room: str, table: str) -> set[str]:
    """Files that the first column names; a name without ending stands for its header and source."""
    found = set()
    for row in re.findall(r"^\| (`[^|]*`) \|", table, flags=re.M):
        for name in re.findall(r"`([^`]+)`", row):
            endings = [""] if "." in name.rsplit("/", 1)[-1] else [".h", ".c", ".cpp"]
            hits = [f"{room}/{name}{e}" for e in endings if (SOURCE / room / f"{name}{e}").exists()]
            assert len(hits) >= (1 if endings == [""] else 2), f"{room}/{name} is not there"
            found.update(hits)
    return found


def test_every_file_is_named():
    rooms = sections()
    assert set(rooms) == {p.name for p in SOURCE.iterdir() if p.is_dir()}
    there = {p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*") if p.suffix in (".c", ".h", ".cpp", ".py") and "build" not in p.parts}
    page = set().union(*(named(room, table) for room, table in rooms.items()))
    assert page == there, f"only on the page: {sorted(page - there)}; not on it: {sorted(there - page)}"


def test_variables_of_an_example():
    """A mistyped variable of examples/run is told of with those that there are, in included files as well."""
    done = subprocess.run(["bash", str(ROOT / "examples" / "run"), "ballast", "-var", "nu", "1"], capture_output=True, text=True)
    assert done.returncode == 1 and "example ballast has no variable 'nu'; there are:" in done.stderr
    assert {"mu", "stress"} <= set(done.stderr.split())


def test_columns_per_atom():
    """doc/arrays.md has the columns that the arrays of atoms have."""
    rows = dict(re.findall(r"\| `(\w+)` \| (\d+) per atom", (ROOT / "doc/arrays.md").read_text()))
    headers = "".join(p.read_text() for p in (ROOT / "src-plugin/lammps/bridge").glob("*.h"))
    columns = dict(re.findall(r"class (\w+) : public AtomRows<(\d+)>", headers))
    assert rows == columns
