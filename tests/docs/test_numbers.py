"""doc/numbers.md against base/numbers_*.h and the results of the bench: every number is in the table with its value
and its unit, and nothing else is; the ratios are those of tests/bench/results/numbers.csv."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "doc" / "numbers.md"
RESULTS = ROOT / "tests" / "bench" / "results" / "numbers.csv"
ROOMS = ("contact", "dynamics", "solve")
SCENES = ("cubes", "tetrapods")


@dataclass(frozen=True)
class Number:
    room: str
    name: str
    value: str
    unit: str


def of_header(room: str, text: str) -> list[Number]:
    """Numbers of a header. Those that share a comment share its unit."""
    found, unit = [], ""
    for comment, name, value in re.findall(r"(/\*(?:[^*]|\*(?!/))*\*/\n)?#ifndef (PD_\w+)\n#define \2 (.+)\n", text):
        stated = re.search(r"Unit: ([\w-]+)\.", re.sub(r"\s*\n \*\s*", " ", comment))
        assert stated or not comment, f"{name} has no unit"
        unit = stated.group(1) if comment else unit
        found.append(Number(room, name, value, unit))
    return found


def headers() -> list[Number]:
    base = ROOT / "src-plugin" / "base"
    assert {p.name for p in base.glob("numbers_*.h")} == {f"numbers_{room}.h" for room in ROOMS}
    return [n for room in ROOMS for n in of_header(room, (base / f"numbers_{room}.h").read_text())]


def rows() -> dict[str, list[str]]:
    """Cells of the table of each room, by room and name."""
    found: dict[str, list[str]] = {}
    for room, part in zip(ROOMS, re.split(r"^## Room \w+$", PAGE.read_text(), flags=re.M)[1:]):
        for line in re.findall(r"^\| `PD_\w+` \|.*$", part, re.M):
            cells = [c.strip() for c in line.strip("|").split("|")]
            key = f"{room} {cells[0].strip('`')}"
            assert key not in found, f"{key} is there twice"
            found[key] = cells
    return found


def faults(numbers: list[Number], table: dict[str, list[str]]) -> list[str]:
    """What the table lacks, has too much, or has otherwise."""
    known = {f"{n.room} {n.name}": n for n in numbers}
    wrong = [f"not in the table: {k}" for k in known if k not in table]
    wrong += [f"no number of this room: {k}" for k in table if k not in known]
    for key in known.keys() & table.keys():
        want, have = (known[key].value, known[key].unit), (table[key][1].strip("`"), table[key][2])
        wrong += [f"{key}: the header has {want}, the table {have}"] if want != have else []
    return wrong


def test_table_is_that_of_the_headers():
    assert re.findall(r"^## Room (\w+)$", PAGE.read_text(), re.M) == list(ROOMS)
    assert len(headers()) > 50
    assert not faults(headers(), rows())


def test_differences_are_found():
    """A number that is new, gone, in another room, or has another value or unit."""
    numbers, table = headers(), rows()
    first, others = numbers[0], numbers[1:]
    for changed in ({"name": "PD_NEW"}, {"room": "solve"}, {"value": f"{first.value}1"}, {"unit": "furlong"}):
        assert faults([replace(first, **changed), *others], table)
    assert faults(others, table) and faults([*numbers, replace(first, name="PD_NEW")], table)


def test_every_meaning_is_short_and_whole():
    for key, cells in rows().items():
        assert 1 <= len(cells[3].split()) <= 8, key
        assert "..." not in cells[3], key


def cell(row: dict[str, str]) -> str:
    """How the page writes a setting: iterations and time over the usual ones; = for the same bits."""
    if row["iterations"] == "stops":
        return "stops"
    bits = "=" if row["same_bits"] == "yes" else f"{float(row['iterations']):.2f}"
    return f"{bits}, {float(row['processor_time']):.2f}"


@pytest.mark.parametrize("scene", SCENES)
def test_ratios_are_those_of_the_bench(scene):
    with RESULTS.open(newline="") as file:
        measured = {(r["number"], r["setting"]): cell(r) for r in csv.DictReader(file) if r["scene"] == scene}
    wrong = []
    for key, cells in rows().items():
        name = key.split()[1]
        first = 4 + 2 * SCENES.index(scene)
        for setting, have in zip(("half", "double"), cells[first:first + 2]):
            want = measured.get((name, setting), "-")
            wrong += [f"{name} {setting}: {have}, measured {want}"] if have != want else []
    assert len(measured) > 50 and not wrong
