"""The backend by PETSc is a file beside the plugin, which is loaded when PETSc has something to solve."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import Lammps, show
from scenes import scene

MODULE = "polyhedrapetsc.so"


def bodies(count: int) -> str:
    return "\n".join(f"create_polyhedra 1 at {0.2 * k - 0.9:.1f} 0 0.2" for k in range(count))


@pytest.fixture
def alone(host, tmp_path) -> Lammps:
    """Runs with a copy of the plugin in a folder of its own, without the module."""
    folder = tmp_path / "alone"
    folder.mkdir()
    return Lammps(tmp_path, host[0], shutil.copy(host[1], folder), host[2])


def needs(solver: str, why: str) -> str:
    return rf"Fix implicit/polyhedron: solver {solver} needs /\S*/alone/{MODULE}, which cannot be loaded \({why}\): it has to be .* beside it"


def test_start_does_not_load_petsc(host) -> None:
    """What the loader resolves at `plugin load`: none of PETSc's libraries."""
    names = subprocess.run(["ldd", host[1]], capture_output=True, text=True, check=True).stdout.splitlines()
    with_module = subprocess.run(["ldd", Path(host[1]).parent / MODULE], capture_output=True, text=True, check=True).stdout.splitlines()
    assert not [n for n in names if "petsc" in n] and [n for n in with_module if "petsc" in n]
    show(libraries=len(names), of_the_module=len(with_module))


def test_few_bodies_do_without(alone) -> None:
    """solver auto: the dense one up to 8 bodies."""
    for ranks in (1, 2):
        alone(scene(bodies=bodies(8)), ranks=ranks)
    alone(scene(bodies=bodies(9), motion="scheme newmark solver lapack"))


@pytest.mark.parametrize("ranks", [1, 2])
def test_missing(alone, ranks) -> None:
    """At set-up where petsc is asked for, with the first system that is to be solved by it otherwise."""
    why = "cannot open shared object file: No such file or directory"
    alone(scene(motion="scheme newmark solver petsc"), ranks=ranks, fail=needs("petsc", why))
    alone(scene(bodies=bodies(9)), ranks=ranks, fail=needs("auto", why))


def test_not_a_module(alone, tmp_path) -> None:
    (tmp_path / "alone" / MODULE).write_text("not a library\n")
    alone(scene(bodies=bodies(9)), fail=needs("auto", "file too short"))


def test_module_of_another_build(alone, tmp_path) -> None:
    source = tmp_path / "other.c"
    source.write_text("const unsigned long pd_petsc_table[4] = {8, 8};\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "alone" / MODULE, source], check=True)
    alone(scene(bodies=bodies(9)), fail=needs("auto", "it is of another build"))


def test_one_process_lacks_it(alone, host, tmp_path) -> None:
    """As on a machine of a cluster that is not like the others: all processes stop, with that one's reason."""
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "in.test").write_text("plugin load ${plugin}\n" + scene(bodies=bodies(9)))
    command = ["mpirun", "--oversubscribe"]
    for plugin in (host[1], alone.plugin):
        command += [":"] * (plugin != host[1]) + ["-np", "1", host[0], "-in", "in.test", "-log", "log.lammps", "-var", "plugin", plugin]
    done = alone.start(command, folder)
    assert done.returncode
    assert f"solver auto needs {tmp_path}/alone/{MODULE}" in done.stdout + done.stderr, done.stdout + done.stderr


def test_found_through_a_link(host, tmp_path) -> None:
    """Beside the file that a link names, and where the plugin was when it was loaded."""
    folder = tmp_path / "linked"
    (folder / "below").mkdir(parents=True)
    (folder / "linked.so").symlink_to(Path(host[1]).resolve())
    lammps = Lammps(tmp_path, host[0], "./linked.so", host[2])
    lammps("shell cd below\n" + scene(bodies=bodies(9)), where="linked")
