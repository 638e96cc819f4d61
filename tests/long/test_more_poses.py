"""C tests at random poses with more of them than tests/run has time for."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest


@pytest.mark.parametrize("name, poses", [("test_barrier", 10000), ("test_pair", 60)])
def test_poses(name: str, poses: int) -> None:
    done = subprocess.run([Path(os.environ["BUILD"]) / name, str(poses)], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
