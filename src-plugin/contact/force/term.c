/* SPDX-License-Identifier: MIT
 * One signed term of the contact set: local problem, law, force. */
#include "contact/force/term.h"

#include "contact/force/scheme.h"

static pd_contact_kind term_kind(int na, int nb)
{
  if (na == 2 && nb == 2) return PD_EE;
  return na + nb == 4 ? PD_VF : na + nb == 3 ? PD_VE : PD_VV;
}

pd_status pd_term_add(const pd_evaluation *pair, pd_simplex a, pd_simplex b, double w,
                      pd_sample_sum *sum, const pd_tangent *k)
{
  pd_gap g = pd_gap_solve(a.n, a.x, b.n, b.x, pair->r);
  g.gap = g.d - pair->rounds;
  if (!isfinite(g.gap)) return PD_ENAN;
  if (g.gap <= 0.0) return PD_ETOUCH;
  if (g.gap >= pair->law->gbar) return PD_OK;
  const pd_law_value v = pd_law_eval(pair->law, g.gap);
  const pd_normal_force f = pair->scheme->add_term(pair, &g, v, w, sum, k);
  const double share = fabs(w) * v.fn;
  sum->energy += w * v.phi;
  sum->resultant = pd_axpy(sum->resultant, w * f.n, g.n);
  sum->point = pd_axpy(sum->point, share, pd_axpy(g.pa, -(pair->round[0] + 0.5 * g.gap), g.n));
  sum->weight += share;
  sum->stiff -= w * v.df;
  if (share > sum->strongest) sum->strongest = share, sum->kind = term_kind(a.n, b.n);
  if (g.gap < sum->mingap) sum->mingap = g.gap;
  sum->active = 1;
  return PD_OK;
}
