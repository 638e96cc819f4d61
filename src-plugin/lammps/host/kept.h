/* SPDX-License-Identifier: GPL-2.0-or-later
 * What classes of the host keep to themselves and their heirs. */
#ifndef POLYHEDRA_KEPT_H
#define POLYHEDRA_KEPT_H

#include "lammps/host/lmp_compat.h"

#include "fix_setforce.h"
#include "input.h"

namespace LAMMPS_NS
{
namespace Compat
{

/* the command of the input script that is being run */
class InputHeir : public Input
{
public:
  static const char *read(Input *input) { return input->*(&InputHeir::command); }
};

inline bool is_command(Input *input, const char *name)
{
  const char *command = InputHeir::read(input);
  return command && strcmp(command, name) == 0;
}

/* comm_modify group: the group whose atoms alone become ghosts, 0 for all */
class CommHeir : public Comm
{
public:
  static int ghost_group(Comm *comm) { return comm->*(&CommHeir::bordergroup); }
};

/* what fix setforce was given */
struct SetForce {
  bool set[3]; /* components that are set */
  bool zero;   /* everywhere, and to the number 0 */
};

class SetForceHeir : public FixSetForce
{
public:
  static SetForce read(FixSetForce *fix)
  {
    enum { NONE }; /* for NULL, and until the first run for a variable */
    const int style[3] = {fix->*(&SetForceHeir::xstyle), fix->*(&SetForceHeir::ystyle),
                          fix->*(&SetForceHeir::zstyle)};
    const double value[3] = {fix->*(&SetForceHeir::xvalue), fix->*(&SetForceHeir::yvalue),
                             fix->*(&SetForceHeir::zvalue)};
    const char *const variable[3] = {fix->*(&SetForceHeir::xstr), fix->*(&SetForceHeir::ystr),
                                     fix->*(&SetForceHeir::zstr)};
    SetForce given = {{false, false, false}, fix->*(&SetForceHeir::idregion) == nullptr};
    for (int k = 0; k < 3; k++) {
      given.set[k] = variable[k] || style[k] != NONE;
      if (variable[k] || (given.set[k] && value[k] != 0.0)) given.zero = false;
    }
    return given;
  }
};

inline SetForce set_force(Fix *fix) { return SetForceHeir::read(dynamic_cast<FixSetForce *>(fix)); }

/* While one of these lives, the host has one atom of this process: at rest, of mass 1, under a
 * force of 1 in all components. */
class LoneAtom : protected Pointers
{
public:
  LoneAtom(LAMMPS *lmp, int groups)
      : Pointers(lmp), velocity(), force{1.0, 1.0, 1.0}, mass(1.0), mask(groups), v(velocity),
        f(force), all{atom->v, atom->f, atom->rmass, atom->mask, atom->nlocal}
  {
    show({&v, &f, &mass, &mask, 1});
  }
  ~LoneAtom() override { show(all); }
  LoneAtom(const LoneAtom &) = delete;
  LoneAtom &operator=(const LoneAtom &) = delete;

  bool moves(int k) const { return velocity[k] != 0.0; }

private:
  struct Atoms {
    double **v, **f, *rmass;
    int *mask, nlocal;
  };
  double velocity[3], force[3], mass;
  int mask;
  double *v, *f;
  const Atoms all;

  void show(const Atoms &a)
  {
    atom->v = a.v;
    atom->f = a.f;
    atom->rmass = a.rmass;
    atom->mask = a.mask;
    atom->nlocal = a.nlocal;
  }
};

/* Components (bits) that a fix move leaves to the forces: it was given NULL for them. Its end of a
 * step changes their velocities alone. It has to know the time step, of which the host tells it
 * later than others ask. */
inline int components_left_to_forces(LAMMPS *lmp, Fix *move)
{
  move->init();
  const LoneAtom lone(lmp, move->groupbit);
  move->final_integrate();
  int left = 0;
  for (int k = 0; k < 3; k++)
    if (lone.moves(k)) left |= 1 << k;
  return left;
}

/* The step from which a fix move counts its time, as it would write it into a restart file: how
 * many bytes follow, then that number. Collective. */
inline double start_of_move(LAMMPS *lmp, Fix *move)
{
  char text[256] = {0};
  double step = 0.0;
  FILE *file = fmemopen(text, sizeof text, "wb");
  if (file) {
    move->write_restart(file);
    fclose(file);
    memcpy(&step, text + sizeof(int), sizeof step);
  }
  MPI_Bcast(&step, 1, MPI_DOUBLE, 0, lmp->world);
  return step;
}

} // namespace Compat
} // namespace LAMMPS_NS

#endif
