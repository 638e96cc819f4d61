/* SPDX-License-Identifier: GPL-2.0-or-later
 * A series of VTK files in time (.pvd). */
#ifndef POLYHEDRA_VTK_SERIES_H
#define POLYHEDRA_VTK_SERIES_H

#include <string>
#include <vector>

namespace LAMMPS_NS
{

/* Files with their times, in the folder of the series. All throw LocalError. */
class VtkSeries
{
public:
  explicit VtkSeries(const std::string &path) : path(path) {}

  /* An empty series, or what there is of times before the given one. */
  void start();
  void go_on(double before);

  void add(double time, const std::string &file) const;

private:
  std::string path;

  void create(const std::vector<std::string> &entries) const;
};

} // namespace LAMMPS_NS

#endif
