"""Shared by the benches: runs of LAMMPS, `name = value unit` lines, results as CSV."""

from __future__ import annotations

import argparse
import csv
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "tests" / "lammps"), str(ROOT / "tests" / "scenes")]
import common  # noqa: E402

RESULTS = Path(__file__).resolve().parent / "results"


def environment() -> None:
    """LMP, PLUGIN and BUILD from cmake/setup.sh unless they are set; one thread for each process."""
    if not {"LMP", "PLUGIN", "BUILD"} <= set(os.environ):
        text = subprocess.run(["bash", ROOT / "cmake" / "setup.sh", "--print-env"], check=True,
                              capture_output=True, text=True).stdout
        os.environ |= dict(w.split("=", 1) for w in shlex.split(text) if "=" in w)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def cache(name: str) -> Path:
    """Folder in the build folder for files that are kept from one bench to the next."""
    folder = Path(os.environ["BUILD"]) / "bench" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass
class Run:
    """What one run of LAMMPS took and printed; one entry for each run command."""

    folder: Path
    tables: list[common.Table]
    wall: list[float]  # s
    cpu: list[float]  # s, the mean of the processes
    memory: float  # kB, the largest of the processes

    def intersections(self, dump: str = "dump", planes: Sequence[tuple] = ()) -> tuple[int, int]:
        """Intersecting pairs and frames, by the independent check."""
        command = [f"{os.environ['BUILD']}/intersect", "--shapes", "shapes.txt"]
        for plane in planes:
            command += ["--plane", *map(str, plane)]
        done = subprocess.run([*command, dump], cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        values = dict(re.findall(r"^(\w+) = (\S+)", done.stdout, re.MULTILINE))
        return int(values["intersections"]), int(values["frames"])


def lammps(script: str, folder: Path, ranks: int = 1, plugin: bool = True, wrap: Sequence[str] = (),
           arguments: Sequence[str] = ()) -> Run:
    """Runs a script, with the plugin loaded first. Ends the bench with LAMMPS's message on an error.

    wrap: words before the command, as a profiler has them; arguments: words after it.
    """
    load = f"plugin load {os.environ['PLUGIN']}\n" if plugin else ""
    (folder / "in").write_text(f"{load}{script}\n")
    launch = ["mpirun", "--oversubscribe", "-np", str(ranks)] if ranks > 1 else []
    command = [*wrap, *launch, os.environ["LMP"], "-in", "in", "-log", "log", "-screen", "none", *arguments]
    with (folder / "screen").open("w") as screen:
        process = subprocess.Popen(command, cwd=folder, stdout=screen, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    log = (folder / "log").read_text(errors="replace") if (folder / "log").exists() else ""
    if status or "Total wall time" not in log:
        sys.exit(f"LAMMPS failed in {folder}:\n{log[-1500:]}{(folder / 'screen').read_text()[-1500:]}")
    wall = [float(w) for w in re.findall(r"^Loop time of (\S+)", log, re.MULTILINE)]
    use = [float(w) for w in re.findall(r"^(\S+)% CPU use", log, re.MULTILINE)]
    return Run(folder, common.read_thermo(folder / "log"), wall, [w * u / 100 for w, u in zip(wall, use)],
               usage.ru_maxrss)


@dataclass
class Report:
    """Figures of one bench: printed as they come, saved as results/NAME.csv on request."""

    name: str
    rows: list[tuple[str, float, str]] = field(default_factory=list)

    def value(self, name: str, value: float, unit: str = "") -> None:
        print(f"{name} = {value:.6g} {unit}".rstrip(), flush=True)
        self.rows.append((name, value, unit))

    def save(self) -> None:
        """name,value,unit rows, the machine first."""
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / f"{self.name}.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["name", "value", "unit"])
            writer.writerow(["machine", processor(), ""])
            writer.writerow(["cores", os.cpu_count(), ""])
            writer.writerow(["load", f"{os.getloadavg()[1]:.1f}", "processes in the last 5 minutes"])
            writer.writerows([(n, f"{v:.6g}", u) for n, v, u in self.rows])


def processor() -> str:
    """Name of the processor."""
    return re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()).group(1)


def parser(text: str) -> argparse.ArgumentParser:
    """Command line with --save; text: the bench's docstring."""
    made = argparse.ArgumentParser(description=text.strip().splitlines()[0])
    made.add_argument("--save", action="store_true", help="write tests/bench/results/NAME.csv")
    return made


def rates(table: common.Table, begin: int = 0) -> dict[str, float]:
    """Substeps and Newton iterations per simulated second and the mean substep, from row `begin` on."""
    seconds = table["Time"][-1] - table["Time"][begin]
    substeps, newton, rejected = (table[f"f_motion[{n}]"][-1] - table[f"f_motion[{n}]"][begin] for n in (1, 2, 3))
    return {"mean_substep": seconds / substeps, "newton_per_sim_second": newton / seconds,
            "rejected_per_sim_second": rejected / seconds}
