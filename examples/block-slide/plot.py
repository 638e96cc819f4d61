#!/usr/bin/python3
"""Figures 20 and 21 of the 2021 paper: friction of a block that is pushed until it slides or topples.

    plot.py [--post DIR] [--mu-s MU] [--mu-d MU] [--edge METRES]

Reads post/case_X.txt and post/contacts_X.dump, X = a b c a_equal b_equal c_equal, draws post/friction.png
(mu_d < mu_s), post/friction_equal.png (mu_d = mu_s) and post/vertices.png, and prints what the cases are
judged by; loads in N, displacements over the edge.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

LOADED = {"a": "bottom face", "b": "centre of mass", "c": "top face"}
PARTS = ("normal_trailing", "normal_leading", "friction_trailing", "friction_leading", "slipping", "points")


def vertices(path: Path, steps: np.ndarray, centre: np.ndarray) -> common.Table:
    """Sums over the vertices behind and before the centre of mass, one entry per step.

    Columns of the dump: x y z normal_force friction_x slips. Friction counts as in R_x, against the load.
    """
    frames = {int(f.split(None, 1)[0]): f for f in path.read_text().split("ITEM: TIMESTEP")[1:]}
    rows = []
    for step, x in zip(steps, centre):
        lines = frames[int(step)].split("ITEM: ENTRIES")[1].splitlines()[1:]
        c = np.array([line.split() for line in lines], dtype=float).reshape(-1, 6)
        behind = c[:, 0] < x
        rows.append([c[behind, 3].sum(), c[~behind, 3].sum(), -c[behind, 4].sum(), -c[~behind, 4].sum(),
                     c[:, 5].sum(), len(c)])
    return {name: column for name, column in zip(PARTS, np.array(rows).T)}


def load(post: Path, name: str) -> common.Table:
    """What was recorded of one case, with the sums over its vertices."""
    t = common.read_columns(post / f"case_{name}.txt")
    return {**t, **vertices(post / f"contacts_{name}.dump", t["step"], t["x"])}


def first(condition: np.ndarray) -> int:
    """Index of the first entry that is true, the length if there is none."""
    return int(np.argmax(condition)) if condition.any() else len(condition)


# ---- figures ----------------------------------------------------------------------------------


def draw_friction(cases: dict[str, common.Table], title: str, path: Path) -> None:
    """R_x against time, one curve per case."""
    fig, ((axes,),) = common.figure(width=6.0, height=3.6)
    for case, t in cases.items():
        axes.plot(t["time"], t["Rx"], linewidth=0.9, label=f"{case}: force on the {LOADED[case]}")
    t = cases["a"]
    axes.plot(t["time"], t["force"], color="0.5", linestyle=":", linewidth=0.8, label="applied force")
    axes.set_ylim(-4, 18)  # the landing of case c goes far beyond
    axes.legend(loc="upper left")
    axes.set_title(title, fontsize=9)
    common.label(axes, "time (s)", r"friction $R_x$ (N)")
    common.save(fig, path)


def draw_vertices(t: common.Table, mu_s: float, path: Path) -> None:
    """Case b: friction of the trailing and leading vertices below the Coulomb limit of each pair."""
    fig, ((axes,),) = common.figure(width=6.0, height=3.6)
    for side, colour in (("trailing", "#0072b2"), ("leading", "#d55e00")):
        axes.plot(t["time"], t[f"friction_{side}"], color=colour, linewidth=0.9, label=f"{side} vertices")
        axes.plot(t["time"], mu_s * t[f"normal_{side}"], color=colour, linestyle="--", linewidth=0.7,
                  label=rf"$\mu_s$ times their normal force")
    axes.legend(loc="upper left")
    axes.set_title("Case b: redistribution before the block slides", fontsize=9)
    common.label(axes, "time (s)", "friction (N)")
    common.save(fig, path)


# ---- what the cases are judged by -------------------------------------------------------------


def slides(t: common.Table) -> int:
    """First step at which all four vertices slip."""
    return first(t["slipping"] == 4)


def load_that_slides(t: common.Table) -> float:
    """Load of the step in which all vertices slip: em takes its mean."""
    step = slides(t)
    return float(0.5 * (t["force"][step - 1] + t["force"][step]))


def sliding_error(t: common.Table, mu_d: float) -> float:
    """Deviation of R_x from mu_d W from 0.02 s after slides() on (the drop of the force rings off)."""
    after = t["time"] >= t["time"][slides(t)] + 0.02
    return float(np.abs(t["Rx"][after] / (mu_d * t["weight"][0]) - 1).max())


def fluctuations(t: common.Table, end: int) -> int:
    """How often vertices begin to slip before the step `end`, while others stick."""
    slip = t["slipping"][:end] > 0
    return int(np.count_nonzero(slip[1:] & ~slip[:-1]))


def judge_a(t: common.Table, edge: float, mu_s: float, mu_d: float) -> None:
    """Largest friction, load at which all vertices slip, friction while the block slides, its energy."""
    limit = mu_s * t["weight"][0]
    foot = t["x"] - edge / 2 * np.sin(t["lean"])
    work = np.sum(0.5 * (t["Rx"][1:] + t["Rx"][:-1]) * np.diff(foot))
    energy = t["dissipated"][-1] + t["spring"][-1]
    common.summary(
        case_a_stick_load=t["Rm"].max(),
        case_a_stick_load_error=abs(t["Rm"].max() / limit - 1),
        case_a_slides_at=load_that_slides(t),
        case_a_slides_at_error=abs(load_that_slides(t) / limit - 1),
        case_a_sliding_error=sliding_error(t, mu_d),
        case_a_friction_work=energy,
        case_a_friction_work_error=abs(energy / work - 1),
        case_a_height_change=np.abs(t["z"] - t["z"][0]).max(),
    )


def judge_redistribution(case: str, t: common.Table, height: float, mu_s: float) -> None:
    """The trailing vertices slip first, when F = mu_s W / (1 + 2 mu_s height), height over the edge.

    Normal forces of the pairs are W/2 -+ F height, each bears F/2 of friction.
    """
    slip = first(t["slipping"] > 0)
    expected = mu_s * t["weight"][0] / (1 + 2 * mu_s * height)
    common.summary(**{
        f"case_{case}_trailing_slip_load": t["force"][slip],
        f"case_{case}_trailing_slip_error": abs(t["force"][slip] / expected - 1),
    })


def judge_b(t: common.Table, edge: float, mu_s: float, mu_d: float) -> None:
    """Friction passes from the trailing vertices to the leading ones before the block slides.

    At the least it slides with the trailing pair at mu_d and the leading one at mu_s, W/2 -+ F/2 on them.
    """
    judge_redistribution("b", t, 0.5, mu_s)
    peak, limit = int(t["Rx"].argmax()), mu_s * t["weight"][0]
    common.summary(
        case_b_fluctuations=fluctuations(t, peak),
        case_b_displacement_stuck=abs(t["x"][peak] - t["x"][0]) / edge,
        case_b_leading_share=t["friction_leading"][peak] / t["Rx"][peak],
        case_b_stick_load=t["Rx"].max(),
        case_b_stick_load_ratio=t["Rx"].max() / limit,
        case_b_stick_load_ratio_least=(mu_s + mu_d) / (2 + mu_d - mu_s) / mu_s,
        case_b_slides_at=load_that_slides(t),
        case_b_sliding_error=sliding_error(t, mu_d),
    )


def topples(t: common.Table) -> tuple[int, float]:
    """Last step with load on the trailing vertices, and the applied force at which it vanishes.

    The trailing normal force falls linearly; the line through its last third is extended to zero.
    """
    end = first(t["normal_trailing"] <= 0) - 1
    part = slice(first(t["normal_trailing"] < t["normal_trailing"][0] / 3), end)
    slope, value = np.polyfit(t["force"][part], t["normal_trailing"][part], 1)
    return end, -value / slope


def judge_c(t: common.Table, edge: float, mu_s: float) -> None:
    """The block topples about the leading edge while it sticks.

    F (b cos a + b/2 sin a) = W b/2 (cos a - sin a), with the angle a at which it leans on that edge.
    """
    weight = t["weight"][0]
    judge_redistribution("c", t, 1.0, mu_s)
    end, load = topples(t)
    lifted = t["points"][end:] == 0
    angle = np.interp(load, t["force"], t["lean"])
    expected = weight * (np.cos(angle) - np.sin(angle)) / (2 * np.cos(angle) + np.sin(angle))
    common.summary(
        case_c_fluctuations=fluctuations(t, end),
        case_c_topple_load=load,
        case_c_topple_load_rigid=weight / 2,
        case_c_topple_load_rigid_error=abs(load / (weight / 2) - 1),
        case_c_topple_load_expected=expected,
        case_c_topple_load_error=abs(load / expected - 1),
        case_c_lean=angle,
        case_c_displacement_stuck=abs(t["x"][end] - t["x"][0]) / edge,
        case_c_friction_min=t["Rx"][end:].min(),
        case_c_time_off_ground=np.count_nonzero(lifted) * (t["time"][1] - t["time"][0]),
    )


def judge_equal(case: str, t: common.Table, mu: float) -> None:
    """Deviation of R_x from the applied force or, if less, mu W; in case c until the block topples."""
    limit = mu * t["weight"][0]
    end = topples(t)[0] if case == "c" else None
    deviation = (t["Rx"] - np.minimum(t["force"], limit))[:end]
    common.summary(**{f"case_{case}_equal_deviation": np.abs(deviation).max() / limit})


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    parser.add_argument("--mu-s", type=float, default=0.8, help="static coefficient (0.8)")
    parser.add_argument("--mu-d", type=float, default=0.6, help="dynamic coefficient (0.6)")
    parser.add_argument("--edge", type=float, default=0.1, help="of the cube, in metres (0.1)")
    args = parser.parse_args()
    cases = {c: load(args.post, c) for c in LOADED}
    equal = {c: load(args.post, f"{c}_equal") for c in LOADED}
    draw_friction(cases, rf"$\mu_s$ = {args.mu_s:g}, $\mu_d$ = {args.mu_d:g}", args.post / "friction.png")
    draw_friction(equal, rf"$\mu_s$ = $\mu_d$ = {args.mu_s:g}", args.post / "friction_equal.png")
    draw_vertices(cases["b"], args.mu_s, args.post / "vertices.png")
    common.summary(weight=cases["a"]["weight"][0])
    judge_a(cases["a"], args.edge, args.mu_s, args.mu_d)
    judge_b(cases["b"], args.edge, args.mu_s, args.mu_d)
    judge_c(cases["c"], args.edge, args.mu_s)
    for case, t in equal.items():
        judge_equal(case, t, args.mu_s)


if __name__ == "__main__":
    main()
