"""Parameter studies: the input of doc/studies.md in a loop and in partitions, its table beside the exact way."""

from __future__ import annotations

import csv
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src-plugin" / "python"
sys.path.insert(0, str(PACKAGE))
from lammps_polyhedra import study  # noqa: E402


def collect(*words: str | Path) -> subprocess.CompletedProcess:
    """The command line."""
    return subprocess.run([sys.executable, "-m", "lammps_polyhedra.study", *words], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(PACKAGE)})


def page_input() -> str:
    text = (ROOT / "doc" / "studies.md").read_text()
    return re.search(r"^```lammps\n(.*?)^```", text, re.M | re.S).group(1)


@pytest.mark.parametrize("ranks", [1, 2])
def test_the_page(lammps, ranks) -> None:
    """One after another and side by side; the way of a sliding cube to 1e-3, however it is turned."""
    text = page_input()
    if ranks > 1:
        text = text.replace("friction index", "friction universe")
    folder = lammps.dir / "study"
    folder.mkdir()
    (folder / "in.slide").write_text(text)
    launch = ["mpirun", "--oversubscribe", "-np", "2"] if ranks > 1 else []
    parts = ["-partition", "2x1"] if ranks > 1 else []
    subprocess.run([*launch, os.environ["LMP"], *parts, "-var", "plugin", os.environ["PLUGIN"], "-in", "in.slide"],
                   cwd=folder, check=True, capture_output=True)
    logs = sorted(folder.glob("log.lammps.*")) if ranks > 1 else [folder / "log.lammps"]
    assert len(logs) == ranks
    done = collect(*logs, "--table", folder / "t.csv", "--plot", "friction", "way", "--picture", folder / "t.png")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((folder / "t.csv").open()))
    assert len(rows) == 12 and set(rows[0]) == {"friction", "turn", "way"}
    for at, mean, error, count in study.means(rows, "friction", "way"):
        exact = 0.5 * 9.81 * 0.25 * math.sqrt(0.5) * (1 - at)
        print(f"friction = {at:g}, way / exact - 1 = {mean / exact - 1:.2g}, standard error = {error:.2g}")
        assert count == 3 and mean == pytest.approx(exact, rel=1e-3) and error < 1e-3 * exact
    assert (folder / "t.png").stat().st_size > 5000
    assert done.stdout.startswith("rows = 12, columns: ")


def test_rows_and_means(tmp_path) -> None:
    """A row ends where a key comes again; commands that a log echoes do not count; a mean and its standard error."""
    log = tmp_path / "log"
    log.write_text("a = 1\nprint \"b = 2\"\nb = 2\n  c = 3\na = 1\nb = 4\nsome words = 5\na = 2\nb = 7\n")
    rows = study.read_rows(log)
    assert rows == [{"a": "1", "b": "2"}, {"a": "1", "b": "4"}, {"a": "2", "b": "7"}]
    (x, mean, error, count), last = study.means(rows, "a", "b")
    assert (x, mean, count) == (1, 3, 2) and error == pytest.approx(1.0)
    assert last[:2] == (2, 7) and math.isnan(last[2])


@pytest.mark.parametrize("text, words, told", [
    ("nothing", [], "no line 'key = value'"),
    ("a = 1\n", ["--plot", "a", "b"], "no key b in the row a = 1"),
    ("a = 1\nb = x\n", ["--plot", "a", "b"], "b = x is no number"),
    ("a = 1\nb = 2\n", ["--plot", "a", "b", "--by", "c"], "no key c in the row"),
    ("a = 1\n", ["--picture", "p.png"], "need --plot"),
])
def test_refused(tmp_path, text, words, told) -> None:
    (tmp_path / "log").write_text(text)
    done = collect(tmp_path / "log", *words)
    assert done.returncode == 1 and told in done.stderr and "Traceback" not in done.stderr
