"""The formula of doc/performance.md for what a run will cost, against the results of the benches."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "doc" / "performance.md"
CUBE, LINK = 12, 440  # triangles


def constants() -> dict[str, float]:
    """Seconds, from the table of the section."""
    text = PAGE.read_text().split("## What a run will cost")[1].split("\n## ")[0]
    return {name: 1e-6 * float(value) for name, value in re.findall(r"^\| (\w+) \| ([\d.]+) \| us \|$", text, re.MULTILINE)}


def results(name: str) -> dict[str, float]:
    """Figures of a bench."""
    rows = csv.DictReader((ROOT / "tests" / "bench" / "results" / f"{name}.csv").open())
    return {row["name"]: float(row["value"]) for row in rows if re.fullmatch(r"-?[\d.e+-]+", row["value"])}


def iteration(bodies: float, contacts: float, triangles: float) -> float:
    c = constants()
    return bodies * c["body"] + contacts * (c["contact"] + triangles * c["triangle"])


def iterations(step: float, size: float, speed: float) -> float:
    """In a second."""
    return 16.0 / min(step / 2.5, 0.05 * size / speed)


def within_two(formula: float, measured: float) -> None:
    print(f"formula {formula:.4g} s, measured {measured:.4g} s")
    assert 0.5 < formula / measured < 2.0


def test_the_page_has_the_constants() -> None:
    assert set(constants()) == {"body", "contact", "triangle", "rest"}


def test_cubes_that_fall() -> None:
    """Contacts rise evenly to those of the end; after a fall of half a metre the cubes have 3 m/s."""
    t = results("cubes-drop")
    one = iteration(564, 0.5 * t["contacts"], CUBE)
    within_two(one, t["cpu_per_sim_second"] / t["newton_per_sim_second"])
    within_two(one * iterations(0.005, 0.1, 3.0), t["cpu_per_sim_second"])


def test_cubes_at_rest() -> None:
    t = results("cubes-settled")
    moving = t["newton_per_sim_second"] * iteration(564, t["contacts"], CUBE)
    within_two(moving + 100 * 564 * constants()["rest"], t["cpu_per_sim_second"])


@pytest.mark.parametrize("bodies", [1024, 4096, 16384])
def test_heaps(bodies: int) -> None:
    t = results("scaling")
    within_two(iteration(1, t[f"contacts_per_body_{bodies}"], CUBE), 1e-6 * t[f"us_per_body_iteration_{bodies}"])


def test_net_of_links() -> None:
    """Links of 1.5 m that fall by a tenth of that: 2 m/s."""
    t = results("chains")
    one = iteration(144, t["contacts_net"], LINK)
    within_two(one, t["cpu_per_step_net"] / t["newton_per_step_net"])
    within_two(one * iterations(0.01, 1.5, 2.0), 100 * t["cpu_per_step_net"])


def test_house_of_cards() -> None:
    t = results("chains")
    within_two(iteration(157, t["contacts_cards"], CUBE), t["cpu_per_step_cards"] / t["newton_per_step_cards"])
