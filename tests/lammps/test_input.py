"""Bad input: every fault is refused, or repaired with a warning, by a message that names it."""

from __future__ import annotations

import itertools
import struct

import pytest

from scenes import EXPLICIT, FLOOR, GRAIN, scene

CORNERS = list(itertools.product((-0.05, 0.05), repeat=3))
# outward triangles of the cube over CORNERS
CUBE = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
        (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]

Triangle = tuple[tuple[float, float, float], ...]


def cube() -> list[Triangle]:
    return [tuple(CORNERS[v] for v in t) for t in CUBE]


def ascii_stl(triangles: list[Triangle]) -> str:
    text = "solid s\n"
    for t in triangles:
        text += "facet normal 0 0 0\nouter loop\n"
        text += "".join("vertex " + " ".join(f"{c:.17g}" for c in v) + "\n" for v in t)
        text += "endloop\nendfacet\n"
    return text + "endsolid s\n"


def binary_stl(triangles: list[Triangle], announced: int | None = None) -> bytes:
    data = b"\0" * 80 + struct.pack("<I", len(triangles) if announced is None else announced)
    for t in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *itertools.chain(*t), 0)
    return data


def on_edge(t: Triangle) -> list[Triangle]:
    """A triangle split so that one half has no area: its middle vertex lies on an edge."""
    a, b, c = t
    middle = tuple(0.5 * (p + q) for p, q in zip(a, b))
    return [(a, middle, b), (a, b, c)]


STL = {
    "missing": (None, "fault.stl: cannot open file"),
    "empty": (b"", "fault.stl: file holds no triangles"),
    "no-triangles": ("solid s\nendsolid s\n", "fault.stl: file holds no triangles"),
    "binary-of-none": (binary_stl([]), "fault.stl: file holds no triangles"),
    "truncated": (binary_stl(cube(), 13), "fault.stl: file cannot be read to its end"),
    "text": ("hello\n", r"fault.stl: (syntax error, line 1|file cannot be read to its end)"),
    "syntax": (ascii_stl(cube()).replace("endloop", "oops", 1), r"fault.stl: syntax error, line 7 \("),
    "nan": (ascii_stl(cube()).replace("0.05", "nan", 1),
            r"fault.stl: coordinate is not a finite number, line \d+"),
    "infinite": (binary_stl([((0, 0, float("inf")), (0, 1, 0), (1, 0, 0)), *cube()]),
                 "fault.stl: coordinate is not a finite number"),
    "open": (ascii_stl(cube()[1:]), "fault.stl: surface is open, 3 found, first at"),
    "degenerate": (ascii_stl([*on_edge(cube()[0]), *cube()[1:]]),
                   "fault.stl: degenerate triangle, 1 found, first at 0"),
    "two-parts": (ascii_stl(cube() + [tuple((x + 1, y, z) for x, y, z in t) for t in cube()]),
                  "fault.stl: surface has more than one separate part"),
    "fin": (ascii_stl([*cube(), (CORNERS[0], CORNERS[1], (-0.1, -0.1, 0.0))]), "fault.stl: "),
}


@pytest.mark.parametrize("name", STL)
def test_stl_is_refused(lammps, name):
    content, message = STL[name]
    files = {} if content is None else {"fault.stl": content}
    lammps(scene(shapes="1 stl fault.stl"), fail="Fix polyhedron/shape: " + message, files=files)


@pytest.mark.parametrize("name", ["missing", "empty", "nan"])
def test_stl_of_a_wall_is_refused(lammps, name):
    content, message = STL[name]
    files = {} if content is None else {"fault.stl": content}
    lammps(scene(walls="fix w all wall/polyhedron stl fault.stl"), files=files,
           fail="Fix wall/polyhedron: " + message)


def test_stl_is_refused_on_two_ranks(lammps):
    lammps(scene(shapes="1 stl fault.stl"), ranks=2, fail="fault.stl: cannot open file")


def test_directory_as_stl(lammps):
    lammps(scene(shapes="1 stl ."), fail="Fix polyhedron/shape: .: (cannot open file|file "
                                         "cannot be read)")


def test_inverted_surface_is_repaired(lammps):
    inverted = ascii_stl([t[::-1] for t in cube()])
    result = lammps("variable m equal mass(all)\n" +
                    scene(shapes="1 stl fault.stl density 1000", thermo="v_m", every=10),
                    files={"fault.stl": inverted},
                    warn=r"fault.stl: repaired: .* the surface was inside out")
    assert result.thermo()["v_m"][0] == pytest.approx(1.0, rel=1e-6)


def test_turned_triangles_are_repaired(lammps):
    mixed = [t[::-1] if i in (2, 7) else t for i, t in enumerate(cube())]
    lammps(scene(shapes="1 stl fault.stl"), files={"fault.stl": ascii_stl(mixed)},
           warn="fault.stl: repaired: 2 triangles turned round, 0 degenerate ones dropped")


def test_vanishing_triangles_are_dropped(lammps):
    a, b, _ = cube()[0]
    lammps(scene(shapes="1 stl fault.stl"), files={"fault.stl": ascii_stl([*cube(), (a, a, b)])},
           warn="fault.stl: repaired: 0 triangles turned round, 1 degenerate ones dropped")


TWO = "create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.06 0.01 0.22"
DEEP = "create_polyhedra 1 at 0 0 0.03"
NAN = "variable v atom 1e308*1e308-1e308*1e308\nvelocity all set v_v NULL NULL"
IMPACT = dict(bodies="create_polyhedra 1 at 0 0 0.08 rotate 30 1 2 3\nvelocity all set 0 0 -5",
              run="run 100")

RUBS = "normal 1e6 1 gap 0.001 friction 0.5 0.4 1e5 10"
ADAPT = "variable m equal {}\nfix a all adapt 1 pair polyhedron {} * * v_m"
MOVES = FLOOR + " move "
BY_V = "variable NULL NULL NULL v_v NULL NULL"
LOAD = "fix l all load/polyhedron "

# a lid comes down on a body that rests on the floor
JAM = dict(bodies="create_polyhedra 1 at 0 0 0.051", law="auto velocity 1 damping 0.5", dt=0.005, run="run 100",
           walls=f"{FLOOR}\nfix lid all wall/polyhedron plane 0 0 0.12 0 0 -1 move velocity 0 0 -0.1")
JAMMED = r"no substep is possible at step \d+: .*; wall lid, which moves, takes a force of \d"

SCENES = {
    "overlap": (dict(bodies=TWO), r"(Fix implicit|Pair style ).*: body 1 and body 2 overlap at "
                                   "step 0, depth 0.04"),
    "overlap-explicit": (dict(bodies=TWO, motion=EXPLICIT),
                         r"Pair style polyhedron: body 1 and body 2 overlap at step 0, depth 0.04"),
    "overlap-inside": (dict(types=2, shapes="1 box 0.1 0.1 0.1 2 box 0.02 0.02 0.02",
                            bodies="create_polyhedra 1 at 0 0 0.2\n"
                                   "create_polyhedra 2 at 0 0.01 0.2"),
                       r"body 1 and body 2 overlap at step 0, depth 0.05"),
    "overlap-wall": (dict(bodies=DEEP), r"Fix implicit/polyhedron: body 1 and wall floor "
                                         "overlap at step 0, depth 0.02"),
    "overlap-wall-explicit": (dict(bodies=DEEP, motion=EXPLICIT),
                              r"Fix wall/polyhedron floor: body 1 and wall floor overlap at step 0, "
                               "depth 0.02"),
    "overlap-created-later": (dict(run="run 5\ncreate_polyhedra 1 at 0 0 0.22 rotate 10 1 2 3\n"
                                       "run 5"),
                              r"body 1 and body 2 overlap at step 5, depth 0.0[78]"),
    "overlap-aligned": (dict(bodies="create_polyhedra 1 at 0 0 0.2\n"
                                    "create_polyhedra 1 at 0 0 0.22"),
                        r"body 1 and body 2 overlap at step 0, depth 0.08"),
    "touching": (dict(bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0 0 0.3"),
                 r"body 1 and body 2 overlap at step 0, depth .*: place them apart, best by the gap at which contact "
                 r"begins, 0.001"),
    "no-shape-for-type": (dict(types=2, run="set group all type 2\nrun 1"),
                          "Pair style polyhedron: atom type 2 has no shape"),
    "no-shape-to-create": (dict(types=2, bodies="create_polyhedra 2 at 0 0 0.2"),
                           "Create_polyhedra: atom type 2 has no shape"),
    "two-shapes-for-type": (dict(extra="fix more all polyhedron/shape 1 box 1 1 1"),
                            "Fix polyhedron/shape more gives atom type 1 a second shape"),
    "two-shapes-in-a-fix": (dict(types=2, shapes="1*2 box 0.1 0.1 0.1 2 box 0.2 0.2 0.2"),
                            "Fix polyhedron/shape: 2 gives atom type 2 a second shape"),
    "no-shape-fix": (dict(shapes="", bodies="create_atoms 1 single 0 0 0.2"),
                     "Pair style polyhedron requires fix polyhedron/shape"),
    "shape-fix-removed": (dict(extra="unfix shapes"), "Pair style polyhedron requires fix "
                                                      "polyhedron/shape"),
    "atom-style": (dict(atoms="sphere"), "Fix polyhedron/shape requires atom style ellipsoid"),
    "atom-style-create": (dict(atoms="sphere", shapes=""), "Create_polyhedra command requires "
                                                           "atom style ellipsoid"),
    "atom-style-pair": (dict(atoms="sphere", shapes="", bodies="create_atoms 1 single 0 0 "
                                                               "0.2", walls="", motion=""),
                        "Pair style polyhedron requires atom style ellipsoid"),
    "atom-style-implicit": (dict(atoms="sphere", shapes="", bodies="", pair="", law="", walls=""),
                            "Fix implicit/polyhedron requires atom style ellipsoid"),
    "no-pair": (dict(pair="", law="", walls=""), "Fix implicit/polyhedron requires pair style "
                                                 "polyhedron"),
    "no-pair-wall": (dict(pair="", law=""), "Fix wall/polyhedron requires pair style polyhedron"),
    "no-pair-compute": (dict(pair="", law="", walls="", motion="",
                             extra="compute c all polyhedron/contact/local"),
                        "Compute polyhedron/contact/local requires pair style polyhedron"),
    "other-pair": (dict(pair="pair_style zero 0.2", law="pair_coeff * *", walls=""),
                   "Fix implicit/polyhedron requires pair style polyhedron"),
    "ghost-velocities": (dict(law="normal 1e6 1 gap 0.001 damping 0.5", motion="fix motion all "
                                                                               "nve/asphere"),
                         "an explicit integrator ghost velocities: comm_modify vel yes"),
    "no-coefficients": (dict(law=""), "coeff"),
    "nan-coefficient": (dict(law="normal nan 1 gap 0.001"), "Expected floating point parameter "
                                                            "instead of 'nan'"),
    "infinite-coefficient": (dict(law="normal 1e999 1 gap 0.001"), "(Pair style polyhedron: "
                                                                   "parameters out of "
                                                                   "range|1e999 in input script "
                                                                   "or data file is out of range)"),
    "nan-velocity": (dict(extra=NAN), "body 1 has a position, velocity or orientation that is "
                                      "not a finite number"),
    "nan-velocity-explicit": (dict(extra=NAN, motion=EXPLICIT),
                              "body 1 has a position, velocity or orientation that is not a "
                              "finite number"),
    "below-minimum": (dict(motion="scheme newmark minstep 1e-3 maxiter 1", **IMPACT),
                      r"no substep is possible at step \d+: Newton iteration did not converge "
                       "at substep length "
                      r"0.001; worst body 1 with residual [0-9.e+]+"),
    "below-minimum-guard": (dict(motion="scheme newmark minstep 5e-4 guard 1e-9", **IMPACT),
                            r"no substep is possible at step \d+: substep length 0.0005 still "
                             "has an energy error .*; use a smaller minstep"),
    "fixed-substeps-fail": (dict(motion="scheme newmark substeps 1 maxiter 1", **IMPACT),
                            r"no substep is possible at step \d+: .* worst body 1 with residual"),
    "fixed-substeps-too-long": (dict(motion="scheme newmark substeps 1", skin=0.001, types=2,
                                     shapes=f"1 box 0.1 0.1 0.1 density 1000 2 {GRAIN}",
                                     bodies="create_polyhedra 1 at 0 0 0.5\n"
                                            "velocity all set 0 0 -5"),
                                r"a body moves 0.005\d* in a substep of 0.001 at step 1, more "
                                 "than half of 0.001, by which neighbor lists reach further than contact: use more substeps"),
    "lost": (dict(walls="", bodies="create_polyhedra 1 at 0 0 0\nvelocity all set 0 0 -5",
                  run="run 100"),
             r"body 1 is lost at step \d+: it left the simulation box at 0 0 -0.1"),
    "lost-sideways-tilted": (dict(box="prism -1 1 -1 1 -0.1 1.9 0.5 0 0",
                                  bodies="create_polyhedra 1 at 0.8 0 0.5\n"
                                         "velocity all set 5 0 0", run="run 100"),
                             r"body 1 is lost at step \d+: it left the simulation box"),
    "two-implicit-fixes": (dict(extra="fix again all implicit/polyhedron"),
                           "There can be only one fix implicit/polyhedron"),
    "disk-full": (dict(extra="fix more all polyhedron/shape 1 box 1 1 1 write /dev/full"),
                  "Fix polyhedron/shape: writing /dev/full failed, is the disk full"),
    "unwritable": (dict(extra="fix more all polyhedron/shape 1 box 1 1 1 write no/such/folder"),
                   "Fix polyhedron/shape: cannot open no/such/folder for writing"),
    "outside-box": (dict(bodies="create_polyhedra 1 at 0 0 5"),
                    "Create_polyhedra: 1 of 1 bodies lie outside the simulation box"),
    "compute-no": (dict(extra="pair_modify compute no"), "Pair style polyhedron: pair_modify compute no"),
    "units": (dict(units="real"), "Pair style polyhedron: units real are not consistent"),
    "mixed-laws": (dict(types=2, shapes="* box 0.1 0.1 0.1",
                        law="pair_coeff 1 1 normal 1e6 1 gap 0.001\n"
                            "pair_coeff 2 2 normal 1e6 1.5 gap 0.001"),
                   "types 1 and 2 have different exponents or barrier fractions"),
    "half-a-law": (dict(types=2, shapes="* box 0.1 0.1 0.1", law="pair_coeff 1 1 normal 1e6 1 "
                                                                 "gap 0.001"),
                   "coeff"),
    "ghost-velocities-friction": (dict(law=RUBS, motion="fix motion all nve/asphere"),
                                  "with damping or friction requires fix implicit/polyhedron, or beside "
                                  "an explicit integrator ghost velocities: comm_modify vel yes"),
    "adapt-mu_d": (dict(law=RUBS, extra=ADAPT.format(0.9, "mu_d")),
                   "Pair style polyhedron: friction of types 1 1 has been changed to impossible values: "
                   "mu_s 0.5 mu_d 0.9 eps_t 100000(.0)? c_t 10(.0)? v_s 0"),
    "adapt-mu_s": (dict(law=RUBS, extra=ADAPT.format(0.3, "mu_s")), "impossible values: mu_s 0.3"),
    "adapt-c_t": (dict(law=RUBS, extra=ADAPT.format(-1, "c_t")), "impossible values.* c_t -1"),
    "adapt-v_s": (dict(law=RUBS, extra=ADAPT.format(-1, "v_s")), "impossible values.* v_s -1"),
    "adapt-eps_t-to-nothing": (dict(law=RUBS, extra=ADAPT.format(0, "eps_t")),
                               "impossible values.* eps_t 0"),
    "adapt-eps_t-from-nothing": (dict(extra=ADAPT.format(1e5, "eps_t")),
                                 "impossible values.* eps_t 100000"),
    "adapt-infinite": (dict(law=RUBS, extra=ADAPT.format("exp(1000)", "mu_s")),
                       "impossible values: mu_s inf"),
    "adapt-later": (dict(law=RUBS, extra=ADAPT.format("0.4+0.1*step", "mu_d")),
                    "impossible values: mu_s 0.5 mu_d 0.6"),
    "adapt-explicit": (dict(law=RUBS, motion=EXPLICIT, extra=ADAPT.format(0.9, "mu_d")),
                       "impossible values: mu_s 0.5 mu_d 0.9"),
    "adapt-unknown": (dict(law=RUBS, extra=ADAPT.format(0.9, "mu")),
                      "Fix adapt pair style .*not supported"),
    "wall-variable-lost": (dict(walls="variable v equal 1\n" + MOVES + BY_V, extra="variable v "
                                                                                   "delete"),
                           "Fix wall/polyhedron: move variable: there is no variable v"),
    "wall-variable-infinite": (dict(walls="variable v equal exp(300*step)\n" + MOVES + BY_V),
                               "Fix wall/polyhedron: move variable: v is not a finite number"),
    "wall-too-fast": (dict(walls=MOVES + "velocity 0 0 500", gravity=0, motion="minstep 1e-3"),
                      "no substep is possible at step 1: a moving wall goes too far in one "
                      "substep of length 0.001"),
    "lid-jams": (dict(motion="scheme em", **JAM), JAMMED),
    "lid-jams-euler": (dict(motion="scheme euler", **JAM), JAMMED),
    "lid-jams-newmark": (dict(motion="scheme newmark", **JAM), JAMMED),
    "wall-too-fast-explicit": (dict(walls=MOVES + "velocity 0 0 500", motion=EXPLICIT),
                               "Fix wall/polyhedron floor: body 1 and wall floor overlap, depth .* at "
                               "step 1, the time step is too long"),
    "load-variable-lost": (dict(walls="variable v equal 1\n" + LOAD + "force 0 0 v_v",
                                extra="variable v delete"),
                           "Fix load/polyhedron: there is no variable v"),
    "load-no-variable": (dict(walls=LOAD + "force 0 0 v_v"),
                         "Fix load/polyhedron: there is no variable v"),
    "load-atom-variable": (dict(walls="variable v atom x\n" + LOAD + "moment 0 0 v_v"),
                           "Fix load/polyhedron: variable v is not of equal style"),
    "load-infinite-variable": (dict(walls="variable v equal exp(1000*(step-2))\n" + LOAD +
                                          "force 0 0 v_v"),
                               "Fix load/polyhedron: variable v is not a finite number at step 3"),
    "load-infinite-explicit": (dict(walls="variable v equal exp(1000*(step-2))\n" + LOAD +
                                          "force 0 0 v_v", motion=EXPLICIT),
                               "Fix load/polyhedron: variable v is not a finite number at step 3"),
    "load-not-moved": (dict(bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0 0 0.4\n"
                                   "group a id 1", motion="fix motion a implicit/polyhedron",
                            walls=LOAD + "force 1 0 0"),
                       "Fix load/polyhedron: body 2 is not integrated by fix implicit/polyhedron"),
    "load-atom-style": (dict(atoms="sphere", shapes="", bodies="", pair="", law="", motion="",
                             walls=LOAD + "force 1 0 0"),
                        "Fix load/polyhedron requires atom style ellipsoid"),
    "zero-timestep": (dict(dt=0.0), "Fix implicit/polyhedron: the time step must be > 0"),
    "minstep-too-long": (dict(motion="minstep 1"), "minstep 1 exceeds the time step 0.001"),
    "respa-explicit": (dict(motion=EXPLICIT, extra="run_style respa 2 2"), "Pair style polyhedron does not work with run_style respa, .*: "
                       "use run_style verlet"),
    "minimize-explicit": (dict(motion=EXPLICIT, run="minimize 0 0 9 9"), "Pair style polyhedron does not work with the command minimize, "
                          "which does not turn bodies: let them come to rest by fix implicit/polyhedron with scheme euler"),
    "respa": (dict(extra="run_style respa 2 2"), "does not work with run_style respa"),
}


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_refused(lammps, name):
    parts, message = SCENES[name]
    lammps(scene(**parts), fail=message)


def test_overlap_on_two_ranks(lammps):
    lammps(scene(bodies=TWO), ranks=2, fail="body 1 and body 2 overlap at step 0, depth 0.04")


@pytest.mark.parametrize("style", ["tri", "body nparticle 2 6"])
def test_styles_with_which_the_host_hangs(lammps, style):
    """The host waits for ever once an atom of two styles with bonus data changes processes, without our styles too; one process is enough."""
    lammps(scene(atoms=f"hybrid ellipsoid {style}"), ranks=2, fail="Fix polyhedron/shape: LAMMPS hangs where atom_style hybrid has ellipsoid beside line, tri or body")
    lammps(scene(atoms=f"hybrid ellipsoid {style}"), may_warn="rmass")


def test_weak_barrier_is_warned_of(lammps):
    lammps(scene(law="normal 1e6 1 gap 0.001 barrier 0.1 -0.5"),
           warn=r"Pair style polyhedron: barrier exponent n2 = -0.5 > -1: the barrier's energy is finite")


def test_other_integrators_of_other_bodies(lammps):
    """They work together: bodies of both groups are refused (test_other_fixes.py)."""
    lammps(scene(extra="group none empty\nfix n none nve/asphere"))


# command that is wrong by itself, message
SHAPE = "fix s all polyhedron/shape "
WALL = "fix w all wall/polyhedron "
MOTION = "fix m all implicit/polyhedron "
CREATE = "create_polyhedra "
COEFF = "pair_coeff 1 1 normal 1e6 1 gap 0.001 "
AUTO = "pair_coeff 1 1 auto velocity 1 "
COMMANDS = {
    "fix s all polyhedron/shape": "Illegal fix polyhedron/shape command",
    SHAPE + "1": "(Illegal fix polyhedron/shape command|no shape follows atom type 1)",
    SHAPE + "2 box 1 1 1": "out of bounds",
    SHAPE + "1 ball 1": "unknown shape 'ball', expected stl, obj, box, tetrapod, tetrapod/legs, hexapod, dolos, dolos/octagonal, "
    "coreloc, antifer, prism, tetrahedron, octahedron, dodecahedron, icosahedron, rock, voronoi, sphere or capsule",
    SHAPE + "1 box 1 1 1 densty 3": "'densty' is neither an atom type nor a keyword of the shape before it, which are density, scale, ",
    SHAPE + "x box 1 1 1": "'x' is neither an atom type",
    SHAPE + "1 prism 2 1 1": "prism: number of sides must lie between 3 and 360, not 2",
    SHAPE + "1 prism 3 1": "prism needs 3 arguments: n r h",
    SHAPE + "1 rock 1 1 0 20 1": "rock: extents must be > 0 and finite, not 0",
    SHAPE + "1 rock 1 1 1 3 1": "rock: number of vertices must lie between 4 and 200, not 3",
    SHAPE + "1 rock 1 1 1 20 0": "rock: seed must be at least 1, not 0",
    SHAPE + "1 octahedron -1": "octahedron: edge length must be > 0 and finite, not -1",
    SHAPE + "1 box 1 1": "box needs 3 argument",
    SHAPE + "1 box 1 1 x": "Expected floating point parameter instead of 'x'",
    SHAPE + "1 box 1 1 0": "Fix polyhedron/shape: box: parameter out of range",
    SHAPE + "1 box 1 1 -1": "Fix polyhedron/shape: box: parameter out of range",
    SHAPE + "1 tetrapod 1 1": "tetrapod needs 3 argument",
    SHAPE + "1 tetrapod 0 0 0": "Fix polyhedron/shape: tetrapod: parameter out of range",
    SHAPE + "1 stl": "(Illegal fix polyhedron/shape command|stl needs 1 argument)",
    SHAPE + "1 box 1 1 1 density": "keyword density needs a value",
    SHAPE + "1 box 1 1 1 density -1": "density must be > 0 and finite, not -1",
    SHAPE + "1 box 1 1 1 density 1e999": "density must be > 0 and finite, not 1e999",
    SHAPE + "1 box 1 1 1 density 1e-320": r"box: the mass 9.99\d*e-321 and the moments of inertia of density .* are no "
                                          "normal numbers",
    SHAPE + "1 box 1 1 1e999": "Fix polyhedron/shape: box: coordinate is not a finite number",
    SHAPE + "1 box 1 1 1 scale 1e200": r"Fix polyhedron/shape: box: its size inf must lie "
                                       r"between 1e-30 and 1e\+30",
    SHAPE + "1 box 1e-70 1e-70 1e-70": r"Fix polyhedron/shape: box: its size 1.7\d*e-70 must lie "
                                       r"between 1e-30 and",
    SHAPE + "1 tetrapod 1e40 1e39 0.5": r"Fix polyhedron/shape: tetrapod: its size .*e\+40 must lie",
    SHAPE + "1 box 1 1 1 scale 0": "scale must be > 0 and finite, not 0",
    SHAPE + "1 box 1 1 1 random 1.5": "Expected integer parameter",
    SHAPE + "1 box 1 1 1 weld 2": "parameter out of range",
    SHAPE + "1 box 1 1 1 colour 3": "(unknown keyword 'colour'|Expected|colour)",
    SHAPE + "1 box 1 1 1 write": "keyword write needs a file name",
    WALL: "Fix wall/polyhedron: no plane or surface is given",
    WALL + "cylinder w 0 0 1 0 1": "Fix wall/polyhedron: cylinder.*: the axis must be x, y or z, not w",
    WALL + "cylinder z 0 0 1 1 1": "Fix wall/polyhedron: cylinder.*: hi must be more than lo",
    WALL + "cone z 0 0 0 0 0 1": "Fix wall/polyhedron: cone.*: one of the radii must be > 0",
    WALL + "cylinder z 0 0 1 0 1 facets 2": "number of facets must lie between 3 and 720, not 2",
    WALL + "plane 0 0 0 0 0 1 scale 2": "scale 2: belongs to the surface before it, there is none",
    WALL + "cylinder z 0 0 1 0 1 rotate 10 0 0 0": "the axis of rotate must not be zero",
    WALL + "plane 0 0 0 0 0": "plane needs a point and a normal",
    WALL + "plane 0 0 0 0 0 0": "the plane's normal must not be zero",
    WALL + "plane 0 0 0 0 0 x": "Expected floating point parameter instead of 'x'",
    WALL + "plane 0 0 1e999 0 0 1": "Fix wall/polyhedron: plane: the plane.s point and normal must be "
                                    "finite",
    WALL + "stl": "stl needs a file name",
    WALL + "plane 0 0 0 0 0 1 type": "keyword type needs a value",
    WALL + "plane 0 0 0 0 0 1 type 2": "there is no atom type 2",
    WALL + "plane 0 0 0 0 0 1 normal 1": "keyword normal needs 2 value",
    WALL + "plane 0 0 0 0 0 1 normal 1e6 1": "Fix wall/polyhedron: keyword gap is missing",
    WALL + "plane 0 0 0 0 0 1 bounce 1": "unknown keyword bounce",
    WALL + "plane 0 0 0 0 0 1 normal 1e6 1 gap 0.001 friction 0.5 0.4 1e6":
        "keyword friction needs 4 value",
    WALL + "plane 0 0 0 0 0 1 normal 1e6 1 gap 0.001 friction 0.3 0.4 1e6 1":
        "Fix wall/polyhedron: the static friction coefficient",
    WALL + "plane 0 0 0 0 0 1 friction 0.5 0.4 1e6 1": "keyword normal .* is missing",
    WALL + "move velocity 1 0 0": "Fix wall/polyhedron: no plane or surface is given",
    WALL + "plane 0 0 0 0 0 1 move": "Fix wall/polyhedron: move needs a style",
    WALL + "plane 0 0 0 0 0 1 move jump": "Fix wall/polyhedron: move: unknown style jump",
    WALL + "plane 0 0 0 0 0 1 move none 1": "unknown keyword 1",
    WALL + "plane 0 0 0 0 0 1 move velocity 1 0": "move velocity needs 3 values",
    WALL + "plane 0 0 0 0 0 1 move velocity 1 0 x": "Expected floating point parameter "
                                                    "instead of 'x'",
    WALL + "plane 0 0 0 0 0 1 move velocity 1 0 NULL": "Expected floating point parameter "
                                                       "instead of 'NULL'",
    WALL + "plane 0 0 0 0 0 1 move velocity 1e999 0 0":
        "move velocity: 1e999 is not a finite number",
    WALL + "plane 0 0 0 0 0 1 move wiggle 1 0 0": "move wiggle needs 4 values",
    WALL + "plane 0 0 0 0 0 1 move wiggle 1 0 0 0": "move wiggle: the period must be > 0",
    WALL + "plane 0 0 0 0 0 1 move wiggle 1 0 0 -1": "move wiggle: the period must be > 0",
    WALL + "plane 0 0 0 0 0 1 move rotate 0 0 0 0 0 1": "move rotate needs 7 values",
    WALL + "plane 0 0 0 0 0 1 move rotate 0 0 0 0 0 0 1": "move rotate: the axis is zero",
    WALL + "plane 0 0 0 0 0 1 move rotate 0 0 0 0 0 1 0": "move rotate: the period must be > 0",
    WALL + "plane 0 0 0 0 0 1 move variable v_a": "move variable needs 6 values",
    WALL + "plane 0 0 0 0 0 1 move variable 1 NULL NULL NULL NULL NULL":
        "move variable: 1 is neither NULL nor v_name",
    WALL + "plane 0 0 0 0 0 1 move variable v_a NULL NULL NULL NULL NULL":
        "move variable: there is no variable a",
    "variable a atom x\n" + WALL + "plane 0 0 0 0 0 1 move variable v_a NULL NULL NULL NULL NULL":
        "move variable: variable a is not of equal style",
    "variable a equal exp(1000)\n" + WALL + "plane 0 0 0 0 0 1 move variable v_a NULL NULL NULL "
    "NULL NULL": "move variable: a is not a finite number",
    "fix_modify floor move": "Fix wall/polyhedron: move needs a style",
    "fix_modify floor move wiggle 1 0 0": "move wiggle needs 4 values",
    "fix_modify floor speed 1": "speed 1: force, pressure, torque and speed need keyword slide or hinge",
    LOAD: "Fix load/polyhedron: neither force nor moment is given",
    LOAD + "point 0 0 0": "Fix load/polyhedron: neither force nor moment is given",
    LOAD + "force 1 0": "Fix load/polyhedron: keyword force needs 3 values",
    LOAD + "moment 1 0": "Fix load/polyhedron: keyword moment needs 3 values",
    LOAD + "force 1 0 x": "Expected floating point parameter instead of 'x'",
    LOAD + "force 1 0 1e999": "Fix load/polyhedron: force 1 0 1e999: 1e999 is not a finite number",
    LOAD + "force 1 0 0 point 0 0": "Fix load/polyhedron: keyword point needs 3 values",
    LOAD + "force 1 0 0 point 0 0 v_x": "Expected floating point parameter instead of 'v_x'",
    LOAD + "force 1 0 0 point 0 0 1e999": "Fix load/polyhedron: point 0 0 1e999: the point must be "
                                          "finite",
    LOAD + "force 1 0 0 frame": "Fix load/polyhedron: keyword frame needs a value",
    LOAD + "force 1 0 0 frame world": "Fix load/polyhedron: frame world: frame must be space or "
                                      "body, not world",
    LOAD + "force 1 0 0 torque 1 0 0": "Fix load/polyhedron: unknown keyword torque",
    MOTION + "scheme": "keyword scheme needs 1 value",
    MOTION + "scheme verlet": "scheme verlet: the schemes are newmark, euler and em",
    MOTION + "newmark 0 0.5": "0 < beta <= 1 and 0.5 <= gamma <= 1 are required",
    MOTION + "tol 0": "tol 0: must lie between 0 and 1",
    MOTION + "tol x": "Expected floating point parameter instead of 'x'",
    MOTION + "maxiter 0": "maxiter 0: must lie between 1 and 250",
    MOTION + "resolve 2": "resolve 2: must be 0 or at least 4",
    MOTION + "substeps 0": "substeps 0: must be adaptive or a positive number",
    MOTION + "substeps 1.5": "Expected integer parameter",
    MOTION + "minstep 0": "minstep 0: must be > 0",
    MOTION + "maxstep -1": "maxstep -1: must be > 0",
    MOTION + "guard -1": "guard -1: must be >= 0",
    MOTION + "threads 2000": "Fix implicit/polyhedron: threads 2000: must lie between 1 and 512",
    MOTION + "threads 3000000000": "threads 3000000000: must lie between 1 and 512",
    MOTION + "substeps 3000000000": "substeps 3000000000: must be adaptive or a positive number",
    MOTION + "maxiter 2e1": "maxiter 2e1: Expected integer parameter instead of '2e1': must lie",
    MOTION + "tol 1e-8e": "tol 1e-8e: Expected floating point parameter instead of '1e-8e': must lie",
    MOTION + "newmark 0.3": "keyword newmark needs 2 values: beta gamma",
    MOTION + "Scheme em": "unknown keyword Scheme; the keywords are scheme, newmark, tol, .* loops and progress",
    MOTION + "filter maybe": "Expected yes or no but found 'maybe'",
    MOTION + "solver magic": "solver magic: the solvers are auto, petsc and lapack",
    MOTION + "speed 3": "unknown keyword speed",
    MOTION + "speed": "unknown keyword speed",
    "fix_modify motion speed 3": "unknown keyword speed",
    "fix_modify motion tol": "keyword tol needs 1 value",
    "pair_style polyhedron contact": "keyword contact needs a value",
    "pair_style polyhedron contact soft": "contact must be continuous, literal or hierarchy, not soft",
    "pair_style polyhedron cutoff 1": "unknown keyword cutoff",
    "pair_coeff 1 1": "Pair style polyhedron: coefficients are missing",
    "pair_coeff 1 2 normal 1e6 1 gap 0.001": "out of bounds",
    "pair_coeff 1 1 normal 1e6": "keyword normal needs 2 value",
    "pair_coeff 1 1 normal 1e6 1": "keyword gap is missing",
    "pair_coeff 1 1 gap 0.001": r"keyword normal \(stiffness and exponent\) is missing",
    "pair_coeff 1 1 normal -1 1 gap 0.001": "normal stiffness must be > 0",
    "pair_coeff 1 1 normal 1e6 0.5 gap 0.001": "normal exponent n1 must be >= 1",
    "pair_coeff 1 1 normal 1e6 1 gap 0": "gap must be > 0",
    "pair_coeff 1 1 normal 1e6 1 gap 0.001 barrier 1 -1": "barrier fraction must lie between 0 "
                                                          "and 1",
    "pair_coeff 1 1 normal 1e6 1 gap 0.001 barrier 0.1 1": "barrier exponent n2 must be < 0",
    "pair_coeff 1 1 normal 1e6 1 gap 0.001 damping -1": "damping ratio must be >= 0",
    "pair_coeff 1 1 normal 1e6 1 gap 0.001 ramp 2": "ramp must lie between 0 and 1",
    "pair_coeff 1 1 normal 1e6 1 gap 0.001 friction 0.5": "keyword friction needs 4 value",
    COEFF + "friction 0.5 0.4 1e6": "keyword friction needs 4 value",
    COEFF + "friction 0.5 0.4 1e6 x": "Expected floating point parameter instead of 'x'",
    COEFF + "friction 0.4 0.5 1e6 1": "the static friction coefficient must not be smaller than "
                                      "the dynamic one",
    COEFF + "friction 0.4 -0.1 1e6 1": "friction coefficients must be >= 0",
    COEFF + "friction -0.1 -0.2 1e6 1": "friction coefficients must be >= 0",
    COEFF + "friction 0.4 0.4 0 1": "tangential stiffness must be > 0",
    COEFF + "friction 0.4 0.4 -1 1": "tangential stiffness must be > 0",
    COEFF + "friction 0.4 0.4 1e6 -1": "tangential viscosity must be >= 0",
    COEFF + "friction 1e999 0.4 1e6 1": "friction parameters must be finite numbers",
    COEFF + "friction 0.4 0.4 1e6 1 transition": "keyword transition needs 1 value",
    COEFF + "restitution": "keyword restitution needs 1 value",
    COEFF + "restitution 1.5": "restitution must lie between 0 and 1",
    COEFF + "restitution -0.1": "restitution must lie between 0 and 1",
    COEFF + "friction 0.4 0.4 1e6 1 transition -1": "the speed of transition must be >= 0",
    COEFF + "transition 0.1": "keyword transition makes sense with keyword friction only",
    COEFF + "slip 1": "unknown keyword slip in pair_coeff",
    "pair_coeff 1 1 velocity 1": "unknown keyword velocity in pair_coeff",
    AUTO + "auto": "auto must be the first keyword of the law",
    "pair_coeff 1 1 damping 0.5 auto velocity 1": "auto must be the first keyword of the law",
    "pair_coeff 1 1 normal 1e6 1 auto velocity 1": "auto must be the first keyword of the law",
    "pair_coeff 1 1 restitution 0 auto velocity 1": "auto must be the first keyword of the law",
    AUTO + "normal 1e6 1": "keyword normal is what auto chooses: give one of them",
    "pair_coeff 1 1 auto velocity": "keyword velocity needs 1 value",
    "pair_coeff 1 1 auto velocity fast": "Expected floating point parameter instead of 'fast'",
    "pair_coeff 1 1 auto velocity 0": "velocity must be > 0 and finite",
    "pair_coeff 1 1 auto velocity -1": "velocity must be > 0 and finite",
    "pair_coeff 1 1 auto velocity 1e999": "velocity must be > 0 and finite, not 1e999",
    "pair_coeff 1 1 auto height": "keyword height needs 1 value",
    "pair_coeff 1 1 auto height 0": "height must be > 0 and finite",
    AUTO + "gravity": "keyword gravity needs 1 value",
    AUTO + "gravity -9.81": "gravity must be >= 0 and finite",
    AUTO + "load": "keyword load needs 1 value",
    AUTO + "load -1": "load must be >= 0 and finite",
    AUTO + "fraction": "keyword fraction needs 1 value",
    AUTO + "fraction 0": "fraction must lie between 0 and 0.2",
    AUTO + "fraction 0.3": "fraction must lie between 0 and 0.2",
    AUTO + "fraction 0.01 gap 0.001": "keywords gap and fraction exclude each other",
    AUTO + "gap -1": "gap must be > 0",
    AUTO + "barrier 0.1": "keyword barrier needs 2 value",
    AUTO + "barrier 0.1 1": "barrier exponent n2 must be < 0",
    AUTO + "friction 0.5": "keyword friction needs 2 values: mu_s mu_d",
    AUTO + "friction 0.5 damping 0.5": "Expected floating point parameter instead of 'damping'",
    AUTO + "friction 0.4 0.5": "the static friction coefficient must not be smaller than the dynamic "
                               "one",
    AUTO + "friction 0.5 0.4 1e6": "keyword friction needs 4 value",
    AUTO + "friction 0.5 0.4 0 1": "tangential stiffness must be > 0",
    AUTO + "transition 0.1": "keyword transition makes sense with keyword friction only",
    AUTO + "damping -1": "damping ratio must be >= 0",
    AUTO + "bounce 1": "unknown keyword bounce in pair_coeff",
    WALL + "plane 0 0 0 0 0 1 velocity 2": "Fix wall/polyhedron: unknown keyword velocity",
    WALL + "plane 0 0 0 0 0 1 gap 0.001 auto velocity 2": "auto must be the first keyword of the law",
    "compute c all polyhedron/contact/local all": "it has no arguments",
    "create_polyhedra": "(Illegal create_polyhedra command|Unknown command)",
    CREATE + "1": "Illegal create_polyhedra command: atom type and place, at or fill must follow",
    CREATE + "2 at 0 0 0.5": "out of bounds",
    CREATE + "1 at 0 0 1e999": "Create_polyhedra: at: 1e999 is not a finite number",
    CREATE + "1 near 0 0 0.5": "expected place, at or fill, not near",
    CREATE + "1 at 0 0": "at needs 3 values",
    CREATE + "1 at 0 0 x": "Expected floating point parameter instead of 'x'",
    CREATE + "1 at 0 0 0.5 rotate 30 0 0": "rotate needs 4 values",
    CREATE + "1 at 0 0 0.5 rotate 30 0 0 0": "the axis of rotate must not be zero",
    CREATE + "1 at 0 0 0.5 spin 3": "unknown keyword spin",
    CREATE + "1 place at 0 0 0.5": "unknown keyword at",
    CREATE + "1 at 0 0 0.5 shift 0 0 1": "unknown keyword shift",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_refused(lammps, command):
    lammps(scene(extra=command, walls=FLOOR), fail=COMMANDS[command])


def test_create_before_the_box(lammps):
    lammps("atom_style ellipsoid\ncreate_polyhedra 1 at 0 0 0",
           fail="Create_polyhedra command before simulation box is defined")


@pytest.mark.parametrize("box", ["block -1 1 -1 1 -0.1 1.9", "prism -1 1 -1 1 -0.1 1.9 0.5 0 0"])
@pytest.mark.parametrize("place", ["at 1e12 0 0.3", "place shift 0 -1e300 0.3"])
def test_create_far_away(lammps, box, place):
    """The host would wrap box by box, for ever."""
    lammps(scene(boundary="p p f", box=box, bodies=f"create_polyhedra 1 {place}"),
           fail=r"Create_polyhedra: .* lies [0-9.e+]+ periodic boxes away, the most are \d+: give")


def test_create_some_boxes_away(lammps):
    lammps(scene(boundary="p p f", bodies="create_polyhedra 1 at 100.1 0 0.3"))


@pytest.mark.parametrize("size", ["1e-30", "1e29"])
def test_sizes_at_the_limits(lammps, size):
    """Numbers near the limits of fix polyhedron/shape give mass and inertia."""
    edge = float(size)
    script = scene(shapes=f"1 box {size} {size} {size} density {1 / edge**3:.17g}", gravity=0, walls="",
                   box=f"block {-edge} {edge} {-edge} {edge} {-edge} {edge}", law=f"normal 1 1 gap "
                   f"{0.01 * edge:.17g}", bodies="create_polyhedra 1 at 0 0 0", skin=0.05 * edge,
                   thermo="v_m", every=1, run="run 1")
    assert lammps("variable m equal mass(all)\n" + script).thermo()["v_m"][0] == pytest.approx(1.0)
