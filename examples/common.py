"""Helpers of the examples' plot scripts: LAMMPS output into numpy, summaries, figures."""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src-plugin" / "python"))
from lammps_polyhedra import output  # noqa: E402
from lammps_polyhedra.output import Frame, Table, join, read_columns, read_dump  # noqa: E402

__all__ = [
    "Frame", "Table", "figure", "given", "join", "label", "read_columns", "read_dump", "read_thermo", "save", "summary",
]

T = TypeVar("T")


# ---- reading ----------------------------------------------------------------------------------


def names() -> dict[str, str]:
    """Columns of thermo output by the names of names.in: v_contacts is f_motion[7]."""
    lines = (Path(__file__).resolve().parent / "names.in").read_text().splitlines()
    return {f"v_{w[1]}": w[3] for w in map(str.split, lines) if w[:1] == ["variable"]}


def read_thermo(path: str | Path) -> list[Table]:
    """Tables of a log file; columns that are named by names.in are those of the fix."""
    known = names() | {"v_floor_force": "f_floor[3]"}
    return [{known.get(k, k): v for k, v in t.items()} for t in output.read_thermo(path)]


def given(kind: type[T], *paths: Path) -> T:
    """What runs were given of the variables that are the fields of a dataclass: the lines `name = value` that inputs print into their
    logs, or remarks `# name = value` of a CSV file. What is not told is as by default."""
    text = "".join(path.read_text() for path in paths if path.exists())
    told = dict(re.findall(r"^(?:# )?(\w+) = (\S+)$", text, re.MULTILINE))
    return kind(**{f.name: type(f.default)(told[f.name]) for f in fields(kind) if f.name in told})


# ---- writing ----------------------------------------------------------------------------------


def summary(**values: Any) -> None:
    """Lines `key = value`, numbers with as many digits as they are worth reading."""
    for key, value in values.items():
        if isinstance(value, (float, np.floating)):
            value = f"{value:.6g}"
        print(f"{key} = {value}")


def figure(rows: int = 1, columns: int = 1, width: float = 4.2, height: float = 2.8,
           ) -> tuple[Figure, np.ndarray]:
    """Figure with rows x columns axes, each of `width` x `height` inches, in the common style."""
    plt.rcParams.update({
        "font.size": 9, "axes.labelsize": 9, "legend.fontsize": 8, "legend.frameon": False,
        "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
        "xtick.major.width": 0.6, "ytick.major.width": 0.6, "lines.linewidth": 1.0,
        "axes.formatter.limits": (-3, 4), "axes.formatter.use_mathtext": True,
        "axes.prop_cycle": plt.cycler(color=[
            "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000"]),
        "savefig.dpi": 200,
    })
    fig, axes = plt.subplots(rows, columns, figsize=(columns * width, rows * height),
                             layout="constrained", squeeze=False)
    return fig, axes


def label(axes: Axes, x: str, y: str) -> None:
    """Names of both axes, with units."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def save(fig: Figure, path: str | Path) -> None:
    """Write the picture, make its folder and say where it is."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    fig.savefig(path)
    plt.close(fig)
    print(f"figure = {path}")
