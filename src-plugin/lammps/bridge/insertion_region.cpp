/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/insertion_region.h"

#include "lammps/host/regions.h"
#include "domain.h"
#include "region.h"

#include <cmath>

using namespace LAMMPS_NS;

/* points that the volume is counted by */
static constexpr int POINTS = 1 << 20;

void InsertionRegion::find(const std::string &name)
{
  id = name;
  region = Compat::region_by_id(domain, id);
  if (!region) error->all(FLERR, fmt::format("{}: there is no region {}", who, id));
  if (region->dynamic_check())
    error->all(FLERR,
               fmt::format("{}: region {} moves or turns: use one that is at rest", who, id));
  if (region->openflag)
    error->all(FLERR, fmt::format("{}: region {} has open faces, and no inside for the host: use "
                                  "one without",
                                  who, id));
}

void InsertionRegion::update()
{
  find(id); /* it may have been deleted */
  region->init();
  region->prematch();
  window = {pd_v_load(Compat::low_corner(domain)), pd_v_load(Compat::high_corner(domain))};
  if (!region->bboxflag) return;
  check_shrinking();
  window.lo = pd_max(window.lo, pd_v(region->extent_xlo, region->extent_ylo, region->extent_zlo));
  window.hi = pd_min(window.hi, pd_v(region->extent_xhi, region->extent_yhi, region->extent_zhi));
}

/* A boundary that follows the bodies would cut off what is above them. */
void InsertionRegion::check_shrinking() const
{
  const double from[3] = {region->extent_xlo, region->extent_ylo, region->extent_zlo};
  const double to[3] = {region->extent_xhi, region->extent_yhi, region->extent_zhi};
  enum { SHRINKS = 2 };
  static const double inf = 1e19; /* INF of the host means up to the box */
  for (int k = 0; k < 3; k++) {
    const bool low =
        domain->boundary[k][0] >= SHRINKS && from[k] > -inf && from[k] < domain->boxlo[k];
    const bool high = domain->boundary[k][1] >= SHRINKS && to[k] < inf && to[k] > domain->boxhi[k];
    if (low || high)
      error->all(FLERR, fmt::format("{}: region {} reaches beyond the boundary {}{}, which is "
                                    "shrink-wrapped and follows the bodies: use boundary f or m, "
                                    "and a box that holds the region",
                                    who, id, "xyz"[k], low ? "lo" : "hi"));
  }
}

bool InsertionRegion::contains(pd_vec3 x) const
{
  double at[3] = {x.x, x.y, x.z}, lamda[3];
  const double *lo = domain->boxlo, *hi = domain->boxhi;
  if (!region->match(at[0], at[1], at[2])) return false;
  if (domain->triclinic) {
    domain->x2lamda(at, lamda);
    lo = domain->boxlo_lamda;
    hi = domain->boxhi_lamda;
  }
  const double *c = domain->triclinic ? lamda : at;
  for (int k = 0; k < 3; k++)
    if (!(c[k] >= lo[k] && c[k] < hi[k])) return false;
  return true;
}

/* Kronecker's sequence in three dimensions with powers of the root of r^4 = r + 1 (Roberts 2018) */
double InsertionRegion::volume() const
{
  static const double root = 1.2207440846057596;
  const pd_vec3 size = pd_sub(window.hi, window.lo);
  if (!(size.x > 0.0 && size.y > 0.0 && size.z > 0.0)) return 0.0;
  int inside = 0;
  for (int i = 1; i <= POINTS; i++) {
    const double u = i / root, v = u / root, w = v / root;
    inside +=
        contains(pd_v(window.lo.x + (u - floor(u)) * size.x, window.lo.y + (v - floor(v)) * size.y,
                      window.lo.z + (w - floor(w)) * size.z));
  }
  return size.x * size.y * size.z * inside / POINTS;
}

bool InsertionRegion::draw(pd_random *row, pd_vec3 *x) const
{
  const pd_vec3 size = pd_sub(window.hi, window.lo);
  for (int i = 0; i < POINTS; i++) {
    const double u = pd_draw(row), v = pd_draw(row), w = pd_draw(row);
    *x = pd_add(window.lo, pd_v(u * size.x, v * size.y, w * size.z));
    if (contains(*x)) return true;
  }
  return false;
}

bool InsertionRegion::contains_ball(pd_vec3 x, double radius) const
{
  return region->match(x.x, x.y, x.z) &&
         (radius == 0.0 || region->surface(x.x, x.y, x.z, radius) == 0);
}

bool InsertionRegion::holds(const pd_shape *shape, pd_vec3 x, const pd_mat3 &rot) const
{
  if (contains_ball(x, shape->radius)) return true;
  for (int i = 0; i < shape->nv; i++)
    if (!contains_ball(pd_add(x, pd_mv(rot, shape->v[i])), shape->round)) return false;
  return true;
}
