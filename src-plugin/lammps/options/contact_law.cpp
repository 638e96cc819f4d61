/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/options/contact_law.h"

#include "lammps/options/parse.h"

#include "comm.h"
#include "utils.h"

#include "contact/law/automatic.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace LAMMPS_NS;

static const double NOT_GIVEN = std::numeric_limits<double>::quiet_NaN();

static bool given(double x) { return !std::isnan(x); }

AutoLaw LAMMPS_NS::no_auto()
{
  return {false, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN};
}

static void set_values(const Options::Given &option, const std::vector<double *> &values)
{
  for (int k = 0; k < option.count(); k++) *values[k] = option.real(k);
}

static void set_law(const Options::Given &option, pd_law *law)
{
  namespace key = Options::Law;
  pd_friction_law *t = &law->t;
  switch (option.id()) {
  case key::NORMAL:
    return set_values(option, {&law->eps1, &law->n1});
  case key::GAP:
    return set_values(option, {&law->gbar});
  case key::BARRIER:
    return set_values(option, {&law->f, &law->n2});
  case key::DAMPING:
    return set_values(option, {&law->zeta});
  case key::RAMP:
    return set_values(option, {&law->ramp});
  case key::FRICTION:
    return set_values(option, {&t->mu_s, &t->mu_d, &t->eps_t, &t->c_t});
  case key::SHORT_FRICTION:
    t->eps_t = t->c_t = NOT_GIVEN;
    return set_values(option, {&t->mu_s, &t->mu_d});
  case key::TRANSITION:
    return set_values(option, {&t->v_s});
  case key::RESTITUTION:
    law->has_e = 1;
    return set_values(option, {&law->e});
  }
}

pd_law LAMMPS_NS::empty_law()
{
  pd_law law = pd_law();
  law.eps1 = law.gbar = NOT_GIVEN;
  law.n1 = 1.0;
  Options::defaults(Options::Law::keywords,
                    [&law](const Options::Given &option) { set_law(option, &law); });
  return law;
}

/* With auto, friction may have its two coefficients alone. */
static bool short_friction(int iarg, int narg, char **arg)
{
  return iarg + 2 < narg && (iarg + 3 >= narg || !utils::is_double(arg[iarg + 3]));
}

/* Keyword auto itself, the first one of a law. */
static void begin_auto(LAMMPS *lmp, const char *who, pd_law *law, AutoLaw *wish)
{
  const LawNumbers now = law_numbers(*law, *wish), none = law_numbers(empty_law(), no_auto());
  if (memcmp(now.data(), none.data(), sizeof(now)) != 0)
    lmp->error->all(FLERR, fmt::format("{}: auto must be the first keyword of the law", who));
  wish->wanted = true;
  law->n1 = PD_AUTO_N1;
  law->n2 = NOT_GIVEN;
}

static void set_wish(const Options::Given &option, AutoLaw *wish)
{
  namespace key = Options::Law;
  switch (option.id()) {
  case key::VELOCITY:
    return set_values(option, {&wish->velocity});
  case key::HEIGHT:
    return set_values(option, {&wish->height});
  case key::GRAVITY:
    return set_values(option, {&wish->gravity});
  case key::LOAD:
    return set_values(option, {&wish->load});
  case key::FRACTION:
    return set_values(option, {&wish->fraction});
  }
}

int LAMMPS_NS::parse_law_keyword(LAMMPS *lmp, const char *who, int iarg, int narg, char **arg,
                                 pd_law *law, AutoLaw *wish)
{
  namespace key = Options::Law;
  const std::string text = arg[iarg];
  const bool late = wish->wanted && key::after_auto.find(text) &&
                    (text != "friction" || short_friction(iarg, narg, arg));
  const Options::Table &table = late ? key::after_auto : key::keywords;
  if (!table.find(text)) return iarg;
  const Options::Given option = Options::parse(lmp, table, who, iarg, narg, arg);
  if (option.id() == key::AUTO) begin_auto(lmp, who, law, wish);
  set_law(option, law);
  set_wish(option, wish);
  return option.next;
}

struct Rule {
  bool ok;
  const char *text;
};

static void check_auto(LAMMPS *lmp, const char *who, const pd_law &law, const AutoLaw &w)
{
  const Rule rules[] = {
      {!given(law.eps1), "keyword normal is what auto chooses: give one of them"},
      {given(w.velocity) || given(w.height), "auto needs keyword velocity or height"},
      {!given(w.fraction) || !given(law.gbar), "keywords gap and fraction exclude each other"}};
  for (const Rule &r : rules)
    if (!r.ok) lmp->error->all(FLERR, fmt::format("{}: {}", who, r.text));
}

/* What is open gets values that pass, so that the rules of a complete law can be applied. */
static pd_law filled(pd_law law)
{
  law.eps1 = 1.0;
  if (!given(law.gbar)) law.gbar = 1.0;
  if (!given(law.n2)) law.n2 = -1.0;
  if (!given(law.t.eps_t)) law.t.eps_t = law.t.c_t = 1.0;
  return law;
}

static void check_law(LAMMPS *lmp, const char *who, const pd_law *law)
{
  const pd_friction_law &t = law->t;
  const Rule rules[] = {
      {given(law->eps1), "keyword normal (stiffness and exponent) is missing"},
      {given(law->gbar), "keyword gap is missing"},
      {std::isfinite(t.mu_s + t.mu_d + t.eps_t + t.c_t + t.v_s),
       "friction parameters must be finite numbers"},
      {t.mu_s >= t.mu_d, "the static friction coefficient must not be smaller "
                         "than the dynamic one"},
      {t.v_s == 0.0 || t.eps_t > 0.0, "keyword transition makes sense with keyword friction only"}};
  for (const Rule &r : rules)
    if (!r.ok) lmp->error->all(FLERR, fmt::format("{}: {}", who, r.text));
  if (law->n2 > -1.0 && lmp->comm->me == 0)
    lmp->error->warning(
        FLERR, fmt::format("{}: barrier exponent n2 = {} > -1: the barrier's energy is finite, "
                           "fast bodies can pass through each other",
                           who, law->n2));
}

void LAMMPS_NS::finish_law(LAMMPS *lmp, const char *who, pd_law *law, const AutoLaw &wish)
{
  if (wish.wanted) {
    check_auto(lmp, who, *law, wish);
    const pd_law whole = filled(*law);
    return check_law(lmp, who, &whole);
  }
  check_law(lmp, who, law);
  if (pd_law_init(law))
    lmp->error->all(
        FLERR,
        fmt::format("{}: parameters out of range: the barrier of this law, normal {} {} gap {} "
                    "barrier {} {}, is no finite number",
                    who, law->eps1, law->n1, law->gbar, law->f, law->n2));
}

/* ---- as numbers ---- */

LawNumbers LAMMPS_NS::law_numbers(const pd_law &l, const AutoLaw &w)
{
  return {{l.eps1,           l.n1,       l.gbar,    l.f,       l.n2,    l.zeta,          l.ramp,
           l.t.mu_s,         l.t.mu_d,   l.t.eps_t, l.t.c_t,   l.t.v_s, (double)l.has_e, l.e,
           (double)w.wanted, w.velocity, w.height,  w.gravity, w.load,  w.fraction}};
}

void LAMMPS_NS::law_of_numbers(const LawNumbers &n, pd_law *l, AutoLaw *w)
{
  *l = empty_law();
  double *const value[] = {&l->eps1, &l->n1,     &l->gbar,   &l->f,       &l->n2,    &l->zeta,
                           &l->ramp, &l->t.mu_s, &l->t.mu_d, &l->t.eps_t, &l->t.c_t, &l->t.v_s};
  for (int i = 0; i < 12; i++) *value[i] = n[i];
  l->has_e = n[12] != 0.0;
  l->e = n[13];
  *w = {n[14] != 0.0, n[15], n[16], n[17], n[18], n[19]};
  if (!w->wanted) pd_law_init(l);
}
