/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_shape.h"

#include "atom_vec_ellipsoid.h"
#include "domain.h"
#include "force.h"
#include "memory.h"
#include "lammps/bridge/mesh_file.h"
#include "random_park.h"

#include "geometry/builtin.h"
#include "base/rotation.h"

#include <cmath>
#include <cstdio>

using namespace LAMMPS_NS;
using namespace FixConst;

/* relative deviation of mass or semi-axes that counts as a broken body */
static constexpr double TOLERANCE = 1.0e-10;
/* what dump image calls a triangle */
static constexpr int IMAGE_TRIANGLE = 2;

/* ---------------------------------------------------------------------- */

FixPolyhedronShape::FixPolyhedronShape(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), imgobjs(nullptr), imgparms(nullptr), nimage(0)
{
  if (narg < 5)
    error->all(FLERR, "Illegal fix polyhedron/shape command: an atom type and a shape must follow");
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix polyhedron/shape requires atom style ellipsoid");
  create_attribute = 1;
  const ShapeOfType none = {nullptr, 0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  table.assign(atom->ntypes + 1, none);
  random_seed.assign(atom->ntypes + 1, 0);
  std::vector<const char *> files;
  for (int iarg = 3; iarg < narg;) {
    if (strcmp(arg[iarg], "write") == 0) {
      if (iarg + 2 > narg)
        error->all(FLERR, "Fix polyhedron/shape: keyword write needs a file name");
      files.push_back(arg[iarg + 1]);
      iarg += 2;
    } else {
      define(iarg, &iarg, narg, arg);
    }
  }
  for (const char *path : files)
    if (comm->me == 0) write_shapes(path);
}

FixPolyhedronShape::~FixPolyhedronShape()
{
  for (pd_shape *s : owned) {
    pd_shape_free(s);
    delete s;
  }
  memory->destroy(imgobjs);
  memory->destroy(imgparms);
}

/* looked up every time: replicate and read_restart replace the atom vector */
AtomVecEllipsoid *FixPolyhedronShape::avec() const
{
  return dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
}

int FixPolyhedronShape::setmask() { return PRE_NEIGHBOR; }

const ShapeOfType *FixPolyhedronShape::of_type(int itype) const
{
  return itype < (int)table.size() && table[itype].shape ? &table[itype] : nullptr;
}

/* one definition: TYPE(S) source [keyword value ...] */
void FixPolyhedronShape::define(int iarg, int *next, int narg, char **arg)
{
  int lo, hi;
  utils::bounds(FLERR, arg[iarg], 1, atom->ntypes, lo, hi, error);
  if (iarg + 1 >= narg)
    error->all(FLERR,
               fmt::format("Fix polyhedron/shape: no shape follows atom type {}", arg[iarg]));
  pd_mesh mesh = {0, 0, nullptr, nullptr};
  std::string name;
  iarg = parse_source(iarg + 1, narg, arg, &mesh, &name);
  double density = 1.0, scale = 1.0, weld = 1.0e-6;
  int seed = 0;
  *next = parse_keywords(iarg, narg, arg, &density, &scale, &weld, &seed);

  for (int i = 0; i < mesh.nv; i++) mesh.v[i] = pd_scale(scale, mesh.v[i]);
  pd_mesh_report report;
  pd_shape *shape =
      create_shape(lmp, "Fix polyhedron/shape", name.c_str(), &mesh, weld, true, &report);
  if (comm->me == 0 && (report.flipped || report.dropped || report.inverted))
    error->warning(
        FLERR,
        fmt::format("Fix polyhedron/shape: {}: repaired: {} triangles turned round{}, {} "
                    "degenerate ones dropped",
                    name, report.flipped, report.inverted ? " and the surface was inside out" : "",
                    report.dropped));
  owned.push_back(shape);
  ShapeOfType s;
  s.shape = shape;
  s.density = density;
  s.mass = density * shape->mass.volume;
  s.moments[0] = density * shape->mass.principal.x;
  s.moments[1] = density * shape->mass.principal.y;
  s.moments[2] = density * shape->mass.principal.z;
  const double sum = s.moments[0] + s.moments[1] + s.moments[2];
  for (int k = 0; k < 3; k++) s.axes[k] = sqrt(2.5 / s.mass * (sum - 2.0 * s.moments[k]));
  for (int t = lo; t <= hi; t++) {
    table[t] = s;
    random_seed[t] = seed;
  }
}

int FixPolyhedronShape::parse_source(int iarg, int narg, char **arg, pd_mesh *mesh,
                                     std::string *name)
{
  const std::string kind = arg[iarg];
  const int n = kind == "stl" || kind == "obj" ? 1 : kind == "box" || kind == "tetrapod" ? 3 : 0;
  if (n == 0)
    error->all(FLERR,
               fmt::format("Fix polyhedron/shape: unknown shape '{}', expected stl, obj, box or "
                           "tetrapod",
                           kind));
  if (iarg + n >= narg)
    error->all(FLERR, fmt::format("Fix polyhedron/shape: {} needs {} argument(s)", kind, n));
  if (n == 1) {
    *name = arg[iarg + 1];
    *mesh = read_mesh(lmp, "Fix polyhedron/shape", arg[iarg + 1]);
    return iarg + 2;
  }
  *name = kind;
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = utils::numeric(FLERR, arg[iarg + 1 + k], false, lmp);
  const pd_status status = kind == "box" ? pd_mesh_box(p[0], p[1], p[2], mesh)
                                         : pd_mesh_tetrapod(p[0], p[1], p[2], mesh);
  if (status)
    error->all(FLERR, fmt::format("Fix polyhedron/shape: {}: {}", kind, pd_strerror(status)));
  return iarg + 4;
}

int FixPolyhedronShape::parse_keywords(int iarg, int narg, char **arg, double *density,
                                       double *scale, double *weld, int *seed)
{
  while (iarg < narg) {
    const std::string key = arg[iarg];
    if (key != "density" && key != "scale" && key != "weld" && key != "random") break;
    if (iarg + 2 > narg)
      error->all(FLERR, fmt::format("Fix polyhedron/shape: keyword {} needs a value", key));
    const double value = utils::numeric(FLERR, arg[iarg + 1], false, lmp);
    if (!(value > 0.0 && std::isfinite(value)))
      error->all(FLERR, fmt::format("Fix polyhedron/shape: {} must be > 0 and finite, not {}", key,
                                    arg[iarg + 1]));
    if (key == "density") *density = value;
    if (key == "scale") *scale = value;
    if (key == "weld") *weld = value;
    if (key == "random") *seed = utils::inumeric(FLERR, arg[iarg + 1], false, lmp);
    iarg += 2;
  }
  return iarg;
}

/* plain text for tools that want the bodies' faces: vertices in the principal frame */
void FixPolyhedronShape::write_shapes(const char *path)
{
  FILE *fp = fopen(path, "w");
  if (!fp) error->one(FLERR, fmt::format("Fix polyhedron/shape: cannot open {} for writing", path));
  for (int t = 1; t < (int)table.size(); t++) {
    const pd_shape *s = table[t].shape;
    if (!s) continue;
    fprintf(fp, "shape %d %d %d\n", t, s->nv, s->nt);
    for (int i = 0; i < s->nv; i++)
      fprintf(fp, "%.17g %.17g %.17g\n", s->v[i].x, s->v[i].y, s->v[i].z);
    for (int i = 0; i < s->nt; i++) fprintf(fp, "%d %d %d\n", s->t[i][0], s->t[i][1], s->t[i][2]);
  }
  const bool failed = ferror(fp);
  if (fclose(fp) || failed)
    error->one(FLERR,
               fmt::format("Fix polyhedron/shape: writing {} failed, is the disk full?", path));
}

/* ---------------------------------------------------------------------- */

void FixPolyhedronShape::init()
{
  if (!avec()) error->all(FLERR, "Fix polyhedron/shape requires atom style ellipsoid");
  /* new bonus data would overwrite that of ghosts; they are made anew at setup */
  atom->nghost = 0;
  atom->avec->clear_bonus();
  const int mine = repair_all();
  int all;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, world);
  if (all && comm->me == 0)
    utils::logmesg(
        lmp,
        fmt::format("Fix polyhedron/shape: {} bodies were given their mass and inertia\n", all));
  bigint n = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->ellipsoid[i] >= 0) n++;
  MPI_Allreduce(&n, &atom->nellipsoids, 1, MPI_LMP_BIGINT, MPI_SUM, world);
}

/* set shape, set density and set type may have broken bodies since the last list */
void FixPolyhedronShape::pre_neighbor()
{
  for (int i = 0; i < atom->nlocal; i++)
    if (of_type(atom->type[i]) && atom->ellipsoid[i] >= 0 && !dressed(i)) dress(i, false);
}

int FixPolyhedronShape::repair_all()
{
  int n = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if (of_type(atom->type[i]) && !dressed(i)) {
      dress(i, false);
      n++;
    }
  return n;
}

bool FixPolyhedronShape::dressed(int i) const
{
  const ShapeOfType &s = table[atom->type[i]];
  if (atom->ellipsoid[i] < 0) return false;
  const double *axes = avec()->bonus[atom->ellipsoid[i]].shape;
  bool ok = fabs(atom->rmass[i] - s.mass) <= TOLERANCE * s.mass;
  for (int k = 0; k < 3; k++) ok = ok && fabs(axes[k] - s.axes[k]) <= TOLERANCE * s.axes[k];
  return ok;
}

void FixPolyhedronShape::dress(int i, bool fresh)
{
  const int itype = atom->type[i];
  const ShapeOfType &s = table[itype];
  avec()->set_shape(i, s.axes[0], s.axes[1], s.axes[2]);
  atom->rmass[i] = s.mass;
  if (!fresh || !random_seed[itype]) return;
  /* seeded by the position: the same on any number of processes */
  RanPark random(lmp, 1);
  random.reset(random_seed[itype], atom->x[i]);
  double g[4];
  for (double &c : g) c = random.gaussian();
  const pd_quat q = pd_q_normalize(pd_q(g[0], g[1], g[2], g[3]));
  double *quat = avec()->bonus[atom->ellipsoid[i]].quat;
  quat[0] = q.w;
  quat[1] = q.x;
  quat[2] = q.y;
  quat[3] = q.z;
}

/* called by commands that create atoms, while there are no ghosts */
void FixPolyhedronShape::set_arrays(int i)
{
  if (of_type(atom->type[i])) dress(i, true);
}

/* triangles of the owned bodies for dump image */
int FixPolyhedronShape::image(int *&objs, double **&parms)
{
  int n = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if ((atom->mask[i] & groupbit) && of_type(atom->type[i])) n += table[atom->type[i]].shape->nt;
  if (n > nimage) {
    nimage = n;
    memory->destroy(imgobjs);
    memory->destroy(imgparms);
    memory->create(imgobjs, n, "polyhedron/shape:imgobjs");
    memory->create(imgparms, n, 10, "polyhedron/shape:imgparms");
    for (int k = 0; k < n; k++) imgobjs[k] = IMAGE_TRIANGLE;
  }
  n = 0;
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit) || !of_type(atom->type[i])) continue;
    const pd_shape *s = table[atom->type[i]].shape;
    const double *q = avec()->bonus[atom->ellipsoid[i]].quat;
    const pd_mat3 rot = pd_q_matrix(pd_q(q[0], q[1], q[2], q[3]));
    const pd_vec3 x = pd_v_load(atom->x[i]);
    for (int t = 0; t < s->nt; t++, n++) {
      imgparms[n][0] = atom->type[i];
      for (int k = 0; k < 3; k++)
        pd_v_store(&imgparms[n][1 + 3 * k], pd_add(x, pd_mv(rot, s->v[s->t[t][k]])));
    }
  }
  objs = imgobjs;
  parms = imgparms;
  return n;
}

double FixPolyhedronShape::memory_usage()
{
  double bytes = (double)nimage * (sizeof(int) + 10 * sizeof(double));
  for (const pd_shape *s : owned)
    bytes += s->nv * 2.0 * sizeof(pd_vec3) + s->nt * 3.0 * sizeof(int[3]) + s->ne * sizeof(pd_edge);
  return bytes;
}
