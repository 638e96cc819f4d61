/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/substep_failure.h"

#include <cfloat>

using namespace LAMMPS_NS;

/* what to do about a substep that is too long for what comes in it; a wall is not to be outrun */
std::string SubstepFailure::shorter_for() const
{
  if (status == PD_EWALL) return "";
  if (fixed) return "; use more substeps";
  return status == PD_EIMPACT ? "; use a smaller minstep, or resolve 0" : "";
}

std::string SubstepFailure::text() const
{
  if (status == PD_OK)
    return fmt::format(
        "Fix implicit/polyhedron: a body moves {:.4g} in a substep of {:.4g} at step "
        "{}, more than half of {:.4g}, by which neighbor lists reach further than contact: "
        "use {} or a larger neighbor skin",
        s.move, h, step, skin, fixed ? "more substeps" : "a smaller minstep");
  const std::string start =
      fmt::format("Fix implicit/polyhedron: no substep is possible at step {}: ", step);
  const std::string more = fixed ? "; use more substeps" : "";
  const std::string shorter = !fixed && barrier.empty() ? "; use a smaller minstep" : more;
  const std::string gap =
      (s.mingap < DBL_MAX ? fmt::format("; smallest gap {:.4g}", s.mingap) : "") + wall + barrier;
  if (status == PD_EENERGY)
    return start + fmt::format("substep length {:.4g} still has an energy error of {:.4g}, more "
                               "than the {:.4g} that guard {:.4g} allows{}{}",
                               h, s.excess, s.allowed, guard, gap, shorter);
  if (status == PD_EWALL && s.blocked_by > 0 && carries)
    return start + fmt::format("body {} and {} are moved through each other by fix deform, or "
                               "another fix that moves bodies, in a substep of length {:.4g}: "
                               "nothing can make way for them{}",
                               s.blocked_by, blocked, h, more);
  if (status == PD_EWALL && s.blocked_by > 0)
    return start + fmt::format("body {}, which another fix moves, would go through {} in a "
                               "substep of length {:.4g}: nothing can make way for it{}",
                               s.blocked_by, blocked, h, more);
  if (status == PD_EWALL || status == PD_EIMPACT || status == PD_ETURN || status == PD_EPULL)
    return start +
           fmt::format("{} of length {:.4g}{}{}", pd_strerror(status), h, wall, shorter_for());
  if (status == PD_EPASSAGE)
    return start +
           fmt::format("{} of length {:.4g}; {}{}{}", pd_strerror(status), h, worst, barrier, more);
  return start + fmt::format("{} at substep length {:.4g}; worst {} with residual {:.4g} (of all "
                             "bodies {:.4g}, relative {:.4g}){}{}",
                             pd_strerror(status), h, worst, s.worst_residual, s.residual,
                             s.scale > 0.0 ? s.residual / s.scale : 0.0, gap, more);
}
