"""Ten thousand poses of each pair of shapes: the contact energy is never far below that of the smallest distance."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

POSES = 10000


def test_barrier() -> None:
    done = subprocess.run([Path(os.environ["BUILD"]) / "test_barrier", str(POSES)], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
