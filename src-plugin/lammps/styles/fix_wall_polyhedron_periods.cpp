/* SPDX-License-Identifier: GPL-2.0-or-later
 * Surfaces of fix wall/polyhedron that go on over periodic boundaries, and that move along them. */
#include "lammps/styles/fix_wall_polyhedron.h"

#include "update.h"

using namespace LAMMPS_NS;

bool FixWallPolyhedron::goes_on(int k) const
{
  for (const Made &m : made)
    if (m.periods.along(k)) return true;
  return false;
}

/* whether a turn leaves the edges over which a surface goes on */
static bool leaves(pd_quat turn, const SurfacePeriods &periods)
{
  const pd_mat3 q = pd_q_matrix(turn);
  for (const pd_vec3 &step : periods.step)
    if (pd_norm(pd_sub(pd_mv(q, step), step)) > 1.0e-9 * pd_norm(step)) return false;
  return true;
}

void FixWallPolyhedron::refuse(const pd_wall &w, const std::string &fault)
{
  error->all(FLERR, fmt::format("Fix wall/polyhedron {}: surface {} goes on over a periodic "
                                "boundary at which it ends: {}",
                                id, index_of(w) + 1, fault));
}

void FixWallPolyhedron::check_periods()
{
  for (const pd_wall &w : walls()) {
    const std::string fault = fault_of_cell(lmp, periods(w));
    if (!fault.empty()) refuse(w, fault);
  }
}

/* others of the fix, too, must look the same from there */
void FixWallPolyhedron::check_others(int k)
{
  for (const pd_wall &w : walls()) {
    const pd_vec3 edge = pd_v(k == 0, k == 1, k == 2); /* of a cell that no plane is tilted to */
    const bool same = w.kind == PD_PLANE ? pd_dot(w.normal, edge) == 0.0 : periods(w).along(k);
    if (!same)
      error->all(FLERR, fmt::format("Fix wall/polyhedron {}: wall {} has gone along the periodic "
                                    "boundary {} with a surface that goes on there, and does not: "
                                    "use a fix of its own for it",
                                    id, index_of(w) + 1, "xyz"[k]));
  }
}

/* Walls that have gone by more than half an edge of the cell are put back by one at the next list
 * of neighbours, which is to be made now: at the same step in a run from a restart file. */
void FixWallPolyhedron::look_for_way_back()
{
  back = pd_v(0.0, 0.0, 0.0);
  if (!force_reneighbor) return;
  for (const pd_wall &w : walls())
    if (!leaves(w.q, periods(w)))
      refuse(w, "it cannot turn but about the edge of the cell over which it goes on");
  const pd_wall &first = walls().front();
  const std::array<int, 3> gone = edges_gone(domain, pd_sub(first.x, origin.front()));
  for (int k = 0; k < 3; k++) {
    if (gone[k] == 0 || !goes_on(k)) continue;
    check_others(k);
    for (const Made &m : made)
      if (m.periods.along(k)) {
        back = pd_axpy(back, -gone[k], m.periods.step[k]);
        break;
      }
  }
  if (pd_norm2(back) > 0.0) next_reneighbor = update->ntimestep;
}

/* not at lists that are made in the middle of a step */
void FixWallPolyhedron::pre_exchange()
{
  if (next_reneighbor != update->ntimestep) return;
  if (freedom_.any())
    freedom_.displace(back);
  else
    moving.displace(back);
  back = pd_v(0.0, 0.0, 0.0);
}
