/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/create_polyhedra.h"

#include "lammps/options/parse.h"
#include "atom_vec_ellipsoid.h"
#include "domain.h"
#include "lammps/bridge/shape_table.h"

#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Create_polyhedra";

void CreatePolyhedra::command(int narg, char **arg)
{
  if (!domain->box_exist)
    error->all(FLERR, "Create_polyhedra command before simulation box is defined");
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Create_polyhedra command requires atom style ellipsoid");
  if (narg < 2)
    error->all(FLERR, "Illegal create_polyhedra command: atom type and place or at must follow");
  int lo, hi;
  Compat::type_range(lmp, arg[0], lo, hi);
  const Pose pose = parse(narg, arg);
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  for (int t = lo; t <= hi; t++)
    if (!shapes[t].shape)
      error->all(FLERR,
                 fmt::format("Create_polyhedra: atom type {} has no shape: give it one with fix "
                             "polyhedron/shape first",
                             t));

  /* ghosts would be overwritten by new atoms; they come back at the next setup */
  atom->nghost = 0;
  atom->avec->clear_bonus();
  const int before = atom->nlocal;
  for (int t = lo; t <= hi; t++) create(t, shapes[t], pose);
  complete(before, hi - lo + 1);
}

CreatePolyhedra::Pose CreatePolyhedra::parse(int narg, char **arg)
{
  namespace key = Options::Create;
  if (!key::places.find(arg[1]))
    error->all(FLERR, fmt::format("{}: expected place or at, not {}", WHO, arg[1]));
  Pose pose = {true, pd_v(0.0, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0)};
  const Options::Given place = Options::parse(lmp, key::places, WHO, 1, narg, arg);
  pose.place = place.id() == key::PLACE;
  Options::defaults(key::keywords, [&](const Options::Given &given) { set(given, &pose); });
  if (!pose.place) pose.x = pd_v_load(place.number.data());
  for (int iarg = place.next; iarg < narg;) {
    const Options::Given given = Options::parse(lmp, key::keywords, WHO, iarg, narg, arg);
    if (given.id() == key::SHIFT && !pose.place)
      error->all(FLERR,
                 Options::unknown(key::keywords, WHO, "shift", "after at: give another point"));
    set(given, &pose);
    iarg = given.next;
  }
  return pose;
}

void CreatePolyhedra::set(const Options::Given &given, Pose *pose)
{
  const double *v = given.number.data();
  if (given.id() == Options::Create::SHIFT) {
    pose->x = pd_v_load(v);
    return;
  }
  const pd_vec3 axis = pd_unit(pd_v_load(v + 1));
  if (!(pd_norm(axis) > 0.0)) Options::refuse(lmp, given, "the axis of rotate must not be zero");
  const double half = 0.5 * v[0] * M_PI / 180.0, s = sin(half);
  pose->rotation = pd_q(cos(half), s * axis.x, s * axis.y, s * axis.z);
}

/* image flags count so many boxes only, and the host wraps by one box at a time */
void CreatePolyhedra::check_reach(double *x)
{
  double lamda[3];
  for (int k = 0; k < 3; k++) lamda[k] = (x[k] - domain->boxlo[k]) / domain->prd[k];
  if (domain->triclinic) domain->x2lamda(x, lamda);
  for (int k = 0; k < 3; k++)
    if (domain->periodicity[k] && !(fabs(lamda[k]) < IMGMAX))
      error->all(FLERR,
                 fmt::format("{}: {:g} {:g} {:g} lies {:g} periodic boxes away, the most are "
                             "{}: give the place within the box",
                             WHO, x[0], x[1], x[2], fabs(lamda[k]), IMGMAX));
}

/* on the process whose subdomain holds the centre of mass */
int CreatePolyhedra::create(int itype, const ShapeOfType &s, const Pose &pose)
{
  const pd_mat3 turn = pd_q_matrix(pose.rotation);
  const pd_vec3 c = pose.place ? pd_add(pd_mv(turn, s.shape->mass.center), pose.x) : pose.x;
  double x[3], lamda[3];
  pd_v_store(x, c);
  check_reach(x);
  imageint image = ((imageint)IMGMAX << IMG2BITS) | ((imageint)IMGMAX << IMGBITS) | IMGMAX;
  domain->remap(x, image);
  if (domain->triclinic) domain->x2lamda(x, lamda);
  const double *coord = domain->triclinic ? lamda : x;
  const double *sublo = domain->triclinic ? domain->sublo_lamda : domain->sublo;
  const double *subhi = domain->triclinic ? domain->subhi_lamda : domain->subhi;
  for (int k = 0; k < 3; k++)
    if (coord[k] < sublo[k] || coord[k] >= subhi[k]) return 0;
  atom->avec->create_atom(itype, x);
  const int i = atom->nlocal - 1;
  atom->image[i] = image;
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  avec->set_shape(i, s.axes[0], s.axes[1], s.axes[2]);
  atom->rmass[i] = s.mass;
  const pd_quat q = pd_q_normalize(pd_q_mul(pose.rotation, pd_q_from_matrix(s.shape->mass.axes)));
  double *quat = avec->bonus[atom->ellipsoid[i]].quat;
  quat[0] = q.w;
  quat[1] = q.x;
  quat[2] = q.y;
  quat[3] = q.z;
  return 1;
}

/* tags, counts and the data of other fixes, as create_atoms does it */
void CreatePolyhedra::complete(int nlocal_previous, bigint expected)
{
  /* the shape fix would choose a random orientation: keep the one that was asked for */
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  std::vector<double> quats;
  for (int i = nlocal_previous; i < atom->nlocal; i++) {
    const double *q = avec->bonus[atom->ellipsoid[i]].quat;
    quats.insert(quats.end(), q, q + 4);
  }
  atom->data_fix_compute_variable(nlocal_previous, atom->nlocal);
  for (int i = nlocal_previous; i < atom->nlocal; i++)
    std::copy(&quats[4 * (i - nlocal_previous)], &quats[4 * (i - nlocal_previous)] + 4,
              avec->bonus[atom->ellipsoid[i]].quat);
  const bigint before = atom->natoms, nlocal = atom->nlocal;
  MPI_Allreduce(&nlocal, &atom->natoms, 1, MPI_LMP_BIGINT, MPI_SUM, world);
  if (atom->natoms - before != expected)
    error->all(FLERR,
               fmt::format("Create_polyhedra: {} of {} bodies lie outside the simulation box",
                           expected - (atom->natoms - before), expected));
  if (atom->tag_enable) atom->tag_extend();
  atom->tag_check();
  if (atom->map_style != Atom::MAP_NONE) {
    atom->map_init();
    atom->map_set();
  }
  if (comm->me == 0) utils::logmesg(lmp, fmt::format("Created {} polyhedra\n", expected));
}
