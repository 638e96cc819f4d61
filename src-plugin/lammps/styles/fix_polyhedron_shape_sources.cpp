/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix polyhedron/shape is told: sources, keywords, and what is wrong with them. */
#include "lammps/styles/fix_polyhedron_shape.h"

#include "lammps/options/parse.h"
#include "lammps/bridge/mesh_file.h"

#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix polyhedron/shape";

/* longest distance from the first vertex, in any units */
static constexpr double SMALLEST = 1.0e-30, LARGEST = 1.0e30;

/* volume that contacts see over the body's own that is worth a warning */
static constexpr double MUCH_MORE = 1.2;

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
  if (d.simplify > 0.0 && (d.round > 0.0 || d.radius > 0.0))
    error->all(FLERR, fmt::format("{}: {}: simplify is for surfaces of triangles, and this one is "
                                  "rounded by {:g}",
                                  WHO, d.name, d.round > 0.0 ? d.round : d.radius));
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
  case key::SIMPLIFY:
    simplify = given.real();
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
  const pd_triangle_pairs &cross = report.crossings;
  if (cross.pairs)
    error->warning(FLERR, fmt::format("{}: {}: the surface crosses itself: {} pairs of triangles, "
                                      "first {} and {}; mass and inertia count what it encloses "
                                      "twice as twice",
                                      WHO, d.name, cross.pairs, cross.first[0], cross.first[1]));
}

void FixPolyhedronShape::tell_simplified(const Definition &d, const pd_shape &shape,
                                         const pd_mesh &own) const
{
  pd_mass seen;
  const pd_mesh surface = {shape.nv, shape.nt, shape.v, shape.t};
  if (comm->me || pd_mass_properties(&surface, &seen)) return;
  const double times = seen.volume / shape.mass.volume;
  utils::logmesg(lmp, fmt::format("{}: {}: contacts see {} triangles in place of {}, which enclose "
                                  "{:.2g} % more\n",
                                  WHO, d.name, shape.nt, own.nt, 100.0 * (times - 1.0)));
  if (times > MUCH_MORE)
    error->warning(FLERR,
                   fmt::format("{}: {}: contacts see a body of {:.3g} times the volume: "
                               "simplify {:g}, which is measured after scale, is much for it",
                               WHO, d.name, times, d.simplify));
}
