/* SPDX-License-Identifier: GPL-2.0-or-later
 * Regions of the host by name. */
#ifndef POLYHEDRA_REGIONS_H
#define POLYHEDRA_REGIONS_H

#include "lammps/host/lmp_compat.h"

#include "domain.h"

namespace LAMMPS_NS
{
namespace Compat
{

/* nullptr if there is none */
inline Region *region_by_id(Domain *domain, const std::string &id)
{
#if LMP_DATE >= 20220623
  return domain->get_region_by_id(id);
#else
  const int i = domain->find_region(id);
  return i < 0 ? nullptr : domain->regions[i];
#endif
}

} // namespace Compat
} // namespace LAMMPS_NS

#endif
