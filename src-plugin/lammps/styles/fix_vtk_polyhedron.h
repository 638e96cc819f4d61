/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix vtk/polyhedron: bodies, contacts, force chains and walls in VTK files. */
#ifndef LMP_FIX_VTK_POLYHEDRON_H
#define LMP_FIX_VTK_POLYHEDRON_H

#include "lammps/bridge/vtk_pictures.h"
#include "lammps/bridge/vtk_series.h"
#include "lammps/options/options.h"

#include <memory>

namespace LAMMPS_NS
{

class FixVtkPolyhedron : public Fix
{
public:
  FixVtkPolyhedron(class LAMMPS *, int, char **);
  int setmask() override;
  void init() override;
  void setup(int) override;
  void end_of_step() override;

private:
  std::string before, after; /* the name of the files round its star */
  bool with_contacts, with_walls, binary, append;
  std::unique_ptr<ContactView> contacts;
  std::vector<ShapeOfType> shapes;
  std::vector<WallSet *> walls;
  bool started;        /* the series */
  bigint last_written; /* step */

  void set(const Options::Given &given);
  void take_name(const std::string &name);
  VtkSeries series(const char *part) const;
  std::vector<const char *> parts() const;
  void start_series();
  void write();
  void write_part(const char *part, const VtkFile &picture) const;
  BodyRow body_row(int i) const;
  ContactRow contact_row(const pd_contact_pair *pair, const pd_contact &c) const;
  void take_state(std::vector<BodyRow> *bodies, std::vector<ContactRow> *points);
  VtkFile wall_picture() const;
};

} // namespace LAMMPS_NS

#endif
