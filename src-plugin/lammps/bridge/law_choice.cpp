/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/law_choice.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/bridge/shape_table.h"
#include "lammps/host/lmp_compat.h"

#include "atom.h"
#include "domain.h"
#include "fix_gravity.h"
#include "update.h"

#include "contact/law/automatic.h"
#include "dynamics/integrator.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace LAMMPS_NS;

static bool given(double x) { return !std::isnan(x); }

/* gravity whose components or magnitude are variables is not known before the run */
struct Gravity : FixGravity {
  static bool varies(const FixGravity *f) { return f->*(&Gravity::varflag) != 0; }
  static bool off(const FixGravity *f) { return f->*(&Gravity::disable) != 0; }
};

/* sum of all fixes gravity */
static pd_vec3 gravity_of_fixes(LAMMPS *lmp, const std::string &name)
{
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  for (Fix *f : Compat::fixes_of_style(lmp->modify, "gravity")) {
    auto *g = dynamic_cast<FixGravity *>(f);
    if (!g || Gravity::off(g)) continue;
    if (Gravity::varies(g))
      lmp->error->all(FLERR, fmt::format("{} auto: fix {} has a gravity that varies: add keyword "
                                         "gravity, and velocity or height if neither is given",
                                         name, f->id));
    int dim;
    sum = pd_add(sum, pd_v_load(static_cast<double *>(g->extract("gvec", dim))));
  }
  return sum;
}

/* a fall from one end of the box to the other */
static double height_of_box(LAMMPS *lmp, const std::string &name, pd_vec3 g)
{
  const Domain *box = lmp->domain;
  const double *low = Compat::low_corner(box), *high = Compat::high_corner(box);
  const double along[3] = {fabs(g.x), fabs(g.y), fabs(g.z)};
  double height = 0.0;
  for (int k = 0; k < 3; k++) {
    if (along[k] > 0.0 && box->periodicity[k])
      lmp->error->all(FLERR,
                      fmt::format("{} auto: bodies fall through the periodic boundary {}, so "
                                  "that the speed of impacts is not known: add keyword "
                                  "velocity or height",
                                  name, "xyz"[k]));
    height += along[k] * (high[k] - low[k]);
  }
  return height / pd_norm(g);
}

/* speed that no point of a body exceeds */
static double surface_speed(Atom *atom, int i, const ShapeOfType &s)
{
  const double speed = pd_norm(pd_v_load(atom->v[i]));
  if (!s.shape || atom->ellipsoid[i] < 0) return speed;
  const pd_mat3 rotation = pd_q_matrix(quat_load(quat_of(atom, i)));
  const pd_vec3 w = omega_of(rotation, pd_v_load(s.moments), atom->angmom[i]);
  return speed + pd_norm(w) * s.shape->lever;
}

static double fastest_surface(LAMMPS *lmp)
{
  Atom *atom = lmp->atom;
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  double most = 0.0, all;
  for (int i = 0; i < atom->nlocal; i++)
    most = fmax(most, surface_speed(atom, i, shapes[atom->type[i]]));
  MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, lmp->world);
  return all;
}

std::vector<bool> LAMMPS_NS::types_that_move(LAMMPS *lmp, int groupbit)
{
  const Atom *atom = lmp->atom;
  OtherFixes fixes(lmp);
  fixes.find("keyword auto");
  std::vector<int> mine(2 * (atom->ntypes + 1), 0), all(mine); /* there are some; some that move */
  for (int i = 0; i < atom->nlocal; i++) {
    int *type = &mine[2 * atom->type[i]];
    type[0] = 1;
    if ((atom->mask[i] & groupbit) && fixes.moves_centre(i)) type[1] = 1;
  }
  MPI_Allreduce(mine.data(), all.data(), (int)all.size(), MPI_INT, MPI_MAX, lmp->world);
  std::vector<bool> moves(atom->ntypes + 1);
  bool any = false;
  for (int t = 1; t <= atom->ntypes; t++) {
    moves[t] = all[2 * t + 1] || !all[2 * t];
    any = any || all[2 * t + 1];
  }
  return any ? moves : std::vector<bool>(atom->ntypes + 1, true);
}

LawBodies LAMMPS_NS::bodies_of_types(const ShapeOfType &a, bool a_moves, const ShapeOfType &b,
                                     bool b_moves)
{
  const bool both = a_moves == b_moves;
  const double ma = both || a_moves ? a.mass : b.mass, mb = both || b_moves ? b.mass : a.mass;
  return {fmax(ma, mb), fmin(ma, mb), fmin(a.size, b.size)};
}

/* Where the user says nothing of speeds: that of the fastest point of a body now, after a fall
 * through the box if there is gravity. Returns this for the log. */
static std::string guess_impacts(LAMMPS *lmp, const std::string &name, AutoLaw *w)
{
  w->velocity = fastest_surface(lmp);
  const pd_vec3 g = given(w->gravity) ? pd_v(0.0, 0.0, 0.0) : gravity_of_fixes(lmp, name);
  if (pd_norm(g) > 0.0) w->height = height_of_box(lmp, name, g);
  if (!(w->velocity > 0.0) && !given(w->height))
    lmp->error->all(FLERR, fmt::format("{} auto: {}, so that the speed of impacts is not known: "
                                       "add keyword velocity or height",
                                       name,
                                       given(w->gravity)
                                           ? "no body moves and keyword gravity has no direction "
                                             "in which bodies would fall through the box"
                                           : "no body moves and no fix gravity acts"));
  return given(w->height) ? fmt::format(" (a fall through the box, {:.3g})", w->height)
                          : " (the fastest body)";
}

/* three digits, so that the line in the log gives the same law when it is used as input */
static double rounded(double x) { return strtod(fmt::format("{:.3g}", x).c_str(), nullptr); }

static double rounded_down(double x)
{
  const double digit = pow(10.0, floor(log10(x)) - 2.0);
  return rounded(digit * floor(x / digit));
}

/* as wide as the bodies allow, but no wider than they have been placed */
static double choose_gap(double size, AutoLaw *w)
{
  w->open = !given(w->fraction) && !given(w->nearest);
  if (given(w->nearest)) return rounded_down(w->nearest);
  return rounded(size * (given(w->fraction) ? w->fraction : PD_AUTO_FRACTION));
}

/* loads and impacts as forces, masses and speeds */
static pd_law_task task_of(LAMMPS *lmp, const std::string &name, const AutoLaw &w,
                           const LawBodies &bodies)
{
  const double g = given(w.gravity) ? w.gravity : pd_norm(gravity_of_fixes(lmp, name));
  for (const char *key : {"height", "load"})
    if (given(key[0] == 'h' ? w.height : w.load) && !(g > 0.0))
      lmp->error->all(FLERR, fmt::format("{} auto: keyword {} needs gravity: add fix gravity or "
                                         "keyword gravity",
                                         name, key));
  const double v = given(w.velocity) ? w.velocity : 0.0, h = given(w.height) ? w.height : 0.0;
  const double load = given(w.load) ? w.load : 10.0;
  pd_law_task t;
  t.mass = bodies.heaviest;
  t.lightest = bodies.lightest;
  t.speed = g > 0.0 ? sqrt(v * v + 2.0 * g * h) : v;
  t.weight = g > 0.0 ? load * t.mass * g : 0.0;
  return t;
}

/* one line on screen and in the log file. speed_from: what speed of impacts was taken, if not given
 */
static void tell(LAMMPS *lmp, const std::string &name, const pd_law &law, const pd_law_task &t,
                 double size, const std::string &speed_from, const AutoLaw &wish)
{
  if (lmp->comm->me) return;
  const pd_law_outlook o = pd_auto_outlook(&law, &t);
  const std::string nearest =
      given(wish.nearest) ? fmt::format(", of which some begin {:.3g} apart", wish.nearest) : "";
  utils::logmesg(
      lmp,
      fmt::format("{} {} # auto: mass {:g}, size {:g}{}; impacts at {:g}{} reach {:.2g} of the "
                  "gap, last {:.2g} ({:.2g} time steps); barrier from {:.3g}; weight {:g} "
                  "presses {:.2g} of the gap\n",
                  name, law_keywords(law), t.mass, size, nearest, t.speed, speed_from, o.depth,
                  o.time, o.time / lmp->update->dt, o.limit, t.weight, o.static_depth));
}

bool LAMMPS_NS::opens_law(LAMMPS *lmp, double nearest, const LawNumbers &asked, pd_law *law,
                          AutoLaw *wish)
{
  double least;
  MPI_Allreduce(&nearest, &least, 1, MPI_DOUBLE, MPI_MIN, lmp->world);
  wish->open = false;
  if (!(least < law->gbar) || least < PD_AUTO_NEAREST * law->gbar) return false;
  law_of_numbers(asked, law, wish);
  wish->nearest = least;
  return true;
}

void LAMMPS_NS::choose_law(LAMMPS *lmp, const std::string &name, const LawBodies &bodies,
                           pd_law *law, AutoLaw *wish)
{
  AutoLaw w = *wish;
  const std::string speed_from =
      given(w.velocity) || given(w.height) ? "" : guess_impacts(lmp, name, &w);
  const pd_law_task t = task_of(lmp, name, w, bodies);
  pd_friction_law &f = law->t;
  if (!given(law->gbar)) law->gbar = choose_gap(bodies.size, wish);
  law->eps1 = rounded(pd_auto_stiffness(law, &t));
  if (!given(law->n2)) law->n2 = pd_auto_barrier(law, &t);
  if (!given(f.eps_t)) {
    f.eps_t = rounded(pd_auto_tangent(law, &t));
    f.c_t = rounded(pd_auto_viscosity(law, &t));
  }
  if (pd_law_init(law))
    lmp->error->all(FLERR, fmt::format("{} auto: there is no law for mass {:g}, speed {:g} and gap "
                                       "{:g}: {}",
                                       name, t.mass, t.speed, law->gbar, law_keywords(*law)));
  wish->wanted = false;
  tell(lmp, name, *law, t, bodies.size, speed_from, *wish);
}
