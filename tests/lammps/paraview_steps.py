"""The steps of the page for ParaView, by pvpython: opens the series named bodies, contacts, chains and walls in a folder,
tubes and arrows, a picture. Prints a number for each `name = value`.

    pvpython paraview_steps.py FOLDER PREFIX PICTURE
"""

from __future__ import annotations

import sys
from pathlib import Path

from paraview import servermanager
from paraview.simple import GetActiveViewOrCreate, Glyph, PVDReader, Render, SaveScreenshot, Show, Tube

folder, prefix, picture = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
view = GetActiveViewOrCreate("RenderView")
view.ViewSize = [400, 300]
part = {name: PVDReader(FileName=str(folder / f"{prefix}-{name}.pvd")) for name in ("bodies", "contacts", "chains", "walls")}
view.ViewTime = time = list(part["bodies"].TimestepValues)[-1]
print("steps =", len(part["bodies"].TimestepValues))
for name, reader in part.items():
    reader.UpdatePipeline(time)
    print(f"{name}_points =", reader.GetDataInformation().GetNumberOfPoints())
    print(f"{name}_cells =", reader.GetDataInformation().GetNumberOfCells())
Show(part["bodies"], view).Opacity = 0.3
Show(part["walls"], view).BackfaceRepresentation = "Cull Backface"
tube = Tube(Input=part["chains"], Scalars=["POINTS", "normal_force"], VaryRadius="By Scalar")
arrows = Glyph(Input=part["contacts"], GlyphType="Arrow", OrientationArray=["POINTS", "normal"], ScaleArray=["POINTS", "normal_force"])
for drawn in (tube, arrows):
    Show(drawn, view)
    drawn.UpdatePipeline(time)
print("tube_cells =", tube.GetDataInformation().GetNumberOfCells())
print("arrow_points =", arrows.GetDataInformation().GetNumberOfPoints())
contacts = servermanager.Fetch(part["contacts"]).GetPointData()
force, normal = contacts.GetArray("normal_force"), contacts.GetArray("normal")
total = [sum(force.GetValue(i) * normal.GetComponent(i, k) for i in range(force.GetNumberOfTuples())) for k in range(3)]
print("force_sum =", *(repr(x) for x in total))
Render(view)
SaveScreenshot(picture, view)
