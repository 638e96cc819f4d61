/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contact_law.h"

#include <cmath>
#include <limits>

using namespace LAMMPS_NS;

pd_law LAMMPS_NS::empty_law()
{
  pd_law law = pd_law();
  law.eps1 = law.gbar = std::numeric_limits<double>::quiet_NaN();
  law.n1 = 1.0;
  law.f = 0.1;
  law.n2 = -1.0;
  law.zeta = 0.0;
  law.ramp = 0.2;
  law.t = pd_friction_law();
  return law;
}

int LAMMPS_NS::parse_law_keyword(LAMMPS *lmp, const char *who, int iarg, int narg, char **arg,
                                 pd_law *law)
{
  pd_friction_law &t = law->t;
  struct Keyword {
    const char *name;
    int n;
    double *value[4];
  };
  const Keyword keywords[] = {{"normal", 2, {&law->eps1, &law->n1}},
                              {"gap", 1, {&law->gbar, nullptr}},
                              {"barrier", 2, {&law->f, &law->n2}},
                              {"damping", 1, {&law->zeta, nullptr}},
                              {"ramp", 1, {&law->ramp, nullptr}},
                              {"friction", 4, {&t.mu_s, &t.mu_d, &t.eps_t, &t.c_t}},
                              {"transition", 1, {&t.v_s, nullptr}},
                              {"restitution", 1, {&law->e, nullptr}}};
  for (const Keyword &k : keywords) {
    if (strcmp(arg[iarg], k.name) != 0) continue;
    if (iarg + k.n >= narg)
      lmp->error->all(FLERR, fmt::format("{}: keyword {} needs {} value(s)", who, k.name, k.n));
    for (int i = 0; i < k.n; i++)
      *k.value[i] = utils::numeric(FLERR, arg[iarg + 1 + i], false, lmp);
    if (strcmp(k.name, "restitution") == 0) law->has_e = 1;
    if (strcmp(k.name, "friction") == 0 && !(t.eps_t > 0.0))
      lmp->error->all(FLERR, fmt::format("{}: tangential stiffness must be > 0", who));
    return iarg + 1 + k.n;
  }
  return iarg;
}

void LAMMPS_NS::finish_law(LAMMPS *lmp, const char *who, pd_law *law)
{
  struct Rule {
    bool ok;
    const char *text;
  };
  const double eps1 = law->eps1, gbar = law->gbar;
  const pd_friction_law &t = law->t;
  const Rule rules[] = {{!std::isnan(eps1), "keyword normal (stiffness and exponent) is missing"},
                        {!std::isnan(gbar), "keyword gap is missing"},
                        {eps1 > 0.0, "normal stiffness must be > 0"},
                        {law->n1 >= 1.0, "normal exponent n1 must be >= 1"},
                        {gbar > 0.0, "gap must be > 0"},
                        {law->f > 0.0 && law->f < 1.0, "barrier fraction must lie between 0 and 1"},
                        {law->n2 < 0.0, "barrier exponent n2 must be < 0"},
                        {law->zeta >= 0.0, "damping ratio must be >= 0"},
                        {law->ramp >= 0.0 && law->ramp <= 1.0, "ramp must lie between 0 and 1"},
                        {law->e >= 0.0 && law->e <= 1.0, "restitution must lie between 0 and 1"},
                        {std::isfinite(t.mu_s + t.mu_d + t.eps_t + t.c_t + t.v_s),
                         "friction parameters must be finite numbers"},
                        {t.mu_d >= 0.0, "friction coefficients must be >= 0"},
                        {t.mu_s >= t.mu_d, "the static friction coefficient must not be smaller "
                                           "than the dynamic one"},
                        {t.c_t >= 0.0, "tangential viscosity must be >= 0"},
                        {t.v_s >= 0.0, "the speed of transition must be >= 0"},
                        {t.v_s == 0.0 || t.eps_t > 0.0,
                         "keyword transition makes sense with keyword friction only"}};
  for (const Rule &r : rules)
    if (!r.ok) lmp->error->all(FLERR, fmt::format("{}: {}", who, r.text));
  if (law->n2 > -1.0 && lmp->comm->me == 0)
    lmp->error->warning(
        FLERR, fmt::format("{}: barrier exponent n2 = {} > -1: the barrier's energy is finite, "
                           "fast bodies can pass through each other",
                           who, law->n2));
  if (pd_law_init(law))
    lmp->error->all(
        FLERR,
        fmt::format("{}: parameters out of range: the barrier of this law, normal {} {} gap {} "
                    "barrier {} {}, is no finite number",
                    who, eps1, law->n1, gbar, law->f, law->n2));
}
