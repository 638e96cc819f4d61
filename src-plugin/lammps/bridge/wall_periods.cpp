/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/wall_periods.h"

#include "lammps/host/cell_width.h"

#include "geometry/repeat.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---- surfaces that go on ---- */

static pd_vec3 edge_of(const Domain *cell, int k)
{
  const double *h = cell->h;
  const pd_vec3 edge[3] = {pd_v(h[0], 0.0, 0.0), pd_v(h[5], h[1], 0.0), pd_v(h[4], h[3], h[2])};
  return edge[k];
}

static pd_period period_of(const Domain *cell, int k, double weld)
{
  const pd_vec3 normal = cell_normal(cell, k);
  return {edge_of(cell, k), normal, pd_dot(normal, pd_v_load(cell->boxlo)), weld};
}

SurfacePeriods LAMMPS_NS::repeat_surface(LAMMPS *lmp, const char *who, pd_mesh *mesh, double weld)
{
  const Domain *cell = lmp->domain;
  SurfacePeriods periods;
  std::vector<pd_period> over;
  for (int k = 0; k < 3; k++) {
    const pd_period period = period_of(cell, k, weld);
    if (!cell->periodicity[k] || !pd_mesh_spans(mesh, &period)) continue;
    periods.step[k] = period.step;
    over.push_back(period);
  }
  pd_fault fault;
  pd_mesh_report report;
  if (over.empty() || pd_mesh_repair(mesh, weld, 0, &report, &fault)) return SurfacePeriods();
  for (const pd_period &p : over)
    if (report.borders == 0) pd_mesh_open_ends(mesh, &p);
  periods.own = mesh->nt;
  periods.dropped = report.dropped;
  periods.repeated = report.repeated;
  pd_status status = PD_OK;
  for (const pd_period &p : over)
    if (!status) status = pd_mesh_repeat(mesh, &p);
  stop_together(lmp, FLERR, status ? fmt::format("{}: {}", who, pd_strerror(status)) : "");
  return periods;
}

/* what edge k of the cell depends on */
static int changes_of_edge(int k)
{
  const int changes[3] = {Fix::BOX_CHANGE_X, Fix::BOX_CHANGE_Y | Fix::BOX_CHANGE_XY,
                          Fix::BOX_CHANGE_Z | Fix::BOX_CHANGE_XZ | Fix::BOX_CHANGE_YZ};
  return changes[k];
}

static std::string who_changes(const Modify *modify, int k)
{
  for (int i = 0; i < modify->nfix; i++) {
    const Fix *fix = modify->fix[i];
    if (fix->box_change & changes_of_edge(k)) return fmt::format("fix {} {}", fix->id, fix->style);
  }
  return "";
}

std::string LAMMPS_NS::fault_of_cell(LAMMPS *lmp, const SurfacePeriods &periods)
{
  const Domain *cell = lmp->domain;
  for (int k = 0; k < 3; k++) {
    if (!periods.along(k)) continue;
    const pd_vec3 now = edge_of(cell, k), off = pd_sub(now, periods.step[k]);
    const bool same = cell->periodicity[k] && pd_norm(off) <= 1.0e-12 * pd_norm(now);
    if (!same) return "the cell has changed since: define the fix anew";
    const std::string fix = who_changes(lmp->modify, k);
    if (!fix.empty()) return fmt::format("{} changes this edge of the cell", fix);
  }
  return "";
}

std::array<int, 3> LAMMPS_NS::edges_gone(const Domain *cell, pd_vec3 displacement)
{
  std::array<int, 3> by = {};
  for (int k = 0; k < 3; k++) by[k] = (int)std::lround(pd_dot(cell_normal(cell, k), displacement));
  return by;
}

/* ---- their vertices and edges ---- */

/* how far copies are from each other but for rounding, over the distance by which they are copies
 */
static const double SAME_PLACE = 1.0e-5;

static pd_vec3 shift_of(const SurfacePeriods &periods, std::array<int, 3> by)
{
  pd_vec3 shift = pd_v(0.0, 0.0, 0.0);
  for (int k = 0; k < 3; k++) shift = pd_axpy(shift, by[k], periods.step[k]);
  return shift;
}

static bool is_at(pd_vec3 x, pd_vec3 place, double near2)
{
  return pd_norm2(pd_sub(x, place)) <= near2;
}

int LAMMPS_NS::copy_of_vertex(const pd_shape *s, const SurfacePeriods &periods, int vertex,
                              std::array<int, 3> by)
{
  const pd_vec3 shift = shift_of(periods, by), place = pd_add(s->v[vertex], shift);
  const double near2 = SAME_PLACE * SAME_PLACE * pd_norm2(shift);
  for (int i = 0; i < s->nv; i++)
    if (is_at(s->v[i], place, near2)) return i;
  return -1;
}

int LAMMPS_NS::copy_of_edge(const pd_shape *s, const SurfacePeriods &periods, int edge,
                            std::array<int, 3> by)
{
  const pd_vec3 shift = shift_of(periods, by);
  const double near2 = SAME_PLACE * SAME_PLACE * pd_norm2(shift);
  const pd_vec3 p = pd_add(s->v[s->e[edge].v[0]], shift), q = pd_add(s->v[s->e[edge].v[1]], shift);
  for (int i = 0; i < s->ne; i++) {
    const pd_vec3 a = s->v[s->e[i].v[0]], b = s->v[s->e[i].v[1]];
    if ((is_at(a, p, near2) && is_at(b, q, near2)) || (is_at(a, q, near2) && is_at(b, p, near2)))
      return i;
  }
  return -1;
}

/* ---- others ---- */

/* where a surface begins and ends along axis k, from 0 to 1 in the cell */
static void extent(Domain *cell, const pd_wall &w, int k, double *lo, double *hi)
{
  const pd_mat3 turn = pd_q_matrix(w.q);
  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (int i = 0; i < w.shape->nv; i++) {
    const pd_vec3 at = pd_add(w.x, pd_mv(turn, w.shape->v[i]));
    double x[3] = {at.x, at.y, at.z}, fraction[3];
    cell->x2lamda(x, fraction);
    *lo = std::min(*lo, fraction[k]);
    *hi = std::max(*hi, fraction[k]);
  }
}

static bool ends_near(Domain *cell, const pd_wall &w, int k, double reach)
{
  const double near = reach / cell_width(cell, k);
  double lo, hi;
  extent(cell, w, k, &lo, &hi);
  return std::fabs(lo) < near || std::fabs(hi - 1.0) < near;
}

void LAMMPS_NS::warn_of_borders(LAMMPS *lmp, const std::string &who,
                                const std::vector<pd_wall> &walls, double reach)
{
  Domain *cell = lmp->domain;
  for (size_t n = 0; n < walls.size() && lmp->comm->me == 0; n++)
    for (int k = 0; k < 3; k++)
      if (cell->periodicity[k] && walls[n].kind == PD_SURFACE &&
          ends_near(cell, walls[n], k, reach))
        lmp->error->warning(
            FLERR, fmt::format("{}: surface {} ends near the periodic boundary {}, where it is not "
                               "repeated: what crosses may come into the wall; let it end at both "
                               "boundaries when the fix is defined, where it goes on, or {:.3g} "
                               "before",
                               who, n + 1, "xyz"[k], reach));
}
