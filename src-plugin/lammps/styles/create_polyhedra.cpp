/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/create_polyhedra.h"

#include "atom_vec_ellipsoid.h"
#include "domain.h"
#include "lammps/bridge/shape_table.h"

#include <cmath>

using namespace LAMMPS_NS;

/* create_polyhedra TYPES place [shift x y z] [rotate angle ax ay az]
 * create_polyhedra TYPE at x y z [rotate angle ax ay az] */
void CreatePolyhedra::command(int narg, char **arg)
{
  if (!domain->box_exist)
    error->all(FLERR, "Create_polyhedra command before simulation box is defined");
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Create_polyhedra command requires atom style ellipsoid");
  if (narg < 2)
    error->all(FLERR, "Illegal create_polyhedra command: atom type and place or at must follow");
  int lo, hi;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, lo, hi, error);
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
  Pose pose = {true, pd_v(0.0, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0)};
  int iarg = 1;
  if (strcmp(arg[1], "place") == 0)
    iarg = 2;
  else if (strcmp(arg[1], "at") == 0)
    pose.place = false;
  else
    error->all(FLERR, fmt::format("Create_polyhedra: expected place or at, not {}", arg[1]));
  while (iarg < narg) {
    const std::string key = arg[iarg];
    const bool position = pose.place ? key == "shift" : iarg == 1;
    const int n = key == "rotate" ? 4 : position ? 3 : 0;
    if (n == 0) error->all(FLERR, fmt::format("Create_polyhedra: unknown keyword {}", key));
    if (iarg + n >= narg)
      error->all(FLERR, fmt::format("Create_polyhedra: {} needs {} values", key, n));
    double v[4] = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < n; k++) v[k] = utils::numeric(FLERR, arg[iarg + 1 + k], false, lmp);
    if (key == "rotate") {
      const pd_vec3 axis = pd_unit(pd_v_load(v + 1));
      if (!(pd_norm(axis) > 0.0))
        error->all(FLERR, "Create_polyhedra: the axis of rotate must not be zero");
      const double half = 0.5 * v[0] * M_PI / 180.0, s = sin(half);
      pose.rotation = pd_q(cos(half), s * axis.x, s * axis.y, s * axis.z);
    } else {
      pose.x = pd_v_load(v);
    }
    iarg += n + 1;
  }
  return pose;
}

/* on the process whose subdomain holds the centre of mass */
int CreatePolyhedra::create(int itype, const ShapeOfType &s, const Pose &pose)
{
  const pd_mat3 turn = pd_q_matrix(pose.rotation);
  const pd_vec3 c = pose.place ? pd_add(pd_mv(turn, s.shape->mass.center), pose.x) : pose.x;
  double x[3], lamda[3];
  pd_v_store(x, c);
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
