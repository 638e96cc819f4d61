# SPDX-License-Identifier: MIT
"""Bodies in their places: poses, and surfaces in the axes of the simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .output import Frame
from .shapes import Shape

QUATERNION = ("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")


@dataclass(frozen=True)
class Bodies:
    """Rigid bodies at one instant, in the order of their IDs."""

    id: np.ndarray  # (n,)
    type: np.ndarray  # (n,)
    x: np.ndarray  # (n, 3): centres of mass
    quaternion: np.ndarray  # (n, 4): w, i, j, k, from principal axes to the simulation's
    shapes: Mapping[int, Shape]  # by type

    def __post_init__(self) -> None:
        missing = sorted(set(np.unique(self.type).tolist()) - set(self.shapes))
        if missing:
            raise ValueError(f"no shape is known for the atom types {missing}")

    def __len__(self) -> int:
        return len(self.id)

    @staticmethod
    def of_frame(frame: Frame, shapes: Mapping[int, Shape], quaternion: Sequence[str] = QUATERNION) -> Bodies:
        """From a frame of a dump with id, type, x, y, z and the four columns of quaternions."""
        return Bodies(frame.columns["id"], frame.columns["type"], frame.vectors("x", "y", "z"),
                      frame.vectors(*quaternion), shapes)

    def rotations(self) -> np.ndarray:
        """(n, 3, 3): matrices from principal axes to the simulation's."""
        w, i, j, k = (self.quaternion / np.linalg.norm(self.quaternion, axis=1, keepdims=True)).T
        rows = [[1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
                [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
                [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)]]
        return np.moveaxis(np.array(rows).reshape(3, 3, len(self)), 2, 0)

    def vertices(self, index: int) -> np.ndarray:
        """(nv, 3): vertices of the body number index (from 0) in the simulation's axes; of a rounded one those that its
        radius is about."""
        shape = self.shapes[int(self.type[index])]
        return self.x[index] + shape.vertices @ self.rotations()[index].T

    def surfaces(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All bodies as one surface: vertices (nv, 3), triangles (nt, 3), index of each triangle's body (nt,). Of rounded
        ones that of `Shape.surface()`."""
        rotation = self.rotations()
        surface = {int(t): self.shapes[int(t)].surface() for t in np.unique(self.type)}
        vertices, triangles, owner, room = [], [], [], 0
        for n in range(len(self)):
            points, faces = surface[int(self.type[n])]
            vertices.append(self.x[n] + points @ rotation[n].T)
            triangles.append(faces + room)
            owner.append(np.full(len(faces), n))
            room += len(points)
        if not vertices:
            return np.zeros((0, 3)), np.zeros((0, 3), dtype=int), np.zeros(0, dtype=int)
        return np.concatenate(vertices), np.concatenate(triangles), np.concatenate(owner)

    def volume(self) -> float:
        """Sum of the bodies' volumes."""
        return float(sum(self.shapes[int(t)].volume for t in self.type))
