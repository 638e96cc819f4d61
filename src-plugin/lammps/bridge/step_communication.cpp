/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/step_communication.h"

#include "linear/linsolver.h"
#include "parallel/parallel.h"

#include <algorithm>

using namespace LAMMPS_NS;

StepCommunication::StepCommunication(LAMMPS *lmp, Fix *fix)
    : Pointers(lmp), owner(fix), core_services(), solver(nullptr), first_wall(0), walls(0),
      moving(nullptr), counting(false), rows(-1)
{
  core_services.communication = {this, forward_all, nullptr, sum_all, max_all};
  core_services.ctx = this;
  core_services.solve = solve_all;
}

StepCommunication::~StepCommunication() { pd_linsolver_destroy(solver); }

void StepCommunication::use_solver(const std::string &name)
{
  if (solver && name == backend) return;
  pd_linsolver_destroy(solver);
  solver = nullptr;
  backend = name;
  require_of_solver(pd_linsolver_create(name.c_str(), world, &solver));
  forget_pattern();
}

double StepCommunication::linear_time() const
{
  if (!solver) return 0.0;
  const pd_linsolver_cost cost = pd_linsolver_cost_get(solver);
  return cost.pattern_time + cost.factor_time + cost.solve_time;
}

void StepCommunication::use_threads(pd_system *sys, const std::string &loops, int threads)
{
  pd_loops service;
  if (pd_parallel_loops(loops.c_str(), threads, &service))
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: threads {}: loops {} run on {} at most "
                                  "in this process",
                                  threads, pd_parallel_name(loops.c_str()),
                                  pd_parallel_most(loops.c_str())));
  const pd_status status = pd_system_use_loops(sys, service);
  require(status);
  pd_linsolver_use_loops(solver, service);
}

void StepCommunication::require(pd_status status) const
{
  stop_together(lmp, FLERR,
                status ? fmt::format("Fix implicit/polyhedron: {}", pd_strerror(status)) : "");
}

/* a module may be missing on one process only: that one says why */
void StepCommunication::require_of_solver(pd_status status) const
{
  const pd_linsolver_fault fault = pd_linsolver_fault_get();
  std::string text;
  if (status == PD_EMODULE && *fault.reason)
    text = fmt::format(" {} needs {}, which cannot be loaded ({}): it has to be of the plugin's "
                       "own build and beside it, and PETSc's libraries installed",
                       backend, fault.file, fault.reason);
  else if (status && status != PD_EMODULE)
    text = fmt::format(" {}: {}", backend, pd_strerror(status));
  stop_together(lmp, FLERR, text.empty() ? text : "Fix implicit/polyhedron: solver" + text);
}

void StepCommunication::set_walls(int nbody, int nfree)
{
  first_wall = nbody - nfree;
  walls = nfree;
}

double *StepCommunication::carrier(int nbody)
{
  room.resize((size_t)WIDTH * nbody);
  return room.data();
}

void StepCommunication::forward_atoms(double *values)
{
  moving = values;
  Compat::forward(comm, owner, WIDTH);
}

void StepCommunication::forward(double *values)
{
  forward_atoms(values);
  if (walls > 0)
    MPI_Bcast(values + (size_t)WIDTH * first_wall, WIDTH * walls, MPI_DOUBLE, 0, world);
}

void StepCommunication::count_images(double *steps)
{
  counting = true;
  forward_atoms(steps);
  counting = false;
}

bool StepCommunication::anywhere(bool here) const
{
  int mine = here, any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, world);
  return any != 0;
}

/* ---- rows of the matrix ---- */

/* consecutive on every process, ghosts learn theirs from the owners; returns their number */
long StepCommunication::number_rows(pd_system *sys, long *first)
{
  int mine = 0, upto = 0, all = 0;
  for (int k = 0; k < sys->norder; k++)
    if (sys->body[sys->order[k]].mobile) mine++;
  MPI_Scan(&mine, &upto, 1, MPI_INT, MPI_SUM, world);
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, world);
  *first = upto - mine;
  long row = *first;
  double *number = carrier(sys->nbody);
  for (int i = 0; i < sys->nbody; i++) number[WIDTH * i] = -1.0;
  for (int k = 0; k < sys->norder; k++)
    if (sys->body[sys->order[k]].mobile) number[WIDTH * sys->order[k]] = (double)row++;
  forward(number);
  for (int i = 0; i < sys->nbody; i++) sys->body[i].row = (long)number[WIDTH * i];
  return all;
}

bool StepCommunication::same_pattern(const pd_system &sys, long all) const
{
  const pd_pattern &now = sys.pattern;
  const int n = now.rowptr[now.nlocal];
  return rows == all && (int)rowptr.size() == now.nlocal + 1 &&
         std::equal(rowptr.begin(), rowptr.end(), now.rowptr) && (int)col.size() == n &&
         std::equal(col.begin(), col.end(), now.col);
}

void StepCommunication::set_pattern(pd_system *sys)
{
  long first;
  const long all = number_rows(sys, &first);
  pd_status status = pd_system_pattern(sys, first, all);
  require(status);
  if (!anywhere(!same_pattern(*sys, all))) return;
  rows = all;
  const pd_pattern &now = sys->pattern;
  rowptr.assign(now.rowptr, now.rowptr + now.nlocal + 1);
  col.assign(now.col, now.col + now.rowptr[now.nlocal]);
  require_of_solver(pd_linsolver_set_pattern(solver, now.nlocal, all, now.rowptr, now.col));
}

void StepCommunication::release_solver()
{
  if (solver) pd_linsolver_release(solver);
}

/* ---- services for the core ---- */

void StepCommunication::forward_all(void *ctx, double *values)
{
  static_cast<StepCommunication *>(ctx)->forward(values);
}

void StepCommunication::sum_all(void *ctx, double *x, int n)
{
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM,
                static_cast<StepCommunication *>(ctx)->world);
}

void StepCommunication::max_all(void *ctx, double *x, int n)
{
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX,
                static_cast<StepCommunication *>(ctx)->world);
}

pd_status StepCommunication::solve_all(void *ctx, const pd_linear *a, double *x)
{
  pd_linsolver *by = static_cast<StepCommunication *>(ctx)->solver;
  const pd_status status = a->again ? PD_OK : pd_linsolver_factor(by, a->values, a->place);
  return status ? status : pd_linsolver_solve(by, a->rhs, x, a->accuracy);
}

int StepCommunication::pack(const double *values, bool counting, int n, const int *list,
                            double *buf, const int *pbc)
{
  for (int i = 0; i < n; i++) {
    std::copy_n(values + WIDTH * list[i], (int)WIDTH, buf + WIDTH * i);
    for (int k = 0; counting && pbc && k < 3; k++) buf[WIDTH * i + k] += pbc[k];
  }
  return WIDTH * n;
}

void StepCommunication::unpack(double *values, int n, int first, const double *buf)
{
  std::copy(buf, buf + WIDTH * n, values + WIDTH * first);
}

int StepCommunication::pack_forward(int n, const int *list, double *buf, const int *pbc) const
{
  return pack(moving, counting, n, list, buf, pbc);
}

void StepCommunication::unpack_forward(int n, int first, const double *buf)
{
  unpack(moving, n, first, buf);
}
