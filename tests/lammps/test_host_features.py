"""Commands of the host beside an implicit run, the table of doc/host.md: those that look on leave the digits alone,
those that act do what they do with the host's own integrator, those that cannot work are refused by name."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import ROOT, Result, show
from scenes import scene

# three cubes, one on another, one falling beside them; with friction
HEAP = dict(
    bodies="create_polyhedra 1 at 0 0 0.07 rotate 30 1 2 3\ncreate_polyhedra 1 at 0.03 0.02 0.25 rotate 70 3 -1 2\n"
    "create_polyhedra 1 at 0.5 0 0.07\nvelocity all set 0.1 0.05 -0.3\ngroup top id 2\ngroup low id 1",
    law="normal 1e8 1.5 gap 0.001 damping 0.5 friction 0.5 0.4 1e6 100",
    motion="scheme em",
    dt=2e-3,
    every=20,
)
RUN = "run 40"

# command: what is added to the heap; {i} where newer hosts want `inputs local`
LOOKS_ON = {
    "dump atom": "dump x all atom 20 x", "dump cfg": "dump x all cfg 20 x.* mass type xs ys zs", "dump xyz": "dump x all xyz 20 x",
    "dump image": "dump x all image 20 x.*.ppm type type", "dump_modify": "dump x all custom 20 x id vx\ndump_modify x thresh vx > 0 sort id",
    "restart": "restart 20 a b", "fix print": 'fix x all print 20 "$(step)"', "fix vector": "fix x all vector 5 c_thermo_pe",
    "fix ave/time": "fix x all ave/time 5 2 20 c_thermo_temp file x", "fix ave/atom": "fix x all ave/atom 5 2 20 vx fx",
    "fix ave/chunk": "compute cc all chunk/atom bin/1d z lower 0.1\nfix x all ave/chunk 5 2 20 cc vx density/mass file x",
    "fix ave/histo": "compute k all ke/atom\nfix x all ave/histo 5 2 20 0 1 10 c_k mode vector file x",
    "fix ave/correlate": "fix x all ave/correlate 5 2 20 c_thermo_temp c_thermo_pe file x",
    "fix store/state": "fix x all store/state 0 x y z", "fix property/atom": "fix x all property/atom d_foo i_bar",
    "fix halt": "variable k equal step\nfix x all halt 5 v_k > 1000", "fix balance": "fix x all balance 10 1.0 shift xyz 5 1.1",
    "fix evaporate": "region far block 10 11 10 11 10 11\nfix x all evaporate 20 1 far 49284",
    "fix adapt": "variable m equal 0.5\nfix x all adapt 10 pair polyhedron mu_s * * v_m",
    "fix dt/reset": "fix x all dt/reset 5 1e-3 2e-3 100",
    "comm_style": "comm_style tiled", "comm_modify": "comm_modify cutoff 0.6", "neigh_modify": "neigh_modify every 1 delay 0 check no",
    "neighbor": "neighbor 0.05 nsq", "atom_modify": "atom_modify sort 7 0.1", "pair_modify": "pair_modify shift yes",
    "special_bonds": "special_bonds lj 0 0 0", "timer": "timer full", "info": "info all",
    "compute ke/atom": "compute x all ke/atom\ndump x all custom 20 x c_x", "compute erotate/asphere": "compute x all erotate/asphere\nthermo_style custom step time c_x",
    "compute temp/asphere": "compute x all temp/asphere\nfix x all ave/time 1 1 20 c_x file x",
    "compute temp/partial": "compute x all temp/partial 1 0 0\nfix x all ave/time 1 1 20 c_x file x",
    "compute temp/region": "region up block INF INF INF INF 0.1 INF\ncompute x all temp/region up\nfix x all ave/time 1 1 20 c_x file x",
    "compute pressure": "compute x all pressure NULL virial\nfix x all ave/time 1 1 20 c_x file x",
    "compute cluster/atom": "compute x all cluster/atom 0.15\ndump x all custom 20 x c_x", "compute rdf": "compute x all rdf 20\nfix x all ave/time 20 1 20 c_x[*] file x mode vector",
    "compute msd": "compute x all msd\nfix x all ave/time 20 1 20 c_x[4] file x", "compute vacf": "compute x all vacf\nfix x all ave/time 20 1 20 c_x[4] file x",
    "compute com": "compute x all com\nfix x all ave/time 20 1 20 c_x[3] file x", "compute gyration": "compute x all gyration\nfix x all ave/time 20 1 20 c_x file x",
    "compute pair": "compute x all pair polyhedron\nfix x all ave/time 1 1 20 c_x file x", "compute displace/atom": "compute x all displace/atom\ndump x all custom 20 x c_x[4]",
    "compute angmom/chunk": "compute cc all chunk/atom type\ncompute x all angmom/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute chunk/spread/atom": "compute cc all chunk/atom type\ncompute v all vcm/chunk cc\ncompute x all chunk/spread/atom cc c_v[1]\ndump x all custom 20 x c_x",
    "compute reduce": "compute x all reduce sum vx\nfix x all ave/time 20 1 20 c_x file x",
    "dump custom": "dump x all custom 20 x id vx fx",
    "dump local": "compute l all polyhedron/contact/local\ndump x all local 20 x c_l[10] c_l[11]",
    "compute property/atom": "compute x all property/atom fx vx\ndump x all custom 20 x c_x[1]",
    "compute coord/atom": "compute x all coord/atom cutoff 0.15\ndump x all custom 20 x c_x",
    "compute global/atom": "compute cc all chunk/atom type\ncompute v all vcm/chunk cc\ncompute i all property/atom type\n"
    "compute x all global/atom c_i c_v[1]\ndump x all custom 20 x c_x",
    "compute reduce/region": "region up block INF INF INF INF 0.1 INF\ncompute x all reduce/region up sum vx\nfix x all ave/time 20 1 20 c_x file x",
    "compute reduce/chunk": "compute cc all chunk/atom type\ncompute k all ke/atom\ncompute x all reduce/chunk cc sum c_k\n"
    "fix x all ave/time 20 1 20 c_x mode vector file x",
    "compute inertia/chunk": "compute cc all chunk/atom type\ncompute x all inertia/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute vcm/chunk": "compute cc all chunk/atom bin/1d z lower 0.1\ncompute x all vcm/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute temp": "compute x all temp\nfix x all ave/time 1 1 20 c_x file x", "compute temp/com": "compute x all temp/com\nfix x all ave/time 1 1 20 c_x file x",
    "compute temp/ramp": "compute x all temp/ramp vx 0 1 z 0 1 units box\nfix x all ave/time 1 1 20 c_x file x",
    "compute slice": "compute m all msd\ncompute x all slice 1 4 1 c_m\nfix x all ave/time 20 1 20 c_x mode vector file x",
    "fix ave/histo/weight": "compute k all ke/atom\nvariable w atom mass\nfix x all ave/histo/weight 5 2 20 0 1 10 c_k v_w mode vector file x",
    "fix_modify": "fix_modify g energy yes", "thermo_modify": "thermo_modify line multi", "compute_modify": "compute_modify thermo_temp dynamic/dof yes",
    "suffix": "suffix omp", "log": "log other.log", "echo": "echo both",
    "compute msd/chunk": "compute cc all chunk/atom type\ncompute x all msd/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute gyration/chunk": "compute cc all chunk/atom type\ncompute x all gyration/chunk cc\nfix x all ave/time 20 1 20 c_x mode vector file x",
    "compute com/chunk": "compute cc all chunk/atom type\ncompute x all com/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute omega/chunk": "compute cc all chunk/atom type\ncompute x all omega/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute torque/chunk": "compute cc all chunk/atom type\ncompute x all torque/chunk cc\nfix x all ave/time 20 1 20 c_x[*] mode vector file x",
    "compute property/chunk": "compute cc all chunk/atom type\ncompute x all property/chunk cc count\nfix x all ave/time 20 1 20 c_x mode vector file x",
    "compute temp/chunk": "compute cc all chunk/atom bin/1d z lower 0.1\ncompute x all temp/chunk cc\nfix x all ave/time 20 1 20 c_x file x",
    "compute chunk/atom": "compute cc all chunk/atom bin/3d x lower 0.5 y lower 0.5 z lower 0.5 nchunk every\nfix x all ave/chunk 5 1 20 cc temp file x",
    "compute centro/atom": "compute x all centro/atom 12\ndump x all custom 20 x c_x", "compute orientorder/atom": "compute x all orientorder/atom\ndump x all custom 20 x c_x[1]",
    "compute temp/profile": "compute x all temp/profile 1 1 1 z 2\nfix x all ave/time 20 1 20 c_x file x",
    "compute temp/deform": "compute x all temp/deform\nfix x all ave/time 20 1 20 c_x file x",
    "compute ke": "compute x all ke\nfix x all ave/time 1 1 20 c_x file x", "compute pe": "compute x all pe pair\nfix x all ave/time 1 1 20 c_x file x",
    "balance": "comm_style tiled\nbalance 1.0 rcb", "fix balance, rcb": "comm_style tiled\nfix x all balance 10 1.0 rcb",
    "neighbor multi": "neighbor 0.05 multi", "fix external": "fix x all external pf/array 1", "partition": "partition yes 1 print hi",
    "group dynamic": "variable h atom z>0.1\ngroup up dynamic all var h every 5\ncompute x up reduce sum vx\nfix x all ave/time 20 1 20 c_x file x",
}
# command: the runs, with what stands between them
BETWEEN = {
    "write_data": "run 20\nwrite_data x.data\nrun 20", "write_restart": "run 20\nwrite_restart x.rst\nrun 20", "write_dump": "run 20\nwrite_dump all custom x id x\nrun 20",
    "run every": 'run 40 every 20 "print hi"', "run pre no": "run 20\nrun 20 pre no post no", "jump": "variable i loop 2\nlabel l\nrun 20\nnext i\njump SELF l",
    "run upto": "run 20\nrun 40 upto", "run start": "run 20 start 0 stop 40\nrun 20 start 0 stop 40", "include": "print 'run 20' file inc screen no\ninclude inc\ninclude inc",
    "unfix": "fix x all addforce 0 0 0\nrun 20\nunfix x\nrun 20", "undump": "dump y all atom 10 y\nrun 20\nundump y\nrun 20", "write_coeff": "run 20\nwrite_coeff x.coeff\nrun 20",
    "run 0": "run 0\nrun 20\nrun 0\nrun 20", "run_style verlet": "run 20\nrun_style verlet\nrun 20", "set image": "run 20\nset group all image 0 0 0\nrun 20",
    "plugin list": "run 20\nplugin list\nrun 20",
    "read_dump": "run 20\nwrite_dump all custom rd.dump id type x y z vx vy vz modify format float %.17g sort id\n"
    'variable r string "rd.dump 20 x y z vx vy vz box no"\nif "$(version) > 20231120" then "read_dump $r timestep no" else "read_dump $r"\nrun 20',
    "reset_timestep": "run 20\nreset_timestep 20\nrun 20", "change_box": "run 20\nchange_box all z final -0.1 3\nrun 20",
}


def end(result) -> np.ndarray:
    last = result.frames()[-1]
    return last.vectors(*(c for c in last.columns if c != "type"))


@pytest.fixture(scope="module")
def alone(request, host, tmp_path_factory) -> np.ndarray:
    from conftest import Lammps

    folder = tmp_path_factory.mktemp("alone")
    return end(Lammps(folder, *host)(scene(**HEAP, run=RUN)))


@pytest.mark.parametrize("command", [*LOOKS_ON, *BETWEEN])
def test_leaves_the_digits_alone(lammps, alone, version, command):
    if command == "reset_timestep" and version > 20231120:
        lammps(scene(**HEAP, run=BETWEEN[command]), fail="Cannot reset timestep with active dump")
        return
    result = lammps(scene(**HEAP, extra=LOOKS_ON.get(command, ""), run=BETWEEN.get(command, RUN)), may_warn="thermo_style command|includes no atom IDs|temp/deform with no fix deform")
    assert np.array_equal(end(result), alone)


def test_clear(lammps, alone):
    """clear takes all away, the plugin too; loaded again, it runs the same input again."""
    whole = scene(**HEAP, run=RUN)
    again = lammps(f"{whole}\nclear\nplugin load {lammps.plugin}\n{whole}")
    assert np.array_equal(end(again), alone)


def test_partition(lammps, alone):
    """Two partitions run the input at a time, each in a folder of its own."""
    folder = lammps.dir / "worlds"
    folder.mkdir()
    lines = f"plugin load {lammps.plugin}\nvariable w world one two\nshell mkdir ${{w}}\nshell cd ${{w}}\n{scene(**HEAP, run=RUN)}\n"
    (folder / "in.test").write_text(lines)
    done = lammps.start(["mpirun", "--oversubscribe", "-np", "2", lammps.lmp, "-partition", "2x1", "-in", "in.test"], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    for world in ("one", "two"):
        assert np.array_equal(end(Result(folder / world, 0, "", [])), alone)


# ---- commands that act ----

# one cube in flight, turning
FLIGHT = dict(
    bodies="create_polyhedra 1 at 0.1 0.05 0.8 rotate 30 1 2 3\nvelocity all set 0.3 0.2 0.1\nset group all angmom 1e-3 -2e-3 1e-3",
    walls="",
)
ACTS = {
    "fix addforce": "fix x all addforce 0 1 0", "fix addforce, variable": "variable f atom 3*mass*x\nfix x all addforce v_f 0 0",
    "fix gravity": "fix x all gravity 1 chute 20", "fix gravity, variable": "variable m equal 5*time\nfix x all gravity v_m vector 1 0 0",
    "fix langevin": "fix x all langevin 0 0 2.0 4711", "fix spring": "fix x all spring tether 10 0 0 0.3 0", "fix spring/self": "fix x all spring/self 100",
    "fix indent": "fix x all indent 1e4 sphere 0 0 0.6 0.25 units box", "fix viscous": "fix x all viscous 0.5",
    "fix wall/region": "region room block -0.9 0.9 -0.9 0.9 -0.05 0.85\nfix x all wall/region room harmonic 10 0 0.2",
    "fix wall/harmonic": "fix x all wall/harmonic zhi 0.9 100 0 0.2 units box", "fix wall/lj126": "fix x all wall/lj126 zhi 1.0 1 0.1 0.3 units box",
    "fix wall/lj93": "fix x all wall/lj93 zhi 1.0 1 0.1 0.3 units box",
}


@pytest.mark.parametrize("command", ACTS)
def test_acts_as_on_bodies_of_the_host(lammps, command):
    """0.3 s of flight by em at 2 ms and by fix nve/asphere at 0.1 ms."""
    ours = lammps(scene(**FLIGHT, motion="scheme em", dt=2e-3, every=150, extra=ACTS[command], run="run 150"))
    hosts = lammps(scene(**FLIGHT, motion="fix motion all nve/asphere", dt=1e-4, every=3000, extra=ACTS[command], run="run 3000"))
    free = lammps(scene(**FLIGHT, motion="scheme em", dt=2e-3, every=150, run="run 150"))
    a, b, none = (r.frames()[-1].vectors("x", "y", "z", "vx", "vy", "vz")[0] for r in (ours, hosts, free))
    show(difference=np.abs(a - b).max(), effect=np.abs(b - none).max())
    assert np.abs(a - b).max() < 2e-4 * max(1.0, np.abs(b).max()) < 0.1 * np.abs(b - none).max()


# ---- commands that are refused ----

MINE = "Fix x of style {} and fix motion of style implicit/polyhedron: body \\d is in both groups"
REFUSED = {
    "fix aveforce": ("fix x top aveforce 0 0 1", MINE.format("aveforce")), "fix lineforce": ("fix x top lineforce 0 0 1", MINE.format("lineforce")),
    "fix planeforce": ("fix x top planeforce 0 0 1", MINE.format("planeforce")), "fix setforce": ("fix x top setforce 0 0 1", MINE.format("setforce")),
    "fix store/force": ("fix x all store/force", MINE.format("store/force")), "fix recenter": ("fix x all recenter INIT INIT INIT", MINE.format("recenter")),
    "fix wall/reflect": ("fix x all wall/reflect zlo EDGE", MINE.format("wall/reflect")), "fix nve": ("fix x top nve", MINE.format("nve")),
    "fix nve/asphere": ("fix x top nve/asphere", MINE.format("nve/asphere")), "fix nve/limit": ("fix x top nve/limit 0.1", MINE.format("nve/limit")),
    "fix nve/noforce": ("fix x top nve/noforce", MINE.format("nve/noforce")), "fix nvt": ("fix x all nvt temp 1 1 0.1", MINE.format("nvt")),
    "fix nvt/asphere": ("fix x all nvt/asphere temp 1 1 0.1", MINE.format("nvt/asphere")), "fix rigid": ("fix x all rigid group 1 all", MINE.format("rigid")),
    "fix move": ("fix x top move linear 0 0 -0.1", MINE.format("move")),
    "fix npt": ("fix x all npt temp 1 1 0.1 iso 0 0 1", "Fix x of style npt changes the box in the middle of a run"),
    "fix nph": ("fix x all nph iso 0 0 1", "Fix x of style nph changes the box in the middle of a run"),
    "fix press/berendsen": ("fix x all press/berendsen iso 0 0 100", "Fix x of style press/berendsen changes the box in the middle of a run"),
    "fix box/relax": ("fix x all box/relax iso 0", "Fix x of style box/relax changes the box in the middle of a run"),
    "compute heat/flux": ("compute k all ke/atom\ncompute p all pe/atom\ncompute s all stress/atom NULL virial\ncompute x all heat/flux k p s\n"
                          "fix x all ave/time 20 1 20 c_x[1] file x", "heat/flux: compute polyhedron/contact/atom"),
    "dimension 2": ("dimension 2", "requires dimension 3: fix lock/polyhedron holds bodies in a plane"),
    "run_style respa": ("run_style respa 2 2 pair 2", "Fix implicit/polyhedron does not work with run_style respa"),
    "pair_style hybrid/scaled": ("pair_style hybrid/scaled 0.5 polyhedron 0.5 zero 1.0\npair_coeff * * polyhedron normal 1e8 1.5 gap 0.001\npair_coeff * * zero",
                                 "Fix implicit/polyhedron does not work with pair_style hybrid/scaled"),
    "minimize": ("minimize 1e-4 1e-4 10 10", "Fix implicit/polyhedron does not work with the command minimize"),
    "units real": ("units real", "units real are not consistent"), "units metal": ("units metal", "units metal are not consistent"),
    "compute stress/atom": ("compute x all stress/atom NULL\ndump x all custom 20 x c_x[1]", "stress/atom.*: compute polyhedron/contact/atom"),
    "compute pe/atom": ("compute x all pe/atom\ndump x all custom 20 x c_x", "computes pe/atom.*: compute polyhedron/contact/atom"),
    "compute centroid/stress/atom": ("compute x all centroid/stress/atom NULL\ndump x all custom 20 x c_x[1]", "centroid/stress/atom.*: compute polyhedron/contact/atom"),
    "compute pair/local": ("compute x all pair/local force\ndump x all local 20 x index c_x", "Pair style does not support compute pair/local"),
    "compute property/local": ("compute x all property/local natom1\ndump x all local 20 x index c_x", "Pair style does not support compute property/local"),
    "compute group/group": ("compute x top group/group low\nfix x all ave/time 20 1 20 c_x file x", "Pair style does not support compute group/group"),
}


@pytest.mark.parametrize("command", REFUSED)
def test_is_refused(lammps, version, command):
    if command == "compute property/local" and version > 20231120:
        pytest.skip("these hosts list pairs by the distance of centres")
    extra, why = REFUSED[command]
    units = {"units": extra.split()[1]} if extra.startswith("units") else {"extra": extra}
    if "changes the box" in why and "deform" not in why:
        units |= {"boundary": "p p p", "walls": ""}  # the host wants them periodic
    plane = {"boundary": "f f p", "extra": ""} if extra == "dimension 2" else {}
    script = scene(**HEAP | units | plane, run=RUN)
    lammps(f"dimension 2\n{script}" if plane else script, fail=why)


# ---- the page ----


def test_page_lists_what_is_tested():
    page = (ROOT / "doc" / "host.md").read_text()
    named = re.findall(r"^\| `([^|]*?)`", page, re.M)
    here = [*LOOKS_ON, *BETWEEN, *ACTS, *REFUSED, "clear", "-partition"]
    elsewhere = set(re.findall(r"^\| `([^|]*?)`.*`tests/lammps/test_\w+\.py`", page, re.M))
    assert len(named) == len(set(named)) and len(here) >= 120
    assert set(named) == set(here) | elsewhere and not elsewhere & set(here)


def test_other_files_have_their_tests():
    """A row that names a test file names one in which the command stands."""
    rows = re.findall(r"^\| `([^`|]*)`.*`(tests/lammps/test_\w+\.py)`", (ROOT / "doc" / "host.md").read_text(), re.M)
    assert len(rows) > 14
    for command, path in rows:
        words = [w for w in re.split(r"[ ,]+", command) if w not in ("fix", "other", "group")]
        text = (ROOT / path).read_text()
        assert all(w in text for w in words), (command, path)
