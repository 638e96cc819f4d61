/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/shape_table.h"

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

void LAMMPS_NS::write_shapes(const char *path, const std::vector<ShapeOfType> &table)
{
  FILE *fp = fopen(path, "w");
  if (!fp) throw LocalError(fmt::format("Fix polyhedron/shape: cannot open {} for writing", path));
  for (int t = 1; t < (int)table.size(); t++) {
    const pd_shape *s = table[t].shape;
    if (!s) continue;
    fprintf(fp, "shape %d %d %d", t, s->nv, s->nt);
    if (s->round > 0.0) fprintf(fp, " round %.17g", s->round);
    fprintf(fp, "\n");
    for (int i = 0; i < s->nv; i++)
      fprintf(fp, "%.17g %.17g %.17g\n", s->v[i].x, s->v[i].y, s->v[i].z);
    for (int i = 0; i < s->nt; i++) fprintf(fp, "%d %d %d\n", s->t[i][0], s->t[i][1], s->t[i][2]);
  }
  const bool failed = ferror(fp);
  if (fclose(fp) || failed)
    throw LocalError(
        fmt::format("Fix polyhedron/shape: writing {} failed, is the disk full?", path));
}
