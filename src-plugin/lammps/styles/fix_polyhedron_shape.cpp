/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_shape.h"

#include "lammps/options/parse.h"
#include "atom_vec_ellipsoid.h"
#include "domain.h"
#include "force.h"
#include "lammps/bridge/mesh_file.h"
#include "lammps/styles/fix_polyhedron_restart.h"
#include "random_park.h"

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
/* longest distance from the first vertex, in any units */
static constexpr double SMALLEST = 1.0e-30, LARGEST = 1.0e30;

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

int FixPolyhedronShape::setmask() { return PRE_NEIGHBOR; }

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

/* one definition: TYPE(S) source [keyword value ...]; returns the index after it */
int FixPolyhedronShape::define(int iarg, int narg, char **arg)
{
  int lo, hi;
  if (!Compat::may_be_types(lmp, arg[iarg]))
    error->all(FLERR, fmt::format("Fix polyhedron/shape: '{}' is neither an atom type nor a "
                                  "keyword of the shape before it, which are {}",
                                  arg[iarg], Options::Shape::keywords.keys("and")));
  Compat::type_range(lmp, arg[iarg], lo, hi);
  if (iarg + 1 >= narg)
    error->all(FLERR,
               fmt::format("Fix polyhedron/shape: no shape follows atom type {}", arg[iarg]));
  for (int t = lo; t <= hi; t++)
    if (table[t].shape)
      error->all(FLERR, fmt::format("Fix polyhedron/shape: {} gives atom type {} a second shape",
                                    arg[iarg], t));
  Definition d = Definition();
  d.types = hi - lo + 1;
  Options::defaults(Options::Shape::keywords, [&d](const Options::Given &given) { d.set(given); });
  iarg = parse_source(iarg + 1, narg, arg, &d);
  while (iarg < narg && Options::Shape::keywords.find(arg[iarg]))
    iarg = parse_keyword(iarg, narg, arg, &d);
  make_types(lo, hi, d);
  (d.dense ? dense : light) = lo;
  pd_mesh_free(&d.file);
  return iarg;
}

int FixPolyhedronShape::parse_keyword(int iarg, int narg, char **arg, Definition *d)
{
  namespace key = Options::Shape;
  const Options::Given given = Options::parse(lmp, key::keywords, WHO, iarg, narg, arg);
  d->set(given);
  d->dense = d->dense || given.id() == key::DENSITY;
  if (given.id() != key::SIZES) return given.next;
  const Options::Table &distributions = Options::Sizes::distributions;
  if (given.next >= narg)
    error->all(FLERR,
               fmt::format("{}: sizes needs a distribution: {}", WHO, distributions.keys("or")));
  const Options::Given sizes = Options::parse(lmp, distributions, WHO, given.next, narg, arg);
  d->sizes.assign(1, read_grading(lmp, sizes));
  return sizes.next;
}

bool FixPolyhedronShape::Definition::varies() const
{
  return !sizes.empty() || (shape && shape->parts);
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
    table[t] = k > 0 && !d.varies() ? table[lo] : make_shape(d, {k, factor, k > 0 || own > 0.0});
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
  make_shape(d, {number, 1.0, number > 0});
  const double size = pd_sieve_size(owned.back());
  pd_shape_free(owned.back());
  delete owned.back();
  owned.pop_back();
  pd_mesh_free(surfaces.back());
  delete surfaces.back();
  surfaces.pop_back();
  return size;
}

void FixPolyhedronShape::Definition::set(const Options::Given &given)
{
  namespace key = Options::Shape;
  switch (given.id()) {
  case key::DENSITY:
    density = given.real();
    break;
  case key::SCALE:
    scale = given.real();
    break;
  case key::ROUND:
    round = given.real();
    break;
  case key::WELD:
    weld = given.real();
    break;
  case key::RANDOM:
    seed = given.integer();
  }
}

int FixPolyhedronShape::parse_source(int iarg, int narg, char **arg, Definition *d)
{
  namespace key = Options::Shape;
  if (!key::sources.find(arg[iarg]))
    error->all(FLERR, fmt::format("Fix polyhedron/shape: unknown shape '{}', expected {}",
                                  arg[iarg], key::sources.keys("or")));
  const Options::Given given = Options::parse(lmp, key::sources, WHO, iarg, narg, arg);
  d->given = given;
  if (given.id() == key::MESH_FILE) {
    d->name = given.text[0];
    d->file = read_mesh(lmp, WHO, d->name.c_str());
    return given.next;
  }
  d->name = given.row->key;
  for (int k = iarg + 1; k < given.next; k++) d->values += std::string(" ") + arg[k];
  d->shape = pd_find_builtin(given.row->key);
  if (!d->shape || d->shape->nvalue != given.count())
    Options::refuse(lmp, given, "there is no built-in shape with these values");
  if (d->shape->rounded) d->radius = given.number[0];
  return given.next;
}

std::string FixPolyhedronShape::source_fault(const Definition &d, pd_status status)
{
  const char *needs = d.shape && status == PD_ERANGE ? d.shape->needs : nullptr;
  return needs ? fmt::format("{}, it needs {}", pd_strerror(status), needs) : pd_strerror(status);
}

/* the triangles of a member's source, scaled */
pd_mesh FixPolyhedronShape::source_mesh(const Definition &d, const Member &m) const
{
  pd_mesh mesh = pd_mesh();
  pd_status status;
  if (d.shape) {
    std::vector<double> value = d.given.number;
    if (d.shape->parts) value.insert(value.end(), {(double)d.types, (double)m.number});
    status = d.shape->make(value.data(), &mesh);
  } else
    status = pd_mesh_create(d.file.nv, d.file.v, d.file.nt, (const int(*)[3])d.file.t, &mesh);
  if (status) Options::refuse(lmp, d.given, source_fault(d, status));
  for (int i = 0; i < mesh.nv; i++) mesh.v[i] = pd_scale(m.factor * d.scale, mesh.v[i]);
  return mesh;
}

/* Sizes whose fifth power, in the moments of inertia, and the products of the contact search stay
 * far from the limits of numbers. */
void FixPolyhedronShape::check_size(const Definition &d, const pd_mesh &mesh, double offset) const
{
  double size = offset;
  for (int i = 0; i < mesh.nv; i++) size = fmax(size, pd_norm(pd_sub(mesh.v[i], mesh.v[0])));
  if (mesh.nv > 0 && !(size >= SMALLEST && size <= LARGEST))
    error->all(FLERR, fmt::format("{}: {}: its size {:.4g} must lie between {:g} and {:g}, else "
                                  "moments of inertia, fifth powers of it, are no numbers: use "
                                  "other units or another scale",
                                  WHO, d.name, size, SMALLEST, LARGEST));
}

void FixPolyhedronShape::tell_repair(const Definition &d, const pd_mesh_report &report) const
{
  if (report.flipped || report.dropped || report.inverted)
    error->warning(
        FLERR,
        fmt::format("Fix polyhedron/shape: {}: repaired: {} triangles turned round{}, {} "
                    "degenerate ones dropped",
                    d.name, report.flipped,
                    report.inverted ? " and the surface was inside out" : "", report.dropped));
  const pd_crossings &cross = report.crossings;
  if (cross.pairs)
    error->warning(FLERR, fmt::format("{}: {}: the surface crosses itself: {} pairs of triangles, "
                                      "first {} and {}; mass and inertia count what it encloses "
                                      "twice as twice",
                                      WHO, d.name, cross.pairs, cross.first[0], cross.first[1]));
}

ShapeOfType FixPolyhedronShape::make_shape(const Definition &d, const Member &m)
{
  pd_mesh mesh = source_mesh(d, m);
  const double offset = m.factor * (d.round + d.scale * d.radius);
  check_size(d, mesh, offset);
  pd_mesh_report report;
  report.flipped = report.dropped = report.inverted = report.crossings.pairs = 0;
  pd_shape *shape = create_shape(lmp, WHO, d.name.c_str(), &mesh, {true, d.weld, offset}, &report);
  if (comm->me == 0 && !m.silent) tell_repair(d, report);
  owned.push_back(shape);
  ShapeOfType s = ShapeOfType();
  s.shape = shape;
  s.drawn = draw(d.name, shape);
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

/* a surface for pictures */
const pd_mesh *FixPolyhedronShape::draw(const std::string &name, const pd_shape *shape)
{
  auto *mesh = new pd_mesh();
  surfaces.push_back(mesh);
  const pd_status status = shape->round > 0.0 ? pd_round_surface(shape, mesh)
                                              : pd_mesh_create(shape->nv, shape->v, shape->nt,
                                                               (const int(*)[3])shape->t, mesh);
  if (status) error->all(FLERR, fmt::format("{}: {}: {}", WHO, name, pd_strerror(status)));
  return mesh;
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
  triangles.clear();
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit) || !of_type(atom->type[i])) continue;
    static const double unturned[4] = {1.0, 0.0, 0.0,
                                       0.0}; /* as it will be from the first run on */
    const double *q = atom->ellipsoid[i] < 0 ? unturned : avec()->bonus[atom->ellipsoid[i]].quat;
    triangles.add(atom->type[i], *table[atom->type[i]].drawn, pd_v_load(atom->x[i]),
                  pd_q_matrix(pd_q(q[0], q[1], q[2], q[3])));
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
