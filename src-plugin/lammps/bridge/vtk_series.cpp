/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/vtk_series.h"

#include "lammps/bridge/output_file.h"
#include "lammps/bridge/vtk_file.h"

#include <cstdlib>
#include <fstream>

using namespace LAMMPS_NS;

static const std::string END_OF_SERIES = "</Collection>\n</VTKFile>\n";

void VtkSeries::create(const std::vector<std::string> &entries) const
{
  OutputFile out(path, "w");
  out.put(start_of_vtk("Collection") + "<Collection>\n");
  for (const std::string &e : entries) out.put(e + "\n");
  out.put(END_OF_SERIES);
  out.close();
}

void VtkSeries::start() { create({}); }

void VtkSeries::go_on(double before)
{
  static const std::string entry = "<DataSet timestep=\"";
  std::ifstream old(path);
  if (!old) return start();
  std::string line, all;
  std::vector<std::string> kept;
  while (std::getline(old, line)) {
    all += line + "\n";
    if (line.compare(0, entry.size(), entry) != 0) continue;
    if (strtod(line.c_str() + entry.size(), nullptr) < before) kept.push_back(line);
  }
  const size_t size = END_OF_SERIES.size();
  if (all.size() < size || all.compare(all.size() - size, size, END_OF_SERIES) != 0)
    throw LocalError(fmt::format("{} is no series of VTK files that could be gone on with", path));
  create(kept);
}

static std::string escaped(const std::string &name)
{
  std::string text;
  for (char c : name)
    text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return text;
}

/* in place of the end, which follows again: what is on the disk is a whole series at any time */
void VtkSeries::add(double time, const std::string &file) const
{
  OutputFile out(path, "r+");
  out.seek_end(-(long)END_OF_SERIES.size());
  out.put(
      fmt::format("<DataSet timestep=\"{:.17g}\" part=\"0\" file=\"{}\"/>\n", time, escaped(file)) +
      END_OF_SERIES);
  out.close();
}
