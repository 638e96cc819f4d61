/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/shape_table.h"

#include <algorithm>

using namespace LAMMPS_NS;

std::vector<ShapeOfType> LAMMPS_NS::collect_shapes(LAMMPS *lmp)
{
  std::vector<ShapeOfType> all(lmp->atom->ntypes + 1, ShapeOfType());
  for (Fix *fix : Compat::fixes_of_style(lmp->modify, "polyhedron/shape")) {
    auto *shapes = dynamic_cast<ShapeSource *>(fix);
    for (int t = 1; shapes && t <= lmp->atom->ntypes; t++) {
      const ShapeOfType *s = shapes->of_type(t);
      if (!s) continue;
      if (all[t].shape)
        lmp->error->all(
            FLERR,
            fmt::format("Fix polyhedron/shape {} gives atom type {} a second shape", fix->id, t));
      all[t] = *s;
    }
  }
  return all;
}

void LAMMPS_NS::require_shape(LAMMPS *lmp, const std::string &who,
                              const std::vector<ShapeOfType> &table, int type)
{
  if (!table[type].shape)
    lmp->error->all(FLERR, fmt::format("{}: atom type {} has no shape: give it one with fix "
                                       "polyhedron/shape first",
                                       who, type));
}

double LAMMPS_NS::largest_radius(const std::vector<ShapeOfType> &table)
{
  double radius = 0.0;
  for (const ShapeOfType &s : table)
    if (s.shape) radius = std::max(radius, s.shape->radius);
  return radius;
}

double LAMMPS_NS::least_radius(const std::vector<ShapeOfType> &table)
{
  double least = DBL_MAX;
  for (const ShapeOfType &s : table)
    if (s.shape) least = fmin(least, s.shape->radius);
  return least < DBL_MAX ? least : 0.0;
}

/* the surface that a body has, or its core */
static void write_surface(FILE *fp, int t, const ShapeOfType &type)
{
  const pd_shape *s = type.shape;
  const bool own = type.simplify > 0.0;
  const int nv = own ? type.drawn->nv : s->nv, nt = own ? type.drawn->nt : s->nt;
  const pd_vec3 *v = own ? type.drawn->v : s->v;
  const int(*corners)[3] = own ? type.drawn->t : s->t;
  fprintf(fp, "shape %d %d %d", t, nv, nt);
  if (s->round > 0.0 && !own) fprintf(fp, " round %.17g", s->round);
  fprintf(fp, "\n");
  for (int i = 0; i < nv; i++) fprintf(fp, "%.17g %.17g %.17g\n", v[i].x, v[i].y, v[i].z);
  for (int i = 0; i < nt; i++)
    fprintf(fp, "%d %d %d\n", corners[i][0], corners[i][1], corners[i][2]);
}

void LAMMPS_NS::write_shapes(const char *path, const std::vector<ShapeOfType> &table)
{
  FILE *fp = fopen(path, "w");
  if (!fp) throw LocalError(fmt::format("Fix polyhedron/shape: cannot open {} for writing", path));
  for (int t = 1; t < (int)table.size(); t++)
    if (table[t].shape) write_surface(fp, t, table[t]);
  const bool failed = ferror(fp);
  if (fclose(fp) || failed)
    throw LocalError(
        fmt::format("Fix polyhedron/shape: writing {} failed, is the disk full?", path));
}
