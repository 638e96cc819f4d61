/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_memory.h"

#include <algorithm>

using namespace LAMMPS_NS;

void ForceMemory::recall(const ContactNetwork &network, int stride, double *f) const
{
  for (int i = 0; i < network.net.ncontact; i++) {
    const ContactName &n = network.name[i];
    for (const Record &r : records[network.net.contact[i].a]) {
      if (r.partner != n.partner || r.sa != n.sa || r.sb != n.sb) continue;
      double *at = f + (size_t)stride * i;
      at[0] = r.force;
      if (stride == 3) std::copy_n(r.tangent, 2, at + 1);
    }
  }
}

void ForceMemory::keep(const ContactNetwork &network, int stride, const double *f, int nlocal)
{
  for (int i = 0; i < nlocal; i++) records.clear(i);
  for (int i = 0; i < network.net.ncontact; i++) {
    const double *at = f + (size_t)stride * i;
    if (!(at[0] > 0.0)) continue;
    const ContactName &n = network.name[i];
    Record r = {n.partner, n.sa, n.sb, at[0], {0.0, 0.0}};
    if (stride == 3) std::copy_n(at + 1, 2, r.tangent);
    records[network.net.contact[i].a].push_back(r);
  }
}

void ForceMemory::Record::pack(double *buf) const
{
  buf[0] = ubuf(partner).d;
  buf[1] = sa;
  buf[2] = sb;
  buf[3] = force;
  std::copy_n(tangent, 2, buf + 4);
}

ForceMemory::Record ForceMemory::Record::unpack(double *buf)
{
  return {(int64_t)ubuf(buf[0]).i, (int)buf[1], (int)buf[2], buf[3], {buf[4], buf[5]}};
}
