"""VTK files in XML as numpy arrays: .vtp with numbers in base 64 or as text, .pvd."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TYPES = {"Float64": "<f8", "Int64": "<i8"}


@dataclass
class PolyData:
    points: np.ndarray
    kind: str  # Verts, Lines or Polys
    cells: list[np.ndarray]  # numbers of points
    point: dict[str, np.ndarray]
    cell: dict[str, np.ndarray]


def values(array: xml.Element) -> np.ndarray:
    kind, text, width = TYPES[array.get("type")], array.text.strip(), int(array.get("NumberOfComponents"))
    if array.get("format") == "binary":
        raw = base64.b64decode(text, validate=True)
        assert int(np.frombuffer(raw[:8], "<u8")[0]) == len(raw) - 8
        flat = np.frombuffer(raw[8:], kind)
    else:
        flat = np.array(text.split(), dtype=kind)
    return flat.reshape(-1, width) if width > 1 else flat


def arrays(piece: xml.Element, place: str, count: int) -> dict[str, np.ndarray]:
    found = {a.get("Name"): values(a) for a in piece.find(place)}
    assert all(len(v) == count for v in found.values())
    return found


def read_vtp(path: Path) -> PolyData:
    root = xml.parse(path).getroot()
    assert root.attrib == {"type": "PolyData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}
    (piece,) = root.find("PolyData")
    count = {k: int(piece.get(f"NumberOf{k}")) for k in ("Points", "Verts", "Lines", "Strips", "Polys")}
    (kind,) = [k for k in ("Verts", "Lines", "Polys") if piece.find(k) is not None]
    ends = {a.get("Name"): values(a) for a in piece.find(kind)}
    assert sum(count.values()) == count["Points"] + count[kind] and len(ends["offsets"]) == count[kind]
    points = values(piece.find("Points")[0]).reshape(-1, 3)
    assert len(points) == count["Points"]
    cells = np.split(ends["connectivity"], ends["offsets"][:-1]) if count[kind] else []
    return PolyData(points, kind, cells, arrays(piece, "PointData", count["Points"]), arrays(piece, "CellData", count[kind]))


def read_pvd(path: Path) -> list[tuple[float, Path]]:
    root = xml.parse(path).getroot()
    assert root.get("type") == "Collection"
    return [(float(d.get("timestep")), path.parent / d.get("file")) for d in root.find("Collection")]
