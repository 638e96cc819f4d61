/* SPDX-License-Identifier: GPL-2.0-or-later
 * Files of the Visualization Toolkit (VTK) in XML: points with vertices, lines or polygons and data
 * on both (PolyData, .vtp). Free of LAMMPS but for its errors. */
#ifndef POLYHEDRA_VTK_FILE_H
#define POLYHEDRA_VTK_FILE_H

#include "base/vec3.h"

#include <cstdint>
#include <string>
#include <vector>

namespace LAMMPS_NS
{

class VtkFile
{
public:
  enum Cells { VERTS, LINES, POLYS };
  enum Values { REAL, INTEGER };

  /* Values of all points or all cells, width of each. */
  struct Array {
    std::string name;
    int width;
    Values kind;
    std::vector<double> values;

    void add(double x) { values.push_back(x); }
    void add(pd_vec3 v) { values.insert(values.end(), {v.x, v.y, v.z}); }
  };

  explicit VtkFile(Cells kind) : cells(kind) {}

  std::vector<Array> of_points, of_cells;

  /* returns its number */
  int64_t add_point(pd_vec3 x);
  int64_t count_points() const { return (int64_t)points.size() / 3; }
  pd_vec3 point(int64_t i) const { return pd_v_load(&points[3 * i]); }
  void add_cell(const std::vector<int64_t> &numbers_of_points);
  int64_t count_cells() const { return (int64_t)offsets.size(); }

  /* binary: numbers in base 64, else as text with 17 digits. Throws LocalError. */
  void write(const std::string &path, bool binary) const;

private:
  Cells cells;
  std::vector<double> points;
  std::vector<int64_t> connectivity, offsets;
};

/* first lines of a file of this type */
std::string start_of_vtk(const char *type);

} // namespace LAMMPS_NS

#endif
