/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/wall_surface.h"

#include "geometry/mesh.h"
#include "lammps/bridge/mesh_file.h"
#include "lammps/options/parse.h"

#include <cmath>

using namespace LAMMPS_NS;
namespace key = Options::Wall;

/* vertices closer than this are merged, over the diagonal of the surface */
static const double WELD = 1.0e-6;

WallSurface::WallSurface(LAMMPS *lmp, const char *who_reads, const Options::Given &given)
    : Pointers(lmp), who(who_reads), source(given), cone(), changed(false), map(pd_m_identity()),
      shift(pd_v(0.0, 0.0, 0.0))
{
  if (!is_file()) set_cone();
}

static bool is_of_cone(const Options::Given &keyword)
{
  return keyword.id() == key::FACETS || keyword.id() == key::CAPS;
}

bool WallSurface::is_file() const { return source.id() == key::MESH_FILE; }

/* 0, 1, 2 for x, y, z */
int WallSurface::axis() const
{
  const std::string &name = source.text[0];
  if (name.size() != 1 || name[0] < 'x' || name[0] > 'z')
    Options::refuse(lmp, source, fmt::format("the axis must be x, y or z, not {}", name));
  return name[0] - 'x';
}

void WallSurface::set_cone()
{
  const std::vector<double> &n = source.number; /* of the axis, centre, radii, ends */
  const int second = source.id() == key::CONE ? 4 : 3;
  cone = {n[second + 1], n[second + 2], n[3], n[second], 0, 0, 0};
  Options::defaults(key::keywords, [this](const Options::Given &given) {
    if (is_of_cone(given)) change(given);
  });
  axis();
  if (!(cone.high > cone.low)) Options::refuse(lmp, source, "hi must be more than lo");
  if (!(cone.low_radius + cone.high_radius > 0.0))
    Options::refuse(lmp, source, "one of the radii must be > 0");
}

/* in the coordinates of the box; c1 and c2 are along the other axes, in their order */
pd_mesh WallSurface::make_cone() const
{
  pd_mesh mesh = pd_mesh();
  const pd_status status = pd_make_cone(&cone, &mesh);
  stop_together(lmp, FLERR, status ? fmt::format("{}: {}", who, pd_strerror(status)) : "");
  const int along = axis(), first = along == 0 ? 1 : 0, second = along == 2 ? 1 : 2;
  pd_mat3 turned = pd_mat3();
  turned.m[first][0] = turned.m[second][1] = turned.m[along][2] = 1.0;
  double centre[3] = {0.0, 0.0, 0.0};
  centre[first] = source.number[1];
  centre[second] = source.number[2];
  pd_mesh_transform(&mesh, turned, pd_v_load(centre));
  return mesh;
}

void WallSurface::turn(const Options::Given &keyword)
{
  const pd_mat3 by = pd_q_matrix(Options::rotation(lmp, keyword));
  map = pd_m_mul(by, map);
  shift = pd_mv(by, shift);
}

void WallSurface::change(const Options::Given &keyword)
{
  if (is_of_cone(keyword) && is_file())
    Options::refuse(lmp, keyword, "belongs to a cylinder or a cone");
  changed |= !is_of_cone(keyword);
  switch (keyword.id()) {
  case key::SCALE:
    map = pd_m_scale(keyword.real(), map);
    shift = pd_scale(keyword.real(), shift);
    break;
  case key::SHIFT:
    shift = pd_add(shift, pd_v_load(keyword.number.data()));
    break;
  case key::ROTATE:
    turn(keyword);
    break;
  case key::FACETS:
    cone.facets = keyword.integer();
    break;
  case key::CAPS: /* none low high both */
    cone.low_cap = keyword.word() & 1;
    cone.high_cap = keyword.word() >> 1;
  }
}

/* of the box about the vertices */
static pd_vec3 middle_of(const pd_mesh &mesh)
{
  pd_vec3 low, high;
  pd_mesh_bounds(&mesh, &low, &high);
  return pd_scale(0.5, pd_add(low, high));
}

pd_shape *WallSurface::shape(bool centred, pd_vec3 *origin, SurfacePeriods *periods)
{
  const char *name = source.text[0].c_str();
  pd_mesh mesh = is_file() ? read_mesh(lmp, who, name) : make_cone();
  if (changed) pd_mesh_transform(&mesh, map, shift);
  *periods = repeat_surface(lmp, who, &mesh, WELD);
  if (centred) *origin = middle_of(mesh);
  if (pd_norm2(*origin) > 0.0) pd_mesh_transform(&mesh, pd_m_identity(), pd_neg(*origin));
  pd_mesh_report report = pd_mesh_report();
  pd_shape *made = create_shape(lmp, who, is_file() ? name : source.row->key, &mesh,
                                {false, WELD, 0.0, 0.0}, &report);
  report.dropped += periods->dropped;
  report.repeated += periods->repeated;
  if (is_file() && report.dropped + report.repeated > 0 && lmp->comm->me == 0)
    lmp->error->warning(FLERR,
                        fmt::format("{}: {}: {} triangles without area and {} that are there "
                                    "twice are left out",
                                    who, name, report.dropped, report.repeated));
  if (is_file() && report.doubled.pairs > 0 && lmp->comm->me == 0) {
    const pd_vec3 at = pd_add(report.middle, *origin);
    lmp->error->warning(FLERR, fmt::format("{}: {}: {} pairs of triangles lie on each other, the "
                                           "first near ({:.8g}, {:.8g}, {:.8g}): contact there "
                                           "counts twice. Take one of them out of the file",
                                           who, name, report.doubled.pairs, at.x, at.y, at.z));
  }
  return made;
}
