"""Runs of a real `lmp` with the plugin, for the tests in this folder.

LMP, PLUGIN and BUILD (the binary, the plugin, the build folder with the intersection check) come
from the environment: tests/run sets them, or `eval "$(bash cmake/setup.sh --print-env)"`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
# tests that compare schemes have one law for all of them
SCHEMES_COMPARED = "restitution acts with scheme em"
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "scenes"), str(ROOT / "examples"), str(ROOT / "examples" / "shapes")]
from common import Frame, Table, join, read_dump, read_thermo  # noqa: E402

# LAMMPS's own warnings that say nothing about the plugin
HARMLESS = (
    "Proc sub-domain size < neighbor skin",  # tiny boxes on several processes
    "Restart file used different",
    "No fixes with time integration",  # newer hosts, of scenes at rest
    "Overriding built-in command style create_polyhedra from plugin",  # newer hosts, when a script loads it again after clear
)


CORES = os.sched_getaffinity(0)  # before a worker keeps to one of them


def pytest_configure() -> None:
    """All processes of the tests of a worker of pytest-xdist run on one core, another one for each worker: those of one test
    wait for each other by looking again and again, and would take the cores of other tests and be held up by these."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker:
        os.sched_setaffinity(0, {sorted(CORES)[int(worker.removeprefix("gw")) % len(CORES)]})


@dataclass
class Result:
    """What one run left behind."""

    dir: Path
    status: int
    text: str  # screen and log file
    warnings: list[str]

    @property
    def error(self) -> str:
        """First error message."""
        found = re.search(r"^ERROR.*(?:\n(?!Last|\n).*)?", self.text, re.MULTILINE)
        return found.group(0) if found else ""

    def tables(self) -> list[Table]:
        """Thermodynamic output, one table per run."""
        return read_thermo(self.dir / "log.lammps")

    def thermo(self) -> Table:
        """Thermodynamic output of all runs."""
        return join(self.tables())

    def frames(self, name: str = "dump") -> list[Frame]:
        """Frames of a text dump."""
        return list(read_dump(self.dir / name))


class Lammps:
    """Starts lmp in a folder of the test's own."""

    limit = 300.0  # seconds: a run that hangs; a busy machine may take long

    def __init__(self, folder: Path, lmp: str, plugin: str, build: Path) -> None:
        self.dir, self.lmp, self.plugin, self.build = folder, lmp, plugin, build
        self.runs = 0

    def __call__(
        self,
        script: str,
        ranks: int = 1,
        fail: str = "",
        warn: str = "",
        may_warn: str = "",
        where: str = "",
        files: dict[str, str | bytes] | None = None,
    ) -> Result:
        """Run a script. `fail`: pattern of the error it must stop with; `warn`: pattern of the
        warnings it must give, `may_warn`: of those it may give; anything else is an error of the
        test. `where`: subfolder to run in
        (with the files of an earlier run), else a new one; `files`: put there before."""
        self.runs += 1
        folder = self.dir / (where or f"run{self.runs}")
        folder.mkdir(exist_ok=True)
        (folder / "in.test").write_text(f"plugin load {self.plugin}\n{script}\n")
        for name, content in (files or {}).items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        command = [self.lmp, "-in", "in.test", "-log", "log.lammps"]
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "-np", str(ranks), *command]
        done = self.start(command, folder)
        if "MPI_INIT" in done.stdout + done.stderr and "LAMMPS (" not in done.stdout:
            done = self.start(command, folder)  # MPI itself did not start, as happens on a busy machine
        log = folder / "log.lammps"
        text = done.stdout + done.stderr + (log.read_text(errors="replace") if log.exists() else "")
        warnings = sorted(set(re.findall(r"^WARNING: (.*)", text, re.MULTILINE)))
        warnings = [w for w in warnings if not w.startswith(HARMLESS)]
        result = Result(folder, done.returncode, text, warnings)
        self.judge(result, fail, warn, may_warn)
        return result

    def start(self, command: list[str], folder: Path) -> subprocess.CompletedProcess:
        return subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=self.limit,
            env=environment(),
        )

    @staticmethod
    def judge(result: Result, fail: str, warn: str, may_warn: str = "") -> None:
        tail = "\n".join(result.text.splitlines()[-30:])
        crash = re.search(r"signal|segmentation|terminate called|PETSC ERROR", result.text, re.I)
        assert not crash, f"crash: {tail}"
        if fail:
            assert result.status, f"no error, expected {fail!r}: {tail}"
            assert re.search(fail, result.error), f"expected {fail!r}, got {result.error!r}"
            print(f"error = {result.error.splitlines()[0]}")
        else:
            assert result.status == 0, tail
        if warn:
            assert any(re.search(warn, w) for w in result.warnings), f"no warning {warn!r}: {tail}"
            print(f"warning = {result.warnings[0]}")
        known = [p for p in (warn, may_warn, SCHEMES_COMPARED) if p]
        unexpected = [w for w in result.warnings if not any(re.search(p, w) for p in known)]
        assert fail or not unexpected, f"unexpected warnings {unexpected}"

    def intersections(self, result: Result, dump: str = "dump", *planes: str) -> int:
        """Intersecting pairs in all frames of a dump, by the independent check. The run has to have
        written shapes.txt; planes as "x y z nx ny nz"."""
        command = [str(self.build / "intersect"), "--shapes", "shapes.txt"]
        for plane in planes:
            command += ["--plane", *plane.split()]
        done = subprocess.run([*command, dump], cwd=result.dir, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        values = dict(re.findall(r"^(\w+) = (\S+)", done.stdout, re.MULTILINE))
        assert int(values["frames"]) > 0
        return int(values["intersections"])


def environment() -> dict[str, str]:
    """One thread per process, and of BLAS where nothing else is said; Open MPI as root, and started quickly."""
    return os.environ | {
        "OMPI_MCA_ess_singleton_isolated": "1",
        "OMPI_MCA_pml": "ob1",
        "OMPI_MCA_btl": "self,vader",
        "OMPI_MCA_mtl": "^ofi",
        "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1"),
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "passive",  # the machine may be busy
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


@pytest.fixture(scope="session")
def host() -> tuple[str, str, Path]:
    """Binary, plugin, build folder."""
    names = ("LMP", "PLUGIN", "BUILD")
    missing = [n for n in names if not os.environ.get(n)]
    if missing:
        pytest.skip(
            f"{', '.join(missing)} not set: use tests/run, or "
            'eval "$(bash cmake/setup.sh --print-env)" and export them'
        )
    for name in names:
        if not Path(os.environ[name]).exists():
            pytest.fail(f"{name}={os.environ[name]} does not exist: run cmake/setup.sh")
    lmp, plugin, build = (os.environ[n] for n in names)
    return lmp, plugin, Path(build)


@pytest.fixture
def lammps(host: tuple[str, str, Path], tmp_path: Path) -> Lammps:
    """A function that runs a script: lammps(script, ranks=1, fail="", warn="")."""
    return Lammps(tmp_path, *host)


@pytest.fixture(scope="session")
def version(host: tuple[str, str, Path]) -> int:
    """Date of the host as YYYYMMDD."""
    text = subprocess.run([host[0], "-h"], capture_output=True, text=True, env=environment()).stdout
    day, month, year = re.search(r"Simulator - (\d+) (\w{3})\w* (\d+)", text).groups()
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    return int(year) * 10000 + (months.index(month) + 1) * 100 + int(day)


def show(**values: float) -> None:
    """Measured figures, for the report (pytest -rP)."""
    for name, value in values.items():
        print(
            f"{name} = {value:.6g}"
            if isinstance(value, (float, np.floating))
            else f"{name} = {value}"
        )
