#!/usr/bin/python3
"""Figures 10 and 11 of the 2021 paper, of this program's law: force against gap, critical step of explicit integration.

    plot.py [--post DIR]

Reads post/linear.txt, post/hertz.txt and post/critical.txt, writes post/contact-law.png, prints how far forces, potentials and
critical steps are from the paper's formulas, and in how many gaps steps just below and above the critical one did what they should.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

MASS = 313.188 / 2  # kg, of two bodies that move against each other
BLUE, RED = "#0072b2", "#d62728"


@dataclass
class Law:
    """Equations (49) to (51) of the paper; the inputs have the same numbers."""

    eps1: float  # N/m^n1
    n1: float
    gbar: float  # m
    n2: float
    f: float = 0.1

    def __post_init__(self) -> None:
        self.inner = self.f * self.gbar
        span = self.gbar - self.inner
        self.eps2 = -self.eps1 * self.n1 * span ** (self.n1 - 1) / (self.n2 * self.inner ** (self.n2 - 1))
        self.c2 = self.eps1 * span**self.n1 - self.eps2 * self.inner**self.n2

    def values(self, g: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Force, stiffness -df/dg, and potential."""
        x = np.maximum(self.gbar - g, 0)
        power = np.log if self.n2 == -1 else lambda y: y ** (self.n2 + 1) / (self.n2 + 1)
        above = self.eps1 * (self.gbar - self.inner) ** (self.n1 + 1) / (self.n1 + 1)
        barrier = above + self.eps2 * (power(self.inner) - power(g)) + self.c2 * (self.inner - g)
        outer = g >= self.inner
        return (np.where(outer, self.eps1 * x**self.n1, self.eps2 * g**self.n2 + self.c2),
                np.where(outer, self.eps1 * self.n1 * x ** (self.n1 - 1) * (x > 0), -self.eps2 * self.n2 * g ** (self.n2 - 1)),
                np.where(outer, self.eps1 * x ** (self.n1 + 1) / (self.n1 + 1), barrier))




@dataclass
class Given:
    """What the example does not set itself of the inputs' law."""

    f: float = 0.1


LAWS = {"linear": Law(3.9e6, 1, 0.001, -1), "hertz": Law(4e9, 1.5, 0.004, -2)}


def off(found: np.ndarray, exact: np.ndarray) -> float:
    """Largest relative difference."""
    touching = exact > 0
    assert not found[~touching].any()
    return float(np.abs(found[touching] / exact[touching] - 1).max())


def kept(tried: common.Table) -> np.ndarray:
    """Of every gap, whether the shorter steps kept the balance: off it by little more than a millionth, as at the start."""
    return np.abs(tried["moved_off"][tried["over_it"] < 1]) < 1e-5


def lost(tried: common.Table) -> np.ndarray:
    """Of every gap, whether the longer steps lost it."""
    return np.abs(tried["moved_off"][tried["over_it"] > 1]) > 1e-3


def draw_law(axes, law: Law, gap: np.ndarray, force: np.ndarray, title: str) -> None:
    """Forces that LAMMPS has found, in blue the part of the penalty, in red that of the barrier."""
    for part, color, name in ((gap >= law.inner, BLUE, "penalty"), (gap <= law.inner, RED, "barrier")):
        axes.plot(1e3 * gap[part], 1e-3 * force[part], color=color, label=name)
    axes.set_xlim(0, 1e3 * gap[-1])
    axes.set_ylim(0, 3e-3 * law.values(np.array([law.inner]))[0][0])
    axes.set_title(title, fontsize=9)
    axes.legend()
    common.label(axes, "gap (mm)", "normal force (kN)")


def draw_critical(axes, law: Law, gap: np.ndarray, force: np.ndarray, tried: common.Table) -> None:
    """Steps from differences of these forces, and those that were tried, just below and above."""
    middle, stiffness = (gap[1:] + gap[:-1]) / 2, -np.diff(force) / np.diff(gap)
    for part, color in ((middle >= law.inner, BLUE), (middle <= law.inner, RED)):
        part = part & (middle < 0.999 * law.gbar)
        axes.loglog(1e3 * middle[part], 2 * np.sqrt(MASS / stiffness[part]), color=color)
    good = kept(tried) & lost(tried)
    axes.loglog(1e3 * tried["gap"][::2][good], tried["critical_step"][::2][good], "o", color="black", markersize=3, label="kept with 0.95 of it, lost with 1.05")
    axes.set_title("(b), explicit integration, 156.594 kg", fontsize=9)
    axes.legend()
    common.label(axes, "gap (mm)", "critical time step (s)")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    post = parser.parse_args().post
    fig, axes = common.figure(columns=3, width=3.2)
    titles = {"linear": "(a) linear: block-drop", "hertz": "(b) power 1.5: tetrapod-collapse"}
    given = common.given(Given, post / "log.contact-law")
    for (name, law), panel in zip(LAWS.items(), axes[0]):
        law = replace(law, f=given.f)
        t = common.read_columns(post / f"{name}.txt")
        force, _, potential = law.values(t["gap"])
        draw_law(panel, law, t["gap"], t["force"], titles[name])
        common.summary(**{f"{name}_gaps": len(force), f"{name}_force_error": off(t["force"], force),
                          f"{name}_potential_error": off(t["potential"], potential)})
    tried = common.read_columns(post / "critical.txt")
    draw_critical(axes[0, 2], law, t["gap"], t["force"], tried)
    common.save(fig, post / "contact-law.png")
    steps = 2 * np.sqrt(MASS / law.values(tried["gap"])[1])
    common.summary(critical_step_error=off(tried["critical_step"], steps), critical_gaps=len(kept(tried)),
                   kept_by_shorter_steps=int(kept(tried).sum()), lost_by_longer_steps=int(lost(tried).sum()))


if __name__ == "__main__":
    main()
