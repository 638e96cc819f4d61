/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/mesh_file.h"

#include "base/memory.h"
#include "geometry/simplify.h"

using namespace LAMMPS_NS;

/* text of a core error with where it happened */
static std::string core_message(pd_status status, const pd_fault &fault)
{
  std::string text = pd_strerror(status);
  if (fault.line > 0) text += fmt::format(", line {}", fault.line);
  if (fault.line > 0 && fault.count == 1) return text;
  if (fault.count > 0) text += fmt::format(", {} found", fault.count);
  if (fault.item >= 0 && fault.count > 0) text += fmt::format(", first at {}", fault.item);
  return text;
}

static void stop(LAMMPS *lmp, const char *who, const char *name, pd_status status,
                 const pd_fault &fault)
{
  lmp->error->all(FLERR, fmt::format("{}: {}: {}", who, name, core_message(status, fault)));
}

/* copies of rank 0's mesh for all */
static void share_mesh(LAMMPS *lmp, const char *who, pd_mesh *mesh)
{
  int n[2] = {mesh->nv, mesh->nt};
  MPI_Bcast(n, 2, MPI_INT, 0, lmp->world);
  bool short_of_memory = false;
  if (lmp->comm->me) {
    mesh->nv = n[0];
    mesh->nt = n[1];
    mesh->v = (pd_vec3 *)pd_alloc_array(n[0], sizeof(pd_vec3));
    mesh->t = (int(*)[3])pd_alloc_array(n[1], sizeof(int[3]));
    short_of_memory = !mesh->v || !mesh->t;
  }
  stop_together(lmp, FLERR, short_of_memory ? fmt::format("{}: out of memory", who) : "");
  MPI_Bcast(mesh->v, 3 * n[0], MPI_DOUBLE, 0, lmp->world);
  MPI_Bcast(mesh->t, 3 * n[1], MPI_INT, 0, lmp->world);
}

pd_mesh LAMMPS_NS::read_mesh(LAMMPS *lmp, const char *who, const char *path)
{
  pd_mesh mesh = {0, 0, nullptr, nullptr};
  pd_fault fault = {0, 0, 0, 0.0};
  int status = PD_OK;
  if (lmp->comm->me == 0) status = pd_mesh_read(path, &mesh, &fault);
  long where[3] = {fault.line, fault.item, fault.count};
  MPI_Bcast(&status, 1, MPI_INT, 0, lmp->world);
  MPI_Bcast(where, 3, MPI_LONG, 0, lmp->world);
  if (status) stop(lmp, who, path, (pd_status)status, {where[0], where[1], where[2], 0.0});
  share_mesh(lmp, who, &mesh);
  return mesh;
}

/* by rank 0: floating point of another machine might leave other triangles */
static pd_status simplify(LAMMPS *lmp, const char *who, const pd_mesh *mesh, int crossings,
                          double tolerance, pd_mesh *simple)
{
  int status = PD_OK;
  if (lmp->comm->me == 0) status = pd_mesh_simplify(mesh, crossings, tolerance, simple);
  MPI_Bcast(&status, 1, MPI_INT, 0, lmp->world);
  if (!status) share_mesh(lmp, who, simple);
  return (pd_status)status;
}

/* the mesh goes to own */
static pd_status create_simplified(LAMMPS *lmp, const char *who, pd_mesh *mesh, int crossings,
                                   double tolerance, pd_shape *shape, pd_mesh *own)
{
  pd_mass mass;
  pd_mesh simple = pd_mesh();
  pd_status status = pd_mass_properties(mesh, &mass);
  if (!status) status = simplify(lmp, who, mesh, crossings, tolerance, &simple);
  if (!status) status = pd_shape_create_simple(&simple, &mass, shape);
  pd_mesh_free(&simple);
  if (status) return status;
  for (int i = 0; i < mesh->nv; i++)
    mesh->v[i] = pd_mtv(mass.axes, pd_sub(mesh->v[i], mass.center));
  *own = *mesh;
  *mesh = pd_mesh();
  return PD_OK;
}

pd_shape *LAMMPS_NS::create_shape(LAMMPS *lmp, const char *who, const char *name, pd_mesh *mesh,
                                  const MeshUse &use, pd_mesh_report *report, pd_mesh *own)
{
  pd_fault fault = {0, 0, 0, 0.0};
  pd_status status = PD_OK;
  if (!pd_is_segment(mesh)) status = pd_mesh_repair(mesh, use.weld, use.closed, report, &fault);
  auto *shape = new pd_shape();
  if (!status && use.simplify > 0.0)
    status = create_simplified(lmp, who, mesh, report->crossings.pairs, use.simplify, shape, own);
  else if (!status)
    status = use.closed ? pd_shape_create_round(mesh, use.round, shape)
                        : pd_shape_create(mesh, 0, shape);
  pd_mesh_free(mesh);
  if (status) {
    delete shape;
    stop(lmp, who, name, status, fault);
  }
  return shape;
}
