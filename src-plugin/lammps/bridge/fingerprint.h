/* SPDX-License-Identifier: GPL-2.0-or-later
 * Fingerprints: what the data of a restart file belong to and it does not hold itself. They are
 * written to it, and compared with those of the input script that goes on from it. */
#ifndef POLYHEDRA_FINGERPRINT_H
#define POLYHEDRA_FINGERPRINT_H

#include "lammps/host/lmp_compat.h"

#include "geometry/shape.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

struct Fingerprint {
  std::string subject;         /* whose it is: "shape", "law", or the ID of a fix */
  std::string what;            /* of the subject: "density of atom type 1" */
  std::string value;           /* as messages show it; empty: that there is one is all */
  std::vector<double> numbers; /* what is compared */
};
typedef std::vector<Fingerprint> Fingerprints;

/* A style with data in restart files, or on which such data depend. */
class FingerprintSource
{
public:
  virtual void add_fingerprints(Fingerprints *all) const = 0;

  /* tells objects apart, also of one ID, and one that a set-up has to look at anew from itself */
  long serial() const { return number; }

protected:
  void needs_setup() { number = next(); }

  ~FingerprintSource() = default; /* nobody deletes a style by what the bridge sees of it */

private:
  long number = next();

  static long next();
};

/* That there is a fix of this ID and style. */
Fingerprint fingerprint_of(const Fix *fix);

/* Numbers that tell surfaces apart: triangles, and sums over the vertices v with weights of their
 * own, as parts of size. Not sensitive to rounding. */
std::vector<double> surface_numbers(const pd_shape *shape, const pd_vec3 *v, double size);

/* Those of the pair style and all fixes. */
Fingerprints collect_fingerprints(LAMMPS *lmp);

/* As text and back; false: the text is no list of fingerprints. */
std::string fingerprints_as_text(const Fingerprints &all);
bool fingerprints_of_text(const std::string &text, Fingerprints *all);

/* The first difference as a sentence; empty if there is none. Subjects in changed are left out;
 * what was not there before may be there now. */
std::string first_difference(const Fingerprints &before, const Fingerprints &now,
                             const std::vector<std::string> &changed);

} // namespace LAMMPS_NS

#endif
