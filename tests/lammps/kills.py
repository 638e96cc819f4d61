"""A run that is killed at any instant, and goes on from the last restart file that it has left."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import time

from conftest import Lammps, environment, show
from scenes import MIX, ROUGH_HEAP, pile

STEPS, EVERY = 240, 8
THERMO = "f_motion[1] f_motion[8] f_motion[10] f_motion[11] f_motion[21] f_floor[3] f_sides[7]"
TAIL = f"""compute q all property/atom quatw quati quatj quatk
dump end all custom {STEPS} end id x y z vx vy vz angmomx angmomy angmomz c_q[1] c_q[2] c_q[3] c_q[4] fx fy fz
dump_modify end sort id format float %.17g
restart {EVERY} state.*
run {STEPS} upto
"""


def first() -> str:
    """A heap of four shapes that falls, with friction."""
    script = pile(2, 2, 3, 0.2, 1.2, motion="scheme em", dt=0.005, pitch=0.2, every=0, thermo=THERMO,
                  run=TAIL)
    return re.sub(r"pair_coeff \* \* .*", f"pair_coeff * * {ROUGH_HEAP}", script)


def again(file: str) -> str:
    whole = first()
    after = whole[whole.index("fix floor") :]
    return f"read_restart {file}\nfix shapes all polyhedron/shape {MIX}\n{after}"


def last_state(folder) -> list[str]:
    """Restart files, the latest first."""
    return sorted((p.name for p in folder.glob("state.*")), key=lambda n: -int(n.split(".")[1]))


def end_of(folder) -> str:
    """The last frame of the dump, all digits."""
    return (folder / "end").read_text().split("ITEM: TIMESTEP")[-1]


def kill_and_go_on(lammps: Lammps, seed: int, kills: int) -> int:
    """Kills a run at random instants, lets it go on each time, and returns how many ended in other digits than the run
    that was left alone."""
    draw = random.Random(seed)
    begin = time.time()
    whole = lammps(first(), where="whole", warn="begin step 1 closer than contact begins")
    takes = time.time() - begin
    expected = end_of(whole.dir)
    differ = steps = damaged = 0
    for k in range(kills):
        folder = lammps.dir / f"killed{k}"
        folder.mkdir()
        (folder / "in.test").write_text(f"plugin load {lammps.plugin}\n{first()}\n")
        run = subprocess.Popen([lammps.lmp, "-in", "in.test", "-log", "none"], cwd=folder, env=environment(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not last_state(folder) and run.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0.0, 0.8 * takes))
        run.kill()
        run.wait()
        for name in last_state(folder):
            shutil.copy(folder / name, folder / "resume")
            script = f"plugin load {lammps.plugin}\n{again('resume')}\n"
            (folder / "in.test").write_text(script)
            done = lammps.start([lammps.lmp, "-in", "in.test", "-log", "log.lammps"], folder)
            if done.returncode == 0:
                break
            damaged += 1  # killed while it wrote this one: the one before will do
            assert damaged <= k + 1, done.stdout[-2000:]
        steps += STEPS - int(name.split(".")[1])
        differ += end_of(folder) != expected
    show(kills=kills, mean_steps_after=steps / kills, damaged_files=damaged, different=differ)
    return differ
