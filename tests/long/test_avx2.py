"""A plugin with AVX2 instructions computes the same bits as one without (cmake/avx2.cmake)."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_same_bits(tmp_path: Path) -> None:
    """All scenes of tests/bits, by this build and by one with the other choice."""
    cache = (Path(os.environ["BUILD"]) / "CMakeCache.txt").read_text()
    names = "LAMMPS_SOURCE_DIR|LAMMPS_BUILD_DIR|LAMMPS_SIZES|POLYHEDRA_KOKKOS|Kokkos_ROOT"
    same = [f"-D{name}={value}" for name, value in re.findall(rf"^({names}):\w+=(.*)$", cache, re.M)]
    if "-mavx2" not in (Path(os.environ["BUILD"]) / "compile_commands.json").read_text():
        pytest.skip("this build has no AVX2")
    subprocess.run(["cmake", "-S", ROOT / "cmake", "-B", tmp_path, *same, "-DPOLYHEDRA_AVX2=off", "-DPOLYHEDRA_TESTS=OFF"], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", tmp_path, "-j", "2"], check=True, capture_output=True)
    commands = (tmp_path / "compile_commands.json").read_text()
    assert "polyhedra_core" in commands and "-mavx2" not in commands
    done = subprocess.run([ROOT / "tests/bits/run", tmp_path / "polyhedraplugin.so", os.environ["PLUGIN"]], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0
    assert re.search(r"^different = 0$", done.stdout, re.M) and int(re.search(r"^scenes = (\d+)$", done.stdout, re.M).group(1)) > 20
