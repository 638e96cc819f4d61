#!/usr/bin/python3
"""Triaxial compression of loose and dense samples: strength, void ratio, dilatancy, fabric.

    plot.py [--post DIR] [--csv FILE]

Reads post/means-KIND-SEED.txt, writes post/triaxial.png and post/triaxial.csv, or reads the latter (--csv), and prints the
states at the peak and at the end with standard errors over the samples, and stress against dilatancy beside Rowe and Bolton.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
import experiment  # noqa: E402

KINDS = ("loose", "dense")
COLUMNS = ("kind", "seed", "strain", "axial", "lateral", "void", "coordination", "fabric")
BIN = 0.04  # of strain, over which means are taken
CRITICAL = 0.34  # strain from which a sample counts as at the critical state


@dataclass
class Given:
    """Variables of in.compress."""

    mu: float = 0.5
    p: float = 1e5  # Pa


class Sample:
    """Means over bins of strain of one sample."""

    def __init__(self, kind: str, seed: int, rows: np.ndarray) -> None:
        self.kind, self.seed = kind, seed
        self.strain, self.axial, self.lateral, self.void, self.coordination, self.fabric = rows.T

    @property
    def ratio(self) -> np.ndarray:
        return self.axial / self.lateral

    @property
    def angle(self) -> np.ndarray:
        """Of mobilised friction, degrees."""
        return np.degrees(np.arcsin((self.ratio - 1) / (self.ratio + 1)))

    @property
    def dilation(self) -> np.ndarray:
        """Rate of the volumetric strain, positive in dilation, over the axial one; over three bins."""
        volume = np.log1p(self.void)
        slope = np.gradient(volume, self.strain)
        return np.convolve(np.pad(slope, 1, mode="edge"), np.ones(3) / 3, "valid")

    def critical(self, values: np.ndarray) -> float:
        return float(values[self.strain > CRITICAL].mean())


def read(path: Path) -> Sample:
    """A file of in.compress."""
    t = common.read_columns(path)
    _, kind, seed = path.stem.split("-")
    lateral = 0.5 * (t["f_s[1]"] + t["f_s[2]"])
    table = np.column_stack([t["v_strained"], t["f_s[3]"], lateral, t["v_void"], t["v_coordination"], t["v_fabric"]])
    bins = (table[:, 0] / BIN).astype(int)
    rows = [table[bins == k].mean(axis=0) for k in range(bins.max() + 1) if (bins == k).sum() > 1]
    return Sample(kind, int(seed), np.array(rows))


def read_csv(path: Path) -> list[Sample]:
    rows = experiment.read_rows(path)
    names = dict.fromkeys((r["kind"], r["seed"]) for r in rows)
    return [Sample(kind, int(seed), np.array([[float(r[c]) for c in COLUMNS[2:]] for r in rows if (r["kind"], r["seed"]) == (kind, seed)]))
            for kind, seed in names]


def write_csv(samples: list[Sample], given: Given, path: Path) -> None:
    rows = ([s.kind, s.seed, *row] for s in samples
            for row in zip(s.strain, s.axial, s.lateral, s.void, s.coordination, s.fabric))
    experiment.write_rows(path, COLUMNS, rows, 5, given)


def measure(samples: list[Sample], given: Given) -> dict[str, float | int]:
    """What is printed."""
    found: dict[str, float | int] = {"samples_of_each_kind": len({s.seed for s in samples})}
    for kind in KINDS:
        chosen = [s for s in samples if s.kind == kind]
        peaks = [float(s.angle.max()) for s in chosen]
        quantities = {
            "void_ratio_at_first": [float(s.void[0]) for s in chosen],
            "peak_friction_angle": peaks,
            "critical_friction_angle": [s.critical(s.angle) for s in chosen],
            "critical_void_ratio": [s.critical(s.void) for s in chosen],
            "critical_coordination": [s.critical(s.coordination) for s in chosen],
            "critical_fabric": [s.critical(s.fabric) for s in chosen],
            "largest_dilation": [float(s.dilation.max()) for s in chosen],
        }
        for name, values in quantities.items():
            found.update(experiment.mean(f"{kind}_{name}", values))
    found["lateral_stress_over_goal"] = float(np.mean([s.critical(s.lateral) for s in samples])) / given.p
    for name in ("friction_angle", "void_ratio"):
        found[f"critical_{name}_dense_over_loose"] = found[f"dense_critical_{name}"] / found[f"loose_critical_{name}"]
    angle = 0.5 * (found["dense_critical_friction_angle"] + found["loose_critical_friction_angle"])
    found["bolton_peak_friction_angle"] = angle + 10 * found["dense_largest_dilation"]
    ratio, d = (np.concatenate([getattr(s, name)[1:] for s in samples]) for name in ("ratio", "dilation"))
    slope = float((ratio * (1 + d)).sum() / ((1 + d) ** 2).sum())
    found["stress_dilatancy_angle"] = 2 * math.degrees(math.atan(math.sqrt(slope))) - 90
    found["friction_angle_of_contacts"] = math.degrees(math.atan(given.mu))
    return found


def draw(samples: list[Sample], found: dict[str, float | int], post: Path) -> None:
    fig, axes = common.figure(rows=2, columns=2, width=3.6)
    pictures = {"angle": "mobilised friction (degrees)", "void": "void ratio", "coordination": "neighbours of a rock"}
    places = dict(zip(pictures, (axes[0, 0], axes[0, 1], axes[1, 0])))
    for kind, colour in zip(KINDS, ("#0072b2", "#d55e00")):
        chosen = [s for s in samples if s.kind == kind]
        count = min(len(s.strain) for s in chosen)
        for name, a in places.items():
            for s in chosen:
                a.plot(s.strain, getattr(s, name), color=colour, alpha=0.3, linewidth=0.7)
            mean = np.mean([getattr(s, name)[:count] for s in chosen], axis=0)
            a.plot(chosen[0].strain[:count], mean, color=colour, label=kind)
            common.label(a, "axial strain", pictures[name])
        for s in chosen:
            axes[1, 1].plot(1 + s.dilation[1:], s.ratio[1:], "o", markersize=2, color=colour)
    places["angle"].legend()
    a, x = axes[1, 1], np.array([0.7, 2.0])
    for angle, style, text in ((found["friction_angle_of_contacts"], ":", "Rowe, friction of contacts"),
                               (0.5 * (found["loose_critical_friction_angle"] + found["dense_critical_friction_angle"]), "--",
                                "Rowe, critical friction")):
        a.plot(x, x * math.tan(math.radians(45 + 0.5 * angle)) ** 2, style, color="0.3", label=text)
    a.legend()
    common.label(a, "1 + rate of dilation", "axial / lateral stress")
    common.save(fig, post / "triaxial.png")


def main() -> None:
    """Command line."""
    args = experiment.arguments(__doc__, HERE)
    samples = read_csv(args.csv) if args.csv else [read(p) for p in sorted(args.post.glob("means-*.txt"))]
    given = common.given(Given, *([args.csv] if args.csv else args.post.glob("log.compress-*")))
    if not args.csv:
        write_csv(samples, given, args.post / "triaxial.csv")
    found = measure(samples, given)
    draw(samples, found, args.post)
    common.summary(**found)


if __name__ == "__main__":
    main()
