# SPDX-License-Identifier: MIT
"""Bodies, contacts and shapes of the polyhedra plugin for LAMMPS as numpy arrays.

Of a run in this process (`live`), of dumps and log files (`output`), of shape files (`shapes`).
"""

from .bodies import Bodies
from .contacts import COLUMNS, Contacts, read_contacts
from .live import bodies, contacts
from .output import Frame, Table, join, read_columns, read_dump, read_thermo
from .shapes import Shape, read_shapes

__all__ = [
    "COLUMNS", "Bodies", "Contacts", "Frame", "Shape", "Table", "bodies", "contacts", "join", "read_columns",
    "read_contacts", "read_dump", "read_shapes", "read_thermo",
]
__version__ = "0.1.0"
