/* SPDX-License-Identifier: GPL-2.0-or-later
 * What an implicit step needs of the other processes: values of ghosts, sums, maxima, the linear
 * system. The fix that owns it hands over the host's callbacks for forward communication. */
#ifndef POLYHEDRA_STEP_COMMUNICATION_H
#define POLYHEDRA_STEP_COMMUNICATION_H

#include "lammps/host/lmp_compat.h"

#include "solve/newton.h"

struct pd_linsolver;

namespace LAMMPS_NS
{

class StepCommunication : protected Pointers
{
public:
  enum { WIDTH = 6 }; /* doubles of a body that one communication carries */

  StepCommunication(class LAMMPS *, Fix *owner);
  ~StepCommunication() override;

  /* Linear systems by this backend from now on. Stops with an error if that is not possible. */
  void use_solver(const std::string &name);

  /* Loops of a system and of the solver on threads. Stops with an error if that is not possible. */
  void use_threads(pd_system *sys, const std::string &loops, int threads);

  /* the services for the core */
  const pd_services *services() const { return &core_services; }

  /* The last ones of so many bodies are walls, which all processes have and the first one owns. */
  void set_walls(int nbody, int nfree);

  /* Copies WIDTH doubles per body from owners to ghosts, walls among them (set_walls) or of atoms
   * alone, which every scene of the same list has; an array with room for them. */
  void forward(double *values);
  void forward_atoms(double *values);
  double *carrier(int nbody);

  /* s that this process has spent on linear systems so far */
  double linear_time() const;

  /* Adds up, in the first three of WIDTH doubles of every atom, the lattice steps from an owned
   * atom to its ghosts; zeros before. */
  void count_images(double *steps);

  /* whether it is so on any process */
  bool anywhere(bool here) const;

  /* Numbers the block rows of a system and hands its pattern to the solver, if it has changed. */
  void set_pattern(pd_system *sys);

  /* The solver forgets the matrices that it has seen. */
  void forget_pattern() { rows = -1; }

  /* Frees matrix and factors until the next one is solved. */
  void release_solver();

  /* Values of WIDTH doubles from owners to ghosts; counting: with the lattice steps of the boundary
   * between them, of which the host tells by pbc (nullptr: none). */
  static int pack(const double *values, bool counting, int n, const int *list, double *buf,
                  const int *pbc);
  static void unpack(double *values, int n, int first, const double *buf);

  /* for the owner's callbacks */
  int pack_forward(int n, const int *list, double *buf, const int *pbc) const;
  void unpack_forward(int n, int first, const double *buf);

  /* Stops with an error if a status is one on any process. */
  void require(pd_status status) const;

private:
  Fix *owner;
  pd_services core_services;
  pd_linsolver *solver;
  std::string backend;          /* of the solver */
  int first_wall, walls;        /* which of the bodies are walls */
  double *moving;               /* what a forward communication carries */
  bool counting;                /* lattice steps, and adds those of a boundary */
  std::vector<double> room;     /* of the carrier */
  long rows;                    /* of all processes, in the pattern that the solver knows */
  std::vector<int> rowptr, col; /* that pattern */

  /* Stops with an error if the solver's status, the same on all processes, is one. */
  void require_of_solver(pd_status status) const;

  long number_rows(pd_system *sys, long *first);
  bool same_pattern(const pd_system &sys, long all) const;

  static void forward_all(void *ctx, double *values);
  static void sum_all(void *ctx, double *x, int n);
  static void max_all(void *ctx, double *x, int n);
  static pd_status solve_all(void *ctx, const pd_linear *a, double *x);
};

} // namespace LAMMPS_NS

#endif
