"""Scenes whose results are compared bit by bit: short runs through every part of the plugin."""

from __future__ import annotations

from dataclasses import dataclass, field

from scenes import EXPLICIT, FLOOR, GRAIN, MIX, ROUGH_HEAP, grid, scene

DUMP = """
compute q all property/atom quatw quati quatj quatk
dump d all custom {every} dump{name} id type x y z c_q[1] c_q[2] c_q[3] c_q[4] vx vy vz &
  angmomx angmomy angmomz fx fy fz tqx tqy tqz
dump_modify d sort id format float %.17g"""
ROWS = """
compute c all polyhedron/contact/local
dump rows all local {every} rows c_c[1] c_c[2] c_c[3] c_c[4] c_c[5] c_c[6] c_c[7] c_c[8] c_c[9] &
  c_c[10] c_c[11] c_c[12] c_c[13] c_c[14] c_c[15] c_c[16]
dump_modify rows format float %.17g"""
MOTION = " ".join(f"f_motion[{k}]" for k in range(1, 25)) + " pe press f_floor[1] f_floor[3] f_floor[6]"
# laws of several gaps: what watches their barriers looks in the middle of steps, beside lists that hold for less
GAPS = "\n".join(f"pair_coeff {pair} {ROUGH_HEAP.replace('gap 0.002', gap)}" for pair, gap in (
    ("* *", "gap 0.002"), ("1 1", "gap 0.02"), ("2 3", "gap 0.01")))
SHORT_LISTS = dict(skin=0.005, types=5, shapes=f"{MIX} 5 {GRAIN}")
BOX = "\n".join(
    [
        FLOOR,
        "fix sides all wall/polyhedron plane -0.2 0 0 1 0 0 plane 0.2 0 0 -1 0 0 &",
        "  plane 0 -0.2 0 0 1 0 plane 0 0.2 0 0 -1 0",
    ]
)


@dataclass
class Scene:
    """Scripts that run one after the other in the same folder."""

    name: str
    scripts: list[str]
    ranks: int = 1
    files: dict[str, str] = field(default_factory=dict)


def heap(motion: str = "scheme em", steps: int = 120, every: int = 20, **parts) -> str:
    """Twenty bodies of four shapes that fall into a box, with friction."""
    values = dict(
        types=4,
        shapes=MIX,
        box="block -0.5 0.5 -0.5 0.5 -0.1 1.4",
        bodies=grid(2, 2, 5, 0.2, (-0.1, -0.1, 0.15), 4),
        walls=BOX,
        law=ROUGH_HEAP,
        dt=0.005,
        motion=motion,
        thermo=MOTION if "implicit" in motion or motion.startswith("scheme") else "pe ke",
        run=f"run {steps}",
    )
    extra = DUMP.format(every=every, name="") + ROWS.format(every=every) + f"\nthermo {every}\n"
    return scene(**(values | parts | {"extra": extra + parts.get("extra", "")}))


def restarted() -> list[str]:
    first = heap(run="run 80\nwrite_restart state")
    go_on = f"""read_restart state
fix shapes all polyhedron/shape {MIX}
{BOX}
fix g all gravity 9.81 vector 0 0 -1
timestep 0.005
neighbor 0.05 bin
fix motion all implicit/polyhedron scheme em
thermo_style custom step time {MOTION}
thermo_modify format float %.17g norm no
thermo 20
{DUMP.format(every=20, name=".on")}
run 60"""
    return [first, go_on]


# a tilted ramp of two triangles, and one that spins
RAMP = """v -0.6 -0.6 0.1
v 0.6 -0.6 -0.1
v 0.6 0.6 -0.1
v -0.6 0.6 0.1
f 1 2 3
f 1 3 4
"""


def rigid(solver: str, friction: str) -> str:
    """Contact dynamics of cubes that fall on one another, and the compatible forces of their contacts."""
    bodies = "\n".join(
        f"create_polyhedra 1 at {0.3 * (k % 2)} {0.2 * (k // 2 % 2)} {0.52 + 1.02 * (k // 4)}"
        for k in range(12)
    )
    return f"""units si
atom_style ellipsoid
atom_modify map array
boundary f f f
region box block -5 5 -5 5 -5 25
create_box 1 box
comm_modify vel yes
fix shapes all polyhedron/shape 1 box 0.25 0.15 1 density 1
{bodies}
pair_style zero 4
pair_coeff * *
neighbor 0.3 bin
neigh_modify delay 0
{FLOOR}
fix g all gravity 9.81 vector 0 0 -1
fix cd all contact/dynamics solver {solver} {friction}
timestep 2e-3
thermo_style custom step f_cd[*]
thermo_modify format float %.17g
thermo 20
{DUMP.format(every=20, name="")}
run 200
compute f all force/compatible cd law hertz
thermo_style custom step f_cd[*] c_f[*]
run 20"""


PLATE = f"{BOX}\nfix plate all wall/polyhedron plane 0.2 0 0 -1 0 0.2 move velocity -0.2 0 0"
DRUM = f"{FLOOR}\nfix ramp all wall/polyhedron obj ramp.obj move rotate 0 0 0 0 0 1 2.0"
LOAD = "\ngroup one id 1 7\nfix push one load/polyhedron force 0.1 0 v_up point 0.01 0 0.02"

SCENES = [
    Scene("em", [heap()]),
    Scene("euler", [heap("scheme euler")]),
    Scene("newmark", [heap("scheme newmark", steps=60, dt=0.002)]),
    Scene("em-literal", [heap(pair="pair_style polyhedron contact literal", steps=80)]),
    Scene("euler-hierarchy", [heap("scheme euler", pair="pair_style polyhedron contact hierarchy", steps=80)]),
    Scene("em-restitution", [heap(law="auto velocity 1.5 restitution 0.4 friction 0.5 0.4")]),
    Scene("em-dead", [heap(law="auto velocity 1.5 restitution 0 friction 0.5 0.4 transition 0.1")]),
    Scene("em-resolve", [heap("scheme em resolve 8", steps=40)]),
    Scene("em-fixed-substeps", [heap("scheme em substeps 10", steps=40)]),
    Scene("em-moving-plane", [heap(walls=PLATE)]),
    Scene("euler-moving-surface", [heap("scheme euler", walls=DRUM, box="block -1.5 1.5 -1.5 1.5 -0.1 1.4")], files={"ramp.obj": RAMP}),
    Scene("em-moving-surface", [heap(walls=DRUM, box="block -1.5 1.5 -1.5 1.5 -0.1 1.4")], files={"ramp.obj": RAMP}),
    Scene("em-load", [heap(extra="variable up equal ramp(0,8)" + LOAD)]),
    Scene("newmark-load", [heap("scheme newmark", dt=0.002, steps=60, extra="variable up equal ramp(0,8)" + LOAD)]),
    Scene("em-periodic", [heap(walls=FLOOR, boundary="p p f", box="block -0.25 0.25 -0.25 0.25 -0.1 1.4")]),
    Scene("em-two-ranks", [heap(processors="2 1 1")], ranks=2),
    Scene("euler-four-ranks", [heap("scheme euler", processors="2 2 1")], ranks=4),
    Scene("em-threads", [heap("scheme em threads 2")]),
    Scene("em-gaps", [heap(law=GAPS, **SHORT_LISTS)]),
    Scene("newmark-gaps", [heap("scheme newmark", law=GAPS, **SHORT_LISTS, dt=0.002, steps=300, every=60)]),
    Scene("em-petsc", [heap("scheme em solver petsc", steps=60)]),
    Scene("em-lapack", [heap("scheme em solver lapack", steps=60)]),
    Scene("restart", restarted()),
    Scene("explicit", [heap(EXPLICIT, walls=FLOOR, dt=2e-5, steps=6000, every=1000)]),
    Scene("contact-dynamics-pgs", [rigid("pgs", "restitution 0.3")]),
    Scene("contact-dynamics-apgd", [rigid("apgd", "friction 0.4")]),
]
