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
  return {false, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, false, NOT_GIVEN};
}

/* A number of the law or of the wish, with the keyword that gives it. */
struct Number {
  const char *key;
  double *at;
};

/* Every number of a law that is given, those of one keyword in the order in which they follow it.
 * Restart files of walls have them in this order, whether the restitution is given before it: it
 * stays the last one. */
static std::vector<Number> numbers(pd_law *law)
{
  pd_friction_law *t = &law->t;
  return {{"normal", &law->eps1},  {"normal", &law->n1},   {"gap", &law->gbar},
          {"barrier", &law->f},    {"barrier", &law->n2},  {"damping", &law->zeta},
          {"ramp", &law->ramp},    {"friction", &t->mu_s}, {"friction", &t->mu_d},
          {"friction", &t->eps_t}, {"friction", &t->c_t},  {"transition", &t->v_s},
          {"restitution", &law->e}};
}

/* the same of a wish */
static std::vector<Number> numbers(AutoLaw *wish)
{
  return {{"velocity", &wish->velocity},
          {"height", &wish->height},
          {"gravity", &wish->gravity},
          {"load", &wish->load},
          {"fraction", &wish->fraction}};
}

static void set_numbers(const Options::Given &option, const std::vector<Number> &all)
{
  int k = 0;
  for (const Number &n : all)
    if (n.key == std::string(option.row->key))
      *n.at = k < option.count() ? option.real(k++) : NOT_GIVEN;
}

static void set_law(const Options::Given &option, pd_law *law)
{
  set_numbers(option, numbers(law));
  if (option.row->key == std::string("restitution")) law->has_e = 1;
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

/* With auto, friction may have its two coefficients alone: fewer than three numbers follow. */
static bool short_friction(int iarg, int narg, char **arg)
{
  int count = 0;
  while (iarg + 1 + count < narg && utils::is_double(arg[iarg + 1 + count])) count++;
  return count < 3;
}

/* Keyword auto itself, the first one of a law. */
static void begin_auto(LAMMPS *lmp, const char *who, pd_law *law, AutoLaw *wish)
{
  const LawNumbers now = law_numbers(*law, *wish), none = law_numbers(empty_law(), no_auto());
  if (!same_numbers(now, none))
    lmp->error->all(FLERR, fmt::format("{}: auto must be the first keyword of the law", who));
  wish->wanted = true;
  law->n1 = PD_AUTO_N1;
  law->n2 = NOT_GIVEN;
  law->ramp = PD_AUTO_RAMP;
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
  if (text == "auto") begin_auto(lmp, who, law, wish);
  set_law(option, law);
  set_numbers(option, numbers(wish));
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

/* ---- as text and as numbers ---- */

std::string LAMMPS_NS::law_keywords(const pd_law &l)
{
  const pd_friction_law &t = l.t;
  std::string s =
      fmt::format("normal {:g} {} gap {} barrier {} {:g}", l.eps1, l.n1, l.gbar, l.f, l.n2);
  if (l.zeta > 0.0) s += fmt::format(" damping {}", l.zeta);
  if (l.zeta > 0.0 || l.has_e) s += fmt::format(" ramp {}", l.ramp);
  if (t.eps_t > 0.0) s += fmt::format(" friction {} {} {:g} {:g}", t.mu_s, t.mu_d, t.eps_t, t.c_t);
  if (t.v_s > 0.0) s += fmt::format(" transition {}", t.v_s);
  if (l.has_e) s += fmt::format(" restitution {}", l.e);
  return s;
}

LawNumbers LAMMPS_NS::law_numbers(pd_law law, AutoLaw wish)
{
  LawNumbers list;
  for (const Number &n : numbers(&law)) list.push_back(*n.at);
  list.insert(list.end() - 1, (double)law.has_e);
  list.push_back((double)wish.wanted);
  for (const Number &n : numbers(&wish)) list.push_back(*n.at);
  return list;
}

void LAMMPS_NS::law_of_numbers(const LawNumbers &list, pd_law *law, AutoLaw *wish)
{
  *law = empty_law();
  const std::vector<Number> all = numbers(law);
  LawNumbers::const_iterator next = list.begin();
  for (const Number &n : all) {
    if (&n == &all.back()) law->has_e = *next++ != 0.0;
    *n.at = *next++;
  }
  wish->wanted = *next++ != 0.0;
  for (const Number &n : numbers(wish)) *n.at = *next++;
  if (!wish->wanted) pd_law_init(law);
}

bool LAMMPS_NS::same_numbers(const LawNumbers &a, const LawNumbers &b)
{
  return a.size() == b.size() && memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
