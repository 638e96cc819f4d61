#!/usr/bin/python3
"""Figures 29-31 of the 2021 paper: active contacts, kinetic energy and time steps of the collapse of tetrapods."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import collapse  # noqa: E402

if __name__ == "__main__":
    collapse.report(HERE)
    collapse.check(HERE)
