"""A million damaged mesh files: refused, or surfaces that a caller can rely on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def test_damaged_meshes() -> None:
    done = subprocess.run([Path(os.environ["BUILD"]) / "test_mesh_fuzz", "1000000", "7"], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
