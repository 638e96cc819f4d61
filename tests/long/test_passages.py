"""Ten thousand random sweeps of needles, plates and cubes, by each scheme: nothing passes through anything."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def test_passages() -> None:
    done = subprocess.run([Path(os.environ["BUILD"]) / "test_passage", "10000"], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
