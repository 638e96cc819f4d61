"""Commands of all styles with mutated arguments. LAMMPS runs in this process as a library; every mutant runs in a child that
is forked from it, so that thousands of them take seconds.

A mutant may be refused, with an error that says which keyword, value or style is meant, or be accepted, with finite numbers
in all that is printed. Nothing else: no crash, no run without end, no NaN that is taken for a number.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conftest import environment
from scenes import SHAPES

LIMIT = 20.0  # seconds for one mutant, on a busy machine

BASE = """units si
atom_style ellipsoid
atom_modify map yes
boundary f f f
region box block -1 1 -1 1 -0.2 1
create_box 3 box"""
SHAPE = "fix shapes all polyhedron/shape 1*2 box 0.1 0.1 0.1 density 1000"
BODIES = "create_polyhedra 1 at 0 0 0.0515\ncreate_polyhedra 2 at 0.02 0 0.1532"
PAIR = "pair_style polyhedron\npair_coeff * * normal 1e6 1.5 gap 0.002 barrier 0.1 -2 damping 0.5"
SETTINGS = "timestep 1e-3\nneighbor 0.05 bin\nthermo 1"
FLOOR = "fix floor all wall/polyhedron plane 0 0 0 0 0 1"
WEIGHT = "fix weight all gravity 9.81 vector 0 0 -1"
MOTION = "fix motion all implicit/polyhedron"
RIGID = "pair_style zero 0.4\npair_coeff * *\nneigh_modify delay 0\ncomm_modify vel yes"
VARIABLES = "variable d equal 1e-4*step\nvariable v equal 0.1"
IMPLICIT = [BASE, VARIABLES, SHAPE, BODIES, PAIR, SETTINGS, FLOOR, WEIGHT, MOTION]
DYNAMICS = [BASE, VARIABLES, SHAPE, BODIES, RIGID, SETTINGS, FLOOR, WEIGHT,
            "fix cd all contact/dynamics unconverged ignore"]
# at the end, unless the command says what is to be printed
PRINTED = {id(IMPLICIT): "thermo_style custom step pe ke f_motion[1] f_motion[12] f_floor[3]",
           id(DYNAMICS): "thermo_style custom step pe ke f_cd[1] f_cd[7] f_floor[3]"}
RUN = "run 2"


GROUND = """solid ground
facet normal 0 0 1
outer loop
vertex -0.9 -0.9 -0.15
vertex 0.9 -0.9 -0.15
vertex 0 0.9 -0.15
endloop
endfacet
endsolid ground
"""


@dataclass
class Command:
    """A valid command in its scene: the parts of the scene, what it stands in place of or after."""

    text: str
    scene: list[str] = field(default_factory=lambda: IMPLICIT)
    instead: str = ""  # of this part, else at the end
    first: int = 3  # argument, from 0, that may be mutated first
    no_huge: tuple[str, ...] = ()  # keywords of which a huge value asks for as much work
    infinite: tuple[str, ...] = ()  # keywords that may be infinite


SHAPE_FILE = SHAPES / "cube.stl"
LAW = "normal 1e6 1.5 gap 0.002 barrier 0.1 -2 damping 0.5 ramp 1e-4 friction 0.5 0.4 1e5 10 transition 1e-3 restitution 0.5"
COMMANDS = [
    Command(f"fix more all polyhedron/shape 3 stl {SHAPE_FILE} density 2400 scale 0.5 weld 1e-6 random 4711 write out"),
    Command("fix more all polyhedron/shape 3 box 0.1 0.2 0.3 density 2400 scale 2"),
    Command("fix more all polyhedron/shape 3 tetrapod 0.1 0.05 0.5 density 2400"),
    Command("fix more all polyhedron/shape 3 prism 8 0.1 0.05 density 2400"),
    Command("fix more all polyhedron/shape 3 rock 0.1 0.08 0.05 20 4711 density 2400"),
    Command("create_polyhedra 1 at 0.3 0 0.5 rotate 30 1 2 3", first=1),
    Command("create_polyhedra 1 place shift 0.3 0 0.5 rotate 30 1 2 3", first=1),
    Command("pair_style polyhedron contact continuous\npair_coeff * * normal 1e6 1.5 gap 0.002", instead=PAIR, first=2),
    Command(f"pair_coeff 1 1 {LAW}", first=1),
    Command(f"pair_coeff 1 2 {LAW}", first=1),
    Command("pair_coeff 1 1 auto velocity 1 height 0.1 gravity 9.81 load 100 damping 0.5 friction 0.5 0.4", first=1),
    Command("pair_coeff 1*2 1*2 auto velocity 1 fraction 0.01 restitution 0.2", first=1),
    Command("fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 plane -0.9 0 0 1 0 0 type 1"),
    Command(f"fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 {LAW}"),
    Command("fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 auto velocity 1 gravity 9.81 friction 0.5 0.4"),
    Command("fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 move velocity 0 0 -0.1"),
    Command("fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 move wiggle 0 0 0.01 0.5"),
    Command("fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 move rotate 0 0 0 0 0 1 2"),
    Command("fix more all wall/polyhedron plane 0 0 -0.1 0 0 1 move variable NULL NULL v_d NULL NULL v_v"),
    Command("fix more all wall/polyhedron stl ground.stl move velocity 0 0 0"),
    Command("fix push all load/polyhedron force 0.1 v_v 0 moment 0 0 0.01 point 0 0 0.02 frame body",
            no_huge=("force", "moment", "point")),
    Command("fix hold all lock/polyhedron translation y rotation xz frame space"),
    Command("fix hold all lock/polyhedron hinge 0.05 0 0.2 0 1 0"),
    Command("fix motion all implicit/polyhedron scheme newmark newmark 0.3 0.5 tol 1e-8 maxiter 30 guard 1e-5 resolve 4 "
            "filter yes solver lapack threads 1 loops auto", instead=MOTION, infinite=("guard",)),
    Command("fix motion all implicit/polyhedron scheme em substeps 3", instead=MOTION, no_huge=("substeps",)),
    Command("fix motion all implicit/polyhedron scheme euler minstep 1e-7 maxstep 1e-4", instead=MOTION,
            no_huge=("minstep",), infinite=("maxstep",)),
    Command("fix_modify motion tol 1e-8 guard 1e-4", first=2, infinite=("guard",)),
    Command("fix_modify floor move velocity 0 0 -0.1", first=2),
    Command("fix_modify POLYHEDRON_RESTART changed law", first=2),
    Command("compute more all polyhedron/contact/local\ndump more all local 1 more.dump c_more[11]"),
    Command("compute more all polyhedron/contact/atom\ndump more all custom 1 more.dump id c_more[11]"),
    Command("fix more all vtk/polyhedron 2 more-*.vtp contacts yes walls yes binary no append no"),
    Command("compute more all force/compatible pair law hooke stiffness 1 2 3.0 wall floor * 10.0 solver newton tol 1e-9 "
            "maxiter 100 slack 1e-6 rank 50 unconverged ignore empty ignore\nthermo_style custom step c_more[1] c_more[2]"),
    Command("fix cd all contact/dynamics solver pgs tol 1e-6 maxiter 100 order random 7 start warm restitution 0.5 "
            "restspeed 0.1 gap 0.01 pushout 0.1 fixed all unconverged ignore", DYNAMICS,
            instead=DYNAMICS[-1]),
    Command("fix cd all contact/dynamics solver apgd friction 0.3 corrections 3 start cold unconverged ignore", DYNAMICS,
            instead=DYNAMICS[-1]),
    Command("compute more all force/compatible cd law hertz stiffness 1 2 2 solver lagrangian tol 1e-6 maxiter 100 "
            "unconverged ignore empty ignore\nthermo_style custom step c_more[1] c_more[2]", DYNAMICS),
]

STRANGE = ("nan", "-nan", "inf", "-inf", '""', "x", "1e", "0x10", "1,5", "v_none", "c_none", "NULL", "all", "*", "-", "--1", "\u00e9")
NUMBERS = ("0", "-1", "1", "-0", "1e-320", "1e-30", "1e30", "-1e30", "1e300", "-1e300", "1e999", "2147483647", "2147483648",
           "-2147483648", "99999999999999999999", "0.5", "1.5", "1e-300")
# errors about what sound values lead to
PHYSICAL = re.compile(r"body \d+ and (body|wall)|no substep is possible|is lost|neighbor bins")
NO_NUMBER = ("nan", "-nan", "inf", "-inf", '""', "1e999")


@dataclass
class Mutant:
    command: Command
    text: str
    words: tuple[str, ...]  # of which an error has to name one
    how: str
    put: str = ""  # in place of an argument


def keyword_before(words: list[str], k: int) -> str:
    """The last word before k that is no number."""
    for w in reversed(words[:k]):
        if not re.match(r"[-+.\d*]", w) and not w.startswith("v_"):
            return w
    return words[0]


def mutate(command: Command, draw: random.Random) -> Mutant:
    lines = command.text.split("\n")
    words = lines[0].split()
    k = draw.randrange(command.first, len(words)) if command.first < len(words) else len(words)
    how = draw.choice(("drop", "double", "swap", "number", "number", "number", "strange", "long", "cut"))
    before, after, put = keyword_before(words, k), list(words), ""
    if how == "drop" and k < len(words):
        del after[k]
    elif how == "double" and k < len(words):
        after.insert(k, words[k])
    elif how == "swap" and k + 1 < len(words):
        after[k], after[k + 1] = words[k + 1], words[k]
    elif how == "cut":
        after = words[:k]
    else:
        put = draw.choice(NUMBERS if how == "number" else STRANGE) if how != "long" else "9" * 5000
        if before in command.no_huge and re.search(r"[1-9]e[-+]?\d\d|\d{5}", put):
            put = "-1"
        if put == "1e999" and before in command.infinite:
            put = "nan"
        after = [*words[:k], put, *words[k + 1 :]]
    names = {w.lower() for w in (*words, *after) if not re.match(r"[-+.\d]", w) and len(w) > 1}
    names |= {part for w in names for part in re.split(r"[/_]", w) if len(part) > 3}
    names |= {w for w in after if w not in words}
    return Mutant(command, "\n".join([" ".join(after), *lines[1:]]), tuple(names), how, put)


# ---- LAMMPS as a library ----


class Host:
    """LAMMPS with the plugin, in this process; children run on from here."""

    def __init__(self, lmp: str, plugin: str, folder: Path) -> None:
        os.environ.update(environment())
        linked = subprocess.run(["ldd", lmp], capture_output=True, text=True).stdout
        found = re.search(r"liblammps\S* => (\S+)", linked)
        self.library = None
        if not found:
            return
        mpi = re.search(r"libmpi\S* => (\S+)", linked)
        if mpi:
            ctypes.CDLL(mpi.group(1), mode=ctypes.RTLD_GLOBAL)
        self.library = ctypes.CDLL(found.group(1), mode=ctypes.RTLD_GLOBAL)
        self.library.lammps_open_no_mpi.restype = ctypes.c_void_p
        self.library.lammps_command.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.library.lammps_command.restype = ctypes.c_char_p
        if hasattr(self.library, "lammps_has_error"):
            self.library.lammps_has_error.argtypes = [ctypes.c_void_p]
        os.chdir(folder)
        arguments = [b"lmp", b"-log", b"none"]
        self.handle = self.library.lammps_open_no_mpi(
            len(arguments), (ctypes.c_char_p * len(arguments))(*arguments), None)
        self.command(f"plugin load {plugin}")

    def command(self, line: str) -> None:
        self.library.lammps_command(self.handle, line.encode())

    def child(self, script: str) -> tuple[int | None, str]:
        """Status (None: it took too long; negative: the signal) and output of commands in a child."""
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(write, 1)
            os.dup2(write, 2)
            for line in script.split("\n"):
                self.command(line)
                if self.failed():
                    os._exit(1)
            ctypes.CDLL(None).fflush(None)
            os._exit(0)
        os.close(write)
        output, end = b"", time.time() + LIMIT
        while True:
            ready, _, _ = select.select([read], [], [], max(0.0, end - time.time()))
            part = os.read(read, 65536) if ready else b""
            if not part:
                break
            output += part
        late = time.time() >= end
        if late:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(read)
        return None if late else os.waitstatus_to_exitcode(status), output.decode(errors="replace")

    def failed(self) -> bool:
        """A host that throws exceptions goes on: say what it has kept."""
        if not self.library.lammps_config_has_exceptions() or not self.library.lammps_has_error(self.handle):
            return False
        text = ctypes.create_string_buffer(4096)
        self.library.lammps_get_last_error_message.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        self.library.lammps_get_last_error_message(self.handle, text, 4096)
        os.write(1, text.value)
        return True


def script_of(mutant: Mutant) -> str:
    scene, c = list(mutant.command.scene), mutant.command
    if c.instead:
        scene[scene.index(c.instead)] = mutant.text
    else:
        scene.append(mutant.text)
    printed = "" if "thermo_style" in mutant.text else PRINTED[id(c.scene)]
    return "\n".join([*scene, printed, RUN])


def verdict(mutant: Mutant, status: int | None, output: str) -> str:
    """What is wrong with the answer to a mutant; empty if nothing is."""
    if status is None:
        return "no end"
    if status < 0:
        return f"signal {-status}"
    error = re.search(r"^ERROR.*(?:\n.*)?", output, re.M)
    if status:
        if not error:
            return f"status {status} without an error"
        text = error.group(0).lower()
        return "" if PHYSICAL.search(text) or any(w.lower() in text for w in mutant.words) else "the error names nothing"
    if error:
        return "an error, but status 0"
    if mutant.put in NO_NUMBER and not named(mutant):
        return f"{mutant.put} is accepted"
    table = re.findall(r"^ +\d+ .*$", output, re.M)
    if not table:
        return "no output"
    if any(re.search(r"\b-?(nan|inf)\b", line) for line in table):
        return f"not finite: {table[-1].split()}"
    return ""


def named(mutant: Mutant) -> bool:
    """Whether the argument is a name, which may be anything."""
    return bool(re.search(r"\b(write|stl|changed|fixed)$", mutant.text.split(mutant.put)[0].strip()))


def fuzz(host: Host, seed: int, count: int) -> list[str]:
    """Wrong answers to as many mutants, and a line of figures at the end of what is printed."""
    draw, faults, refused, begin = random.Random(seed), [], 0, time.time()
    for k in range(count):
        mutant = mutate(COMMANDS[k % len(COMMANDS)], draw)
        status, output = host.child(script_of(mutant))
        refused += bool(status)
        why = verdict(mutant, status, output)
        if why:
            shown = re.search(r"^ERROR.*(?:\n.*)?", output, re.M)
            faults.append(f"{why}: {mutant.text[:400]!r} ({mutant.how}) {shown.group(0)[:300] if shown else ''}")
    print(f"mutants = {count}\nrefused = {refused}\nfaults = {len(faults)}\nseconds = {time.time() - begin:.1f}")
    return faults


def run_mutants(lammps, seed: int, count: int) -> None:
    done = subprocess.run([sys.executable, __file__, lammps.lmp, lammps.plugin, lammps.dir, str(seed), str(count)],
                          capture_output=True, text=True, errors="replace", env=os.environ | {"PYTHONIOENCODING": "utf-8"})
    print("\n".join(line for line in done.stdout.splitlines() if " = " in line))
    if done.returncode == 77:
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def main() -> None:
    """LMP PLUGIN FOLDER SEED COUNT: prints the faults; status 1 if there are any."""
    lmp, plugin, folder, seed, count = sys.argv[1:]
    (Path(folder) / "ground.stl").write_text(GROUND)
    host = Host(lmp, plugin, Path(folder))
    if host.library is None:
        print("lmp is not linked to a library of LAMMPS")
        sys.exit(77)
    for command in COMMANDS:  # as they are
        status, output = host.child(script_of(Mutant(command, command.text, (), "none")))
        if status or not re.search(r"^ +2 ", output, re.M):
            print(f"the command itself fails: {command.text!r}: {output[-1500:]}")
            sys.exit(2)
    faults = fuzz(host, int(seed), int(count))
    print("\n".join(faults))
    sys.stdout.flush()
    os._exit(1 if faults else 0)


if __name__ == "__main__":
    main()
