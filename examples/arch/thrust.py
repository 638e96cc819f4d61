"""Least thickness of a semicircular arch of stones that do not slide: the thinnest that holds a line of thrust."""

from __future__ import annotations

import math

import numpy as np

MILANKOVITCH = 0.1075  # thickness over mean radius of the arch of infinitely many stones (1907)


def slack(thickness: float, stones: int) -> tuple[float, np.ndarray]:
    """Room that the best line of thrust leaves between two edges, as a moment; mean radius and specific weight are 1.
    And the joints at whose edges it passes.

    Stones have flat sides between radial joints. The right springing bears half of the weight, a thrust h and a moment m about
    the centre. In joint k the resultant passes between both edges if m lies between two linear functions of h.
    """
    inner, outer = 1 - thickness / 2, 1 + thickness / 2
    angle = math.pi * np.arange(stones + 1) / stones
    half = 0.5 * math.pi / stones
    weight = 0.5 * (outer**2 - inner**2) * math.sin(2 * half)
    # centroid of the trapezium: that of the outer triangle less the inner one
    radius = 2 / 3 * (outer**3 - inner**3) / (outer**2 - inner**2) * math.cos(half)
    place = radius * np.cos(angle[:-1] + half)
    above = weight * (stones / 2 - np.arange(stones + 1))  # vertical force in a joint
    moment = weight * np.concatenate([[0.0], np.cumsum(place)])

    def bounds(h: float) -> tuple[np.ndarray, np.ndarray]:
        normal = above * np.cos(angle) + h * np.sin(angle)
        return inner * normal + moment, outer * normal + moment

    def room(h: float) -> float:
        low, high = bounds(h)
        return float(high.min() - low.max())

    low, high = 0.0, weight * stones
    for _ in range(100):  # concave in h
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if room(a) > room(b) else (a, high)
    least, most = bounds(low)
    near = 1e-6 * (outer - inner) * weight * stones
    return room(low), (least > least.max() - near) | (most < most.min() + near)


def least_thickness(stones: int) -> float:
    """Thickness over mean radius at which one line of thrust is left."""
    low, high = 0.02, 0.5
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if slack(middle, stones)[0] > 0 else (middle, high)
    return 0.5 * (low + high)


def hinges(stones: int) -> np.ndarray:
    """Angles from the right springing, in degrees, of the joints that open at the least thickness."""
    return 180 / stones * np.flatnonzero(slack(least_thickness(stones), stones)[1])
