/* SPDX-License-Identifier: GPL-2.0-or-later
 * What differs between the LAMMPS versions that are supported: 29 Sep 2021 to the present.
 * LMP_DATE (YYYYMMDD of the host's version.h) comes from the build. */
#ifndef POLYHEDRA_LMP_COMPAT_H
#define POLYHEDRA_LMP_COMPAT_H

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "error.h"
#include "fix.h"
#include "modify.h"
#include "neigh_list.h"
#include "neigh_request.h"
#include "neighbor.h"
#include "pair.h"
#include "pointers.h"
#include "utils.h"

#include "lammps/host/agree.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef LMP_DATE
#error "LMP_DATE must hold the host's version as YYYYMMDD"
#endif

namespace LAMMPS_NS
{
namespace Compat
{

/* full neighbour list: every owned atom sees all its neighbours, whatever the newton setting */
inline void request_full(Neighbor *neighbor, Pair *pair, int instance)
{
#if LMP_DATE >= 20220324
  neighbor->add_request(pair, NeighConst::REQ_FULL);
  (void)instance;
#else
  const int irequest = neighbor->request(pair, instance);
  neighbor->requests[irequest]->half = 0;
  neighbor->requests[irequest]->full = 1;
#endif
}

inline void request_full(Neighbor *neighbor, Fix *fix, int instance)
{
#if LMP_DATE >= 20220324
  neighbor->add_request(fix, NeighConst::REQ_FULL);
  (void)instance;
#else
  const int irequest = neighbor->request(fix, instance); // moves neighbor->requests
  NeighRequest *request = neighbor->requests[irequest];
  request->pair = request->half = 0;
  request->fix = request->full = 1;
#endif
}

#if LMP_DATE >= 20220504
inline void forward(Comm *comm, Fix *fix, int size) { comm->forward_comm(fix, size); }
inline void forward(Comm *comm, Compute *compute) { comm->forward_comm(compute); }
inline void forward(Comm *comm, Pair *pair) { comm->forward_comm(pair); }
inline void reverse(Comm *comm, Fix *fix, int size) { comm->reverse_comm(fix, size); }
inline void reverse(Comm *comm, Compute *compute) { comm->reverse_comm(compute); }
#else
inline void forward(Comm *comm, Fix *fix, int size) { comm->forward_comm_fix(fix, size); }
inline void forward(Comm *comm, Compute *compute) { comm->forward_comm_compute(compute); }
inline void forward(Comm *comm, Pair *pair) { comm->forward_comm_pair(pair); }
inline void reverse(Comm *comm, Fix *fix, int size) { comm->reverse_comm_fix(fix, size); }
inline void reverse(Comm *comm, Compute *compute) { comm->reverse_comm_compute(compute); }
#endif

/* The vector between the nearest images. Later versions ask for the place in the source, too. */
template <class Box>
inline auto nearest_image(Box *box, double *delta, int)
    -> decltype(box->minimum_image(FLERR, delta))
{
  box->minimum_image(FLERR, delta);
}
template <class Box> inline void nearest_image(Box *box, double *delta, long)
{
  box->minimum_image(delta);
}
inline void minimum_image(Domain *box, double *delta) { nearest_image(box, delta, 0); }

/* lowest and highest corner of the box about the cell, tilted or not */
inline const double *low_corner(const Domain *box)
{
  return box->triclinic ? box->boxlo_bound : box->boxlo;
}
inline const double *high_corner(const Domain *box)
{
  return box->triclinic ? box->boxhi_bound : box->boxhi;
}

/* The number of an atom type that the input names by a label, where the host knows them; other text
 * is left as it is. */
inline std::string type_number(LAMMPS *lmp, std::string type)
{
#if LMP_DATE >= 20230802
  if (char *number = utils::expand_type(FLERR, type, Atom::ATOM, lmp)) {
    type = number;
    delete[] number;
  }
#else
  (void)lmp;
#endif
  return type;
}

/* Whether a text of the input can be an atom type or a range of types. */
inline bool may_be_types(LAMMPS *lmp, const std::string &text)
{
#if LMP_DATE >= 20230802
  if (lmp->atom->labelmapflag) return true;
#else
  (void)lmp;
#endif
  return text.find_first_not_of("0123456789*:") == std::string::npos;
}

/* Atom type or range of types of the input. Newer hosts throw where a number has more digits than
 * an integer. */
inline void type_range(LAMMPS *lmp, const std::string &text, int &lo, int &hi)
{
  const int n = lmp->atom->ntypes;
  try {
    utils::bounds(FLERR, type_number(lmp, text), 1, n, lo, hi, lmp->error);
  } catch (const std::out_of_range &) {
    lmp->error->all(FLERR, fmt::format("Numeric index {} is out of bounds (1-{})", text, n));
  }
}

/* Whether a fix is of a style, or of an accelerator package's variant of it, which the command
 * suffix puts in its place. */
inline bool is_style(const Fix *fix, const char *style)
{
  const size_t length = strlen(style);
  if (strncmp(fix->style, style, length) != 0) return false;
  for (const char *suffix : {"", "/gpu", "/intel", "/kk", "/kk/device", "/kk/host", "/omp", "/opt"})
    if (strcmp(fix->style + length, suffix) == 0) return true;
  return false;
}

/* All fixes of one style, in the order of the input script. While one is made in place of another
 * of its ID the host has none there. */
inline std::vector<Fix *> fixes_of_style(Modify *modify, const char *style)
{
  std::vector<Fix *> found;
  for (int i = 0; i < modify->nfix; i++)
    if (modify->fix[i] && is_style(modify->fix[i], style)) found.push_back(modify->fix[i]);
  return found;
}

/* the same as another class that every fix of the style is */
template <class Seen> std::vector<Seen *> fixes_seen_as(Modify *modify, const char *style)
{
  std::vector<Seen *> found;
  for (Fix *f : fixes_of_style(modify, style)) found.push_back(dynamic_cast<Seen *>(f));
  return found;
}

} // namespace Compat
} // namespace LAMMPS_NS

#endif
