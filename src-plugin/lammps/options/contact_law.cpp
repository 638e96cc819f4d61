/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/options/contact_law.h"

#include "fix_gravity.h"
#include "update.h"

#include "contact/law/automatic.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace LAMMPS_NS;

static const double NOT_GIVEN = std::numeric_limits<double>::quiet_NaN();

static bool given(double x) { return !std::isnan(x); }

AutoLaw LAMMPS_NS::no_auto()
{
  return {false, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN};
}

pd_law LAMMPS_NS::empty_law()
{
  pd_law law = pd_law();
  law.eps1 = law.gbar = NOT_GIVEN;
  law.n1 = 1.0;
  law.f = 0.1;
  law.n2 = -1.0;
  law.zeta = 0.0;
  law.ramp = 0.2;
  law.t = pd_friction_law();
  return law;
}

/* With auto, friction may have its two coefficients alone. */
static bool short_friction(int iarg, int narg, char **arg)
{
  return iarg + 2 < narg && (iarg + 3 >= narg || !utils::is_double(arg[iarg + 3]));
}

/* Keyword auto itself, the first one of a law. */
static int begin_auto(LAMMPS *lmp, const char *who, int iarg, pd_law *law, AutoLaw *wish)
{
  const LawNumbers now = law_numbers(*law, *wish), none = law_numbers(empty_law(), no_auto());
  if (memcmp(now.data(), none.data(), sizeof(now)) != 0)
    lmp->error->all(FLERR, fmt::format("{}: auto must be the first keyword of the law", who));
  wish->wanted = true;
  law->n1 = PD_AUTO_N1;
  law->n2 = NOT_GIVEN;
  return iarg + 1;
}

int LAMMPS_NS::parse_law_keyword(LAMMPS *lmp, const char *who, int iarg, int narg, char **arg,
                                 pd_law *law, AutoLaw *wish)
{
  pd_friction_law &t = law->t;
  struct Keyword {
    const char *name;
    int n;
    double *value[4];
    bool of_auto;
  };
  const Keyword keywords[] = {{"normal", 2, {&law->eps1, &law->n1}, false},
                              {"gap", 1, {&law->gbar}, false},
                              {"barrier", 2, {&law->f, &law->n2}, false},
                              {"damping", 1, {&law->zeta}, false},
                              {"ramp", 1, {&law->ramp}, false},
                              {"friction", 4, {&t.mu_s, &t.mu_d, &t.eps_t, &t.c_t}, false},
                              {"transition", 1, {&t.v_s}, false},
                              {"restitution", 1, {&law->e}, false},
                              {"velocity", 1, {&wish->velocity}, true},
                              {"height", 1, {&wish->height}, true},
                              {"gravity", 1, {&wish->gravity}, true},
                              {"load", 1, {&wish->load}, true},
                              {"fraction", 1, {&wish->fraction}, true}};
  const std::string key = arg[iarg];
  if (key == "auto") return begin_auto(lmp, who, iarg, law, wish);
  for (const Keyword &k : keywords) {
    if (key != k.name || (k.of_auto && !wish->wanted)) continue;
    const bool brief = wish->wanted && key == "friction" && short_friction(iarg, narg, arg);
    const int n = brief ? 2 : k.n;
    if (iarg + n >= narg)
      lmp->error->all(FLERR, fmt::format("{}: keyword {} needs {} value(s)", who, key, k.n));
    for (int i = 0; i < n; i++) *k.value[i] = utils::numeric(FLERR, arg[iarg + 1 + i], false, lmp);
    if (key == "restitution") law->has_e = 1;
    if (brief)
      t.eps_t = t.c_t = NOT_GIVEN;
    else if (key == "friction" && !(t.eps_t > 0.0))
      lmp->error->all(FLERR, fmt::format("{}: tangential stiffness must be > 0", who));
    return iarg + 1 + n;
  }
  return iarg;
}

struct Rule {
  bool ok;
  const char *text;
};

static void check_auto(LAMMPS *lmp, const char *who, const pd_law &law, const AutoLaw &w)
{
  const auto above = [](double x) { return !given(x) || (x > 0.0 && std::isfinite(x)); };
  const Rule rules[] = {
      {!given(law.eps1), "keyword normal is what auto chooses: give one of them"},
      {given(w.velocity) || given(w.height), "auto needs keyword velocity or height"},
      {above(w.velocity), "velocity must be > 0 and finite"},
      {above(w.height), "height must be > 0 and finite"},
      {!given(w.gravity) || (w.gravity >= 0.0 && std::isfinite(w.gravity)),
       "gravity must be >= 0 and finite"},
      {!given(w.load) || (w.load >= 0.0 && std::isfinite(w.load)), "load must be >= 0 and finite"},
      {!given(w.fraction) || (w.fraction > 0.0 && w.fraction <= 0.2),
       "fraction must lie between 0 and 0.2"},
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
  const double eps1 = law->eps1, gbar = law->gbar;
  const pd_friction_law &t = law->t;
  const Rule rules[] = {
      {given(eps1), "keyword normal (stiffness and exponent) is missing"},
      {given(gbar), "keyword gap is missing"},
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

/* ---- auto ---- */

/* gravity whose components or magnitude are variables is not known before the run */
struct Gravity : FixGravity {
  static bool varies(const FixGravity *f) { return f->*(&Gravity::varflag) != 0; }
  static bool off(const FixGravity *f) { return f->*(&Gravity::disable) != 0; }
};

/* magnitude of the sum of all fixes gravity, NaN if there is none */
static double gravity_of_fixes(LAMMPS *lmp, const std::string &name)
{
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  bool any = false;
  for (Fix *f : Compat::fixes_of_style(lmp->modify, "gravity")) {
    auto *g = dynamic_cast<FixGravity *>(f);
    if (!g || Gravity::off(g)) continue;
    if (Gravity::varies(g))
      lmp->error->all(FLERR, fmt::format("{} auto: fix {} has a gravity that varies: add keyword "
                                         "gravity",
                                         name, f->id));
    int dim;
    sum = pd_add(sum, pd_v_load(static_cast<double *>(g->extract("gvec", dim))));
    any = true;
  }
  return any ? pd_norm(sum) : NOT_GIVEN;
}

/* three digits, so that the line in the log gives the same law when it is used as input */
static double rounded(double x) { return strtod(fmt::format("{:.3g}", x).c_str(), nullptr); }

/* the keywords that give this law */
static std::string law_keywords(const pd_law &l)
{
  const pd_friction_law &t = l.t;
  std::string s =
      fmt::format("normal {:g} {} gap {} barrier {} {:g}", l.eps1, l.n1, l.gbar, l.f, l.n2);
  if (l.zeta > 0.0) s += fmt::format(" damping {} ramp {}", l.zeta, l.ramp);
  if (t.eps_t > 0.0) s += fmt::format(" friction {} {} {:g} {:g}", t.mu_s, t.mu_d, t.eps_t, t.c_t);
  if (t.v_s > 0.0) s += fmt::format(" transition {}", t.v_s);
  if (l.has_e) s += fmt::format(" restitution {}", l.e);
  return s;
}

/* loads and impacts as forces, masses and speeds */
static pd_law_task task_of(LAMMPS *lmp, const std::string &name, const AutoLaw &w, double mass)
{
  const double g = given(w.gravity) ? w.gravity : gravity_of_fixes(lmp, name);
  for (const char *key : {"height", "load"})
    if (given(key[0] == 'h' ? w.height : w.load) && !(g > 0.0))
      lmp->error->all(FLERR, fmt::format("{} auto: keyword {} needs gravity: add fix gravity or "
                                         "keyword gravity",
                                         name, key));
  const double v = given(w.velocity) ? w.velocity : 0.0, h = given(w.height) ? w.height : 0.0;
  const double load = given(w.load) ? w.load : 10.0;
  pd_law_task t;
  t.mass = mass;
  t.speed = g > 0.0 ? sqrt(v * v + 2.0 * g * h) : v;
  t.weight = g > 0.0 ? load * mass * g : 0.0;
  return t;
}

void LAMMPS_NS::choose_law(LAMMPS *lmp, const std::string &name, double mass, double size,
                           pd_law *law, AutoLaw *wish)
{
  const pd_law_task t = task_of(lmp, name, *wish, mass);
  pd_friction_law &f = law->t;
  if (!given(law->gbar))
    law->gbar = rounded(size * (given(wish->fraction) ? wish->fraction : PD_AUTO_FRACTION));
  law->eps1 = rounded(pd_auto_stiffness(law, &t));
  if (!given(law->n2)) law->n2 = pd_auto_barrier(law, &t);
  if (!given(f.eps_t)) {
    f.eps_t = rounded(pd_auto_tangent(law));
    f.c_t = rounded(pd_auto_viscosity(law, mass));
  }
  if (pd_law_init(law))
    lmp->error->all(FLERR, fmt::format("{} auto: there is no law for mass {:g}, speed {:g} and gap "
                                       "{:g}: {}",
                                       name, mass, t.speed, law->gbar, law_keywords(*law)));
  wish->wanted = false;
  if (lmp->comm->me) return;
  const pd_law_outlook o = pd_auto_outlook(law, &t);
  utils::logmesg(
      lmp, fmt::format("{} {} # auto: mass {:g}, size {:g}; impacts at {:g} reach {:.2g} of the "
                       "gap, last {:.2g} ({:.2g} time steps); barrier from {:.3g}; weight {:g} "
                       "presses {:.2g} of the gap\n",
                       name, law_keywords(*law), mass, size, t.speed, o.depth, o.time,
                       o.time / lmp->update->dt, o.limit, t.weight, o.static_depth));
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
