"""fix image/polyhedron: bodies of dump image in the colours of a value, and walls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scenes import scene

# four cubes in a row, which fly along y at 0, 1, 2 and 3
ROW = "\n".join(
    f"create_polyhedra 1 at {0.3 * n - 0.45:.2f} -0.4 0.5\ngroup b{n} id {n + 1}\nvelocity b{n} set 0 {n} 0" for n in range(4)
)
HUES = {"red": (1, 0, 0), "lime": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0), "cyan": (0, 1, 1)}
FIX = "variable speed atom vy\nfix picture all image/polyhedron {}\n"
DUMP = "dump film all image {every} film.*.ppm type type adiam 0.001 fix picture type 1 0 size 300 200 view 40 -90 zoom 2 center s 0.5 0.5 0.3 box no 0\n" \
       "dump_modify film acolor 1*6 white/red/lime/blue/yellow/cyan backcolor black"


def row(keywords: str, every: int = 10, **changes) -> str:
    parts = dict(types=6, bodies=ROW, gravity=0.0, dt=1e-3, run="run 10", extra=FIX.format(keywords) + DUMP.format(every=every))
    return scene(**(parts | changes))


def read(path: Path) -> np.ndarray:
    """(height, width, 3) of a binary PPM file."""
    words = path.read_bytes().split(maxsplit=3)
    width, height = int(words[1]), int(words[2])
    return np.frombuffer(path.read_bytes()[-3 * width * height :], np.uint8).reshape(height, width, 3)


def seen(picture: np.ndarray) -> dict[str, tuple[int, float]]:
    """Pixels of each hue, and their mean column, from the left."""
    found = {}
    top = picture.max(axis=2, keepdims=True).astype(float)
    bright = top[..., 0] > 40
    for name, hue in HUES.items():
        mine = bright & (np.abs(picture / np.maximum(top, 1) - hue).max(axis=2) < 0.25)
        if mine.sum() > 20:
            found[name] = (int(mine.sum()), float(np.nonzero(mine)[1].mean()))
    return found


def test_colours_are_classes_of_the_value(lammps):
    """Speeds 0, 1, 2, 3 between 0 and 4 over four types: four colours in their order; what is beyond has the last ones."""
    result = lammps(row("color v_speed 0 4 2*5"))
    hues = seen(read(result.dir / "film.10.ppm"))
    assert list(hues) == ["red", "lime", "blue", "yellow"]
    columns = [x for _, x in hues.values()]
    assert columns == sorted(columns) and max(n for n, _ in hues.values()) < 2 * min(n for n, _ in hues.values())
    hues = seen(read(lammps(row("color v_speed 1 1.5 3*4")).dir / "film.10.ppm"))
    assert list(hues) == ["lime", "blue"] and 0.7 < hues["blue"][0] / hues["lime"][0] < 1.4
    hues = seen(read(lammps(row("color v_speed 0 4 3")).dir / "film.10.ppm"))
    assert list(hues) == ["lime"]


def test_values_are_those_of_the_step(lammps):
    """Of a compute that thermo asks for, too, at other steps."""
    extra = "compute k all ke/atom\ncompute most all reduce max c_k\nvariable speed atom c_k\nthermo_style custom step c_most\nthermo 7\n" \
            "fix picture all image/polyhedron color v_speed 0 1e-3 2*3\n" + DUMP.format(every=5)
    parts = dict(bodies="create_polyhedra 1 at 0 0 1.5", gravity=9.81, extra=extra, run="run 20")
    result = lammps(row("", **parts), may_warn="New thermo_style command")
    # kinetic energy of 1 kg after t = 5, 10, 15 ms: 1.2e-3 J and more; the half of the scale is reached after 3.2 ms
    assert [list(seen(read(result.dir / f"film.{n}.ppm"))) for n in (0, 5, 20)] == [["red"], ["lime"], ["lime"]]
    parts["extra"] = extra.replace("1e-3 2*3", "1e-2 2*3")  # half of it after 10.2 ms
    result = lammps(row("", **parts), may_warn="New thermo_style command")
    assert [list(seen(read(result.dir / f"film.{n}.ppm"))) for n in (0, 5, 10, 15, 20)] == [["red"]] * 3 + [["lime"]] * 2


def test_walls_are_drawn(lammps):
    """The floor below all bodies, in its colour; without the keyword it is not there."""
    result = lammps(row("walls floor 6"))
    with_floor = read(result.dir / "film.10.ppm")
    without = read(lammps(row("")).dir / "film.10.ppm")
    cyan = seen(with_floor)["cyan"][0]
    assert "cyan" not in seen(without) and cyan > 0.2 * with_floor[..., 0].size
    grey = [((p.max(axis=2) > 100) & (np.ptp(p, axis=2) < 8)).sum() for p in (with_floor, without)]
    assert grey[0] == grey[1] > 500  # bodies stand before it


def test_processes_draw_the_same(lammps):
    pictures = [read(lammps(row("color v_speed 0 4 2*5 walls floor 6"), ranks=n).dir / "film.10.ppm") for n in (1, 2)]
    assert (np.abs(pictures[0].astype(int) - pictures[1]).max(axis=2) > 8).mean() < 1e-3


def test_bodies_before_the_first_run(lammps):
    """They have no orientation yet, and are drawn as they will stand."""
    lammps(scene(shapes="", bodies="create_atoms 1 single 0 0 0.2\nfix shapes all polyhedron/shape 1 box 0.1 0.1 0.1",
                 extra="write_dump all image a.ppm type type fix shapes type 1 0", run="run 0"), may_warn="before a full system init")


def test_group_and_own_colours(lammps):
    """Bodies of the group alone, in the colour of their type."""
    dump = DUMP.format(every=10).replace("1*6 white/", "1*5 ")
    whole = read(lammps(row("", extra=FIX.format("") + dump)).dir / "film.10.ppm")
    part = read(lammps(row("", extra=FIX.format("").replace("all image", "b2 image") + dump)).dir / "film.10.ppm")
    assert list(seen(whole)) == list(seen(part)) == ["red"]
    assert 0.15 < seen(part)["red"][0] / seen(whole)["red"][0] < 0.4


REFUSED = {
    "color speed 0 1 2": "color speed 0 1 2: the value must be v_name, a variable of atom style",
    "color v_speed 1 1 2": "hi must be more than lo", "color v_speed 0 1 2*9": "[Nn]umeric index .* is out of bounds",
    "color v_speed 0 1": "keyword color needs 4 values", "walls floor 2*3": "one atom type must be given, whose colour walls have",
    "walls ceiling 2": "there is no fix wall/polyhedron ceiling", "color v_none 0 1 2": "there is no variable none",
    "color v_equal 0 1 2": "variable equal must be of atom style",
    "color v_nan 0 1 2": "variable nan of body \\d must be a finite number, not", "hue 3": "unknown keyword hue",
}


@pytest.mark.parametrize("keywords", REFUSED)
def test_what_is_refused(lammps, keywords):
    extra = "variable equal equal 1\nvariable nan atom exp(1000)\n" + FIX.format(keywords) + DUMP.format(every=10)
    lammps(row("", extra=extra), fail=REFUSED[keywords])
