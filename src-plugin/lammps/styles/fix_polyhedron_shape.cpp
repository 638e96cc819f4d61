/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_shape.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/options/parse.h"
#include "atom_vec_ellipsoid.h"
#include "domain.h"
#include "force.h"
#include "contact/law/automatic.h"
#include "lammps/bridge/mesh_file.h"
#include "lammps/styles/fix_polyhedron_restart.h"
#include "random_park.h"
#include "update.h"

#include "geometry/round_surface.h"
#include "geometry/sieve.h"
#include "base/rotation.h"

#include <cmath>
#include <cstdio>

using namespace LAMMPS_NS;
using namespace FixConst;

static const char *const WHO = "Fix polyhedron/shape";

/* relative deviation of mass or semi-axes that counts as a broken body */
static constexpr double TOLERANCE = 1.0e-10;

/* ---------------------------------------------------------------------- */

FixPolyhedronShape::FixPolyhedronShape(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), dense(0), light(0)
{
  if (narg < 5)
    error->all(FLERR, "Illegal fix polyhedron/shape command: an atom type and a shape must follow");
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix polyhedron/shape requires atom style ellipsoid");
  if (domain->dimension == 2)
    error->all(FLERR, "Fix polyhedron/shape requires dimension 3: fix lock/polyhedron holds bodies "
                      "in a plane");
  if (comm->nprocs > 1 && (atom->line_flag || atom->tri_flag || atom->body_flag))
    error->all(FLERR, "Fix polyhedron/shape: LAMMPS hangs where atom_style hybrid has ellipsoid "
                      "beside line, tri or body and atoms change processes: use one process, or "
                      "leave line, tri and body out");
  create_attribute = 1;
  table.assign(atom->ntypes + 1, ShapeOfType());
  random_seed.assign(atom->ntypes + 1, 0);
  source.assign(atom->ntypes + 1, "");
  std::vector<std::string> files;
  for (int iarg = 3; iarg < narg;) {
    if (!Options::Shape::whole.find(arg[iarg])) {
      iarg = define(iarg, narg, arg);
      continue;
    }
    const Options::Given given = Options::parse(lmp, Options::Shape::whole, WHO, iarg, narg, arg);
    files.push_back(given.text[0]);
    iarg = given.next;
  }
  check_densities();
  for (const std::string &path : files)
    all_together(lmp, FLERR, [&] {
      if (comm->me == 0) write_shapes(path.c_str(), table);
    });
}

FixPolyhedronShape::~FixPolyhedronShape()
{
  for (pd_shape *s : owned) {
    pd_shape_free(s);
    delete s;
  }
  for (pd_mesh *m : surfaces) {
    pd_mesh_free(m);
    delete m;
  }
}

/* A density is of the definition that it stands in. */
void FixPolyhedronShape::check_densities() const
{
  if (comm->me || dense == 0 || light == 0) return;
  error->warning(FLERR, fmt::format("{}: atom type {} has the density {:g} that is given, type {} "
                                    "has none given and gets {:g}: keyword density is of the shape "
                                    "before it alone",
                                    WHO, dense, table[dense].density, light, table[light].density));
}

/* looked up every time: replicate and read_restart replace the atom vector */
AtomVecEllipsoid *FixPolyhedronShape::avec() const
{
  return dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
}

int FixPolyhedronShape::setmask() { return PRE_NEIGHBOR | POST_FORCE; }

/* Bodies that are there get what they are at once: commands before the first run see it. */
void FixPolyhedronShape::post_constructor()
{
  FixPolyhedronRestart::make(lmp);
  if (avec()) dress_all();
}

/* The same surface in another size is told from another surface. */
void FixPolyhedronShape::add_fingerprints(Fingerprints *all) const
{
  for (int t = 1; t < (int)table.size(); t++) {
    const pd_shape *s = table[t].shape;
    if (!s) continue;
    const auto add = [all, t](const char *what, const std::string &value,
                              const std::vector<double> &numbers) {
      all->push_back({"shape", fmt::format("{} of atom type {}", what, t), value, numbers});
    };
    const double simplify = table[t].simplify;
    add("tolerance of simplify", fmt::format("{:.10g}", simplify), {simplify});
    add("rounding radius", fmt::format("{:.10g}", s->round), {s->round});
    add("surface", fmt::format("{} ({} vertices, {} triangles)", source[t], s->nv, s->nt),
        surface_numbers(s, s->v, s->radius));
    add("scale", fmt::format("such that the radius is {:.10g}", s->radius), {s->radius});
    add("density", fmt::format("{:.10g}", table[t].density), {table[t].density});
  }
}

const ShapeOfType *FixPolyhedronShape::of_type(int itype) const
{
  return itype < (int)table.size() && table[itype].shape ? &table[itype] : nullptr;
}

/* Where the types have sizes, the whole shape is enlarged, with what it is rounded by. */
void FixPolyhedronShape::make_types(int lo, int hi, const Definition &d)
{
  const int n = d.types;
  std::vector<double> size(n), share(n, 1.0 / n);
  double own = 0.0;
  if (!d.sizes.empty()) {
    const pd_grading grading = d.sizes[0].view();
    pd_grading_classes(&grading, n, size.data(), share.data());
  }
  for (int t = lo, k = 0; t <= hi; t++, k++) {
    if (!d.sizes.empty() && (k == 0 || (d.shape && d.shape->parts))) own = sieve_size(d, k);
    const double factor = d.sizes.empty() ? 1.0 : size[k] / own;
    table[t] =
        k > 0 && !d.varies() ? table[lo] : make_shape(d, {k, factor, k > 0 || own > 0.0, false});
    table[t].share = share[k];
    table[t].definition = lo;
    random_seed[t] = d.seed;
    source[t] = d.name + d.values;
  }
  if (!d.sizes.empty() && comm->me == 0)
    utils::logmesg(lmp, fmt::format("{}: {}, atom types {} to {}: sieve sizes {:.6g} to {:.6g}\n",
                                    WHO, d.name, lo, hi, size.front(), size.back()));
}

/* of a member as it is in its source; that shape is of no further use */
double FixPolyhedronShape::sieve_size(const Definition &d, int number)
{
  make_shape(d, {number, 1.0, number > 0, true});
  const double size = pd_sieve_size(owned.back());
  pd_shape_free(owned.back());
  delete owned.back();
  owned.pop_back();
  pd_mesh_free(surfaces.back());
  delete surfaces.back();
  surfaces.pop_back();
  return size;
}

ShapeOfType FixPolyhedronShape::make_shape(const Definition &d, const Member &m)
{
  pd_mesh mesh = source_mesh(d, m);
  const double offset = m.factor * (d.round + d.scale * d.radius);
  check_size(d, mesh, offset);
  pd_mesh_report report = pd_mesh_report();
  const char *name = d.name.c_str();
  ShapeOfType s = ShapeOfType();
  s.simplify = m.whole ? 0.0 : d.simplify;
  auto *drawn = new pd_mesh();
  surfaces.push_back(drawn);
  pd_shape *shape =
      create_shape(lmp, WHO, name, &mesh, {true, d.weld, offset, s.simplify}, &report, drawn);
  if (comm->me == 0 && !m.silent) tell_repair(d, report);
  owned.push_back(shape);
  if (s.simplify > 0.0)
    tell_simplified(d, *shape, *drawn);
  else
    draw(name, shape, drawn);
  s.size = s.simplify > 0.0 ? own_size(name, *drawn) : pd_shape_size(shape);
  s.shape = shape;
  s.drawn = drawn;
  s.density = d.density;
  s.mass = d.density * shape->mass.volume;
  s.moments[0] = d.density * shape->mass.principal.x;
  s.moments[1] = d.density * shape->mass.principal.y;
  s.moments[2] = d.density * shape->mass.principal.z;
  const double sum = s.moments[0] + s.moments[1] + s.moments[2];
  if (!std::isnormal(s.mass) || !std::isnormal(sum))
    error->all(FLERR,
               fmt::format("{}: {}: the mass {:g} and the moments of inertia of density {:g} "
                           "are no normal numbers: use other units",
                           WHO, d.name, s.mass, s.density));
  for (int k = 0; k < 3; k++) s.axes[k] = sqrt(2.5 / s.mass * (sum - 2.0 * s.moments[k]));
  return s;
}

/* of a surface that contacts do not see */
double FixPolyhedronShape::own_size(const char *name, const pd_mesh &own) const
{
  pd_shape shape = pd_shape();
  const pd_status status = pd_shape_create(&own, 1, &shape);
  if (status) error->all(FLERR, fmt::format("{}: {}: {}", WHO, name, pd_strerror(status)));
  const double size = pd_shape_size(&shape);
  pd_shape_free(&shape);
  return size;
}

/* a surface for pictures */
void FixPolyhedronShape::draw(const char *name, const pd_shape *shape, pd_mesh *mesh) const
{
  const pd_status status = shape->round > 0.0 ? pd_round_surface(shape, mesh)
                                              : pd_mesh_create(shape->nv, shape->v, shape->nt,
                                                               (const int(*)[3])shape->t, mesh);
  if (status) error->all(FLERR, fmt::format("{}: {}: {}", WHO, name, pd_strerror(status)));
}

/* ---------------------------------------------------------------------- */

void FixPolyhedronShape::init()
{
  if (!avec()) error->all(FLERR, "Fix polyhedron/shape requires atom style ellipsoid");
  dress_all();
}

void FixPolyhedronShape::dress_all()
{
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

/* Lists follow where bodies get other types; without one something else changes them, as fix adapt
 * does the masses of all that have a diameter. */
void FixPolyhedronShape::post_force(int)
{
  for (int i = 0; i < atom->nlocal; i++)
    if (of_type(atom->type[i]) && atom->ellipsoid[i] >= 0 && !dressed(i))
      error->one(FLERR, fmt::format("{}: body {} has got another mass or ellipsoid than its type "
                                    "has, in step {}: leave it out of the group of the fix that "
                                    "changes them",
                                    WHO, atom->tag[i], update->ntimestep));
}

int FixPolyhedronShape::repair_all()
{
  int n = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if (of_type(atom->type[i]) && !dressed(i)) {
      dress(i, atom->ellipsoid[i] < 0);
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
  const bool oriented = atom->ellipsoid[i] >= 0; /* as it was read */
  avec()->set_shape(i, s.axes[0], s.axes[1], s.axes[2]);
  atom->rmass[i] = s.mass;
  if (!fresh || oriented || !random_seed[itype]) return;
  /* seeded by the position: the same on any number of processes */
  RanPark random(lmp, 1);
  random.reset(random_seed[itype], atom->x[i]);
  double g[4];
  for (double &c : g) c = random.gaussian();
  const pd_quat q = pd_q_normalize(pd_q(g[0], g[1], g[2], g[3]));
  quat_store(quat_of(atom, i), q);
}

/* called by commands that create atoms, while there are no ghosts */
void FixPolyhedronShape::set_arrays(int i)
{
  if (of_type(atom->type[i])) dress(i, true);
}

/* triangles of the owned bodies for dump image */
int FixPolyhedronShape::image(int *&objs, double **&parms)
{
  triangles.clear();
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit) || !of_type(atom->type[i])) continue;
    static const double unturned[4] = {1.0, 0.0, 0.0,
                                       0.0}; /* as it will be from the first run on */
    const double *q = atom->ellipsoid[i] < 0 ? unturned : avec()->bonus[atom->ellipsoid[i]].quat;
    triangles.add(atom->type[i], *table[atom->type[i]].drawn, pd_v_load(atom->x[i]),
                  pd_q_matrix(quat_load(q)));
  }
  return triangles.give(objs, parms);
}

double FixPolyhedronShape::memory_usage()
{
  double bytes = triangles.bytes();
  for (const pd_shape *s : owned)
    bytes += s->nv * 2.0 * (double)sizeof(pd_vec3) + s->nt * 3.0 * (double)sizeof(int[3]) +
             s->ne * (double)sizeof(pd_edge);
  return bytes;
}
