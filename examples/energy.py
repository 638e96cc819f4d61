#!/usr/bin/python3
"""Largest rise of energy in a substep of fix implicit/polyhedron that no load or wall accounts for, as a part of
the energy that there is: `largest_energy_rise = value`.

    energy.py LOG ...

The thermo output must hold f_motion[24].
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common  # noqa: E402


def main() -> None:
    """Command line."""
    tables = [t for log in sys.argv[1:] for t in common.read_thermo(log)]
    common.summary(largest_energy_rise=max(float(t["f_motion[24]"].max()) for t in tables))


if __name__ == "__main__":
    main()
