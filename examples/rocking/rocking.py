"""A slender rigid block that rocks from one lower edge to the other: equations of Housner (1963), angles not small.

Angles are positive to the right, and of the slender block's diagonal; time is in seconds, lengths in metres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

GRAVITY = 9.81
LENGTHS = (2.0, 3.0, 4.0, 6.0, 8.0)  # of a half sine, times p


@dataclass
class Block:
    """A block; the fields are variables of in.rocking."""

    width: float = 0.1
    height: float = 1.0

    def __post_init__(self) -> None:
        self.slender = math.atan(self.width / self.height)
        radius = 0.5 * math.hypot(self.width, self.height)
        self.rate = math.sqrt(3 * GRAVITY / (4 * radius))  # p
        self.left = 1 - 1.5 * math.sin(self.slender) ** 2  # of the angular velocity after an impact

    def quarter_period(self, tilt: float) -> float:
        """Time from rest at an angle, over that of the diagonal, to the landing; Housner's eq. (5)."""
        return math.acosh(1 / (1 - tilt)) / self.rate

    def acceleration(self, angle: float, push: float) -> float:
        """Angular acceleration about the edge on which the block stands, push: of the block, over g."""
        side = 1.0 if angle > 0 else -1.0
        to_edge = self.slender - abs(angle)
        return self.rate**2 * (-side * math.sin(to_edge) + push * math.cos(to_edge))

    def overturns(self, push: float, last: float, step: float = 1e-4) -> bool:
        """Whether a half sine of push times g overturns a block that stands; the middle of each step by Euler's method."""
        angle = speed = time = 0.0
        while abs(angle) < 0.5 * math.pi:
            now = push * math.sin(math.pi * time / last) if time < last else 0.0
            if angle == 0.0 and speed == 0.0 and now <= math.tan(self.slender):
                if time >= last:
                    return False
            else:
                a = self.acceleration(angle or 1e-300, now)
                half = angle + 0.5 * step * speed
                a = self.acceleration(half or 1e-300, now) if half else a
                speed, before, angle = speed + step * a, angle, angle + step * speed + 0.5 * step**2 * a
                if before * angle < 0:
                    speed *= self.left
                energy = 0.5 * speed**2 + self.rate**2 * (math.cos(self.slender - abs(angle)) - 1)
                if time > last and energy < 0 and abs(angle) < self.slender:
                    return False  # it cannot get over the edge any more
            time += step
        return True

    def least_push(self, last: float) -> float:
        """The least half sine, over g, that overturns the block; by bisection."""
        low, high = math.tan(self.slender), 100 * self.slender
        while high - low > 1e-4 * low:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.overturns(middle, last) else (middle, high)
        return 0.5 * (low + high)
