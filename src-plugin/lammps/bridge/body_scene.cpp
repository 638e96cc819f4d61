/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/body_scene.h"

#include "lammps/bridge/atom_rotation.h"
#include "atom_vec_ellipsoid.h"
#include "lammps/bridge/cell.h"
#include "lammps/bridge/load_set.h"
#include "lammps/bridge/friction_memory.h"
#include "lammps/bridge/mesh_file.h"
#include "lammps/bridge/other_fixes.h"
#include "geometry/builtin.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

BodyScene::BodyScene(LAMMPS *lmp, bool with_free_walls)
    : Pointers(lmp), sys(), free_walls(with_free_walls), avec(nullptr), others(nullptr),
      cell(nullptr), no_shape(nullptr), remembered(nullptr), lent(&sys, [](const pd_system *) {}),
      has_list(false), known(false), made_of(nullptr), group(0), groups(0), builds(-1), built_at(-1)
{
  all_together(lmp, FLERR, [&] { require(pd_system_create(&sys)); });
  pd_mesh mesh;
  const double edges[3] = {1.0, 1.0, 1.0};
  all_together(lmp, FLERR, [&] { require(pd_find_builtin("box")->make(edges, &mesh)); });
  no_shape = create_shape(lmp, "Polyhedra", "box", &mesh, {true, 0.0, 0.0, 0.0}, nullptr);
}

BodyScene::~BodyScene()
{
  pd_system_free(&sys);
  pd_shape_free(no_shape);
  delete no_shape;
}

void BodyScene::require(pd_status status)
{
  if (status) throw LocalError(fmt::format("Polyhedra: {}", pd_strerror(status)));
}

void BodyScene::rebuild(const ContactLaws *laws, NeighList *list,
                        const std::vector<WallSet *> &with, int groupbit, double s)
{
  all_together(lmp, FLERR, [&] { make(laws, list, with, groupbit, s); });
}

void BodyScene::make(const ContactLaws *laws, NeighList *list, const std::vector<WallSet *> &with,
                     int groupbit, double s)
{
  avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  shapes = collect_shapes(lmp);
  walls = with;
  remembered = laws->friction_memory();
  if (remembered) remembered->show(); /* to this scene, which need not be the one that has it */
  others = laws->other_fixes();
  cell = laws->cell();
  sys.scheme.kind = laws->scheme();
  has_list = list != nullptr;
  int nwall = 0;
  for (WallSet *w : walls) nwall += (int)w->walls().size();
  require(pd_system_resize(&sys, count_bodies() + count_free_walls(), nwall));
  sys.set = laws->contact_set();
  set_bodies(groupbit);
  wall_of.clear();
  for (int i = 0; i < (int)walls.size(); i++)
    for (const pd_wall &w : walls[i]->walls(s, sys.hprev)) {
      sys.wall[wall_of.size()] = w;
      wall_of.push_back(i);
    }
  set_free_walls();
  find_pairs(laws, list);
  require(pd_system_bind(&sys));
  load();
  remember_origin(list, groupbit);
}

int BodyScene::count_bodies() const { return atom->nlocal + (has_list ? atom->nghost : 0); }

BodyScene::Origin BodyScene::origin_of(int i) const
{
  return {atom->tag[i], atom->type[i], atom->mask[i] & groups};
}

void BodyScene::remember_origin(NeighList *list, int groupbit)
{
  made_of = list;
  group = groupbit;
  groups = groupbit | (others ? others->groups() : 0);
  for (const WallSet *w : walls) groups |= w->bodies;
  builds = neighbor->ncalls;
  built_at = neighbor->lastcall;
  origin.resize(count_bodies());
  for (int i = 0; i < (int)origin.size(); i++) origin[i] = origin_of(i);
  known = true;
}

bool BodyScene::same_walls(const std::vector<WallSet *> &with) const
{
  if (walls != with) return false;
  for (int n = 0; n < sys.nwall; n++)
    if ((sys.wall[n].moves != 0) != walls[wall_of[n]]->motion().moves()) return false;
  return true;
}

bool BodyScene::fits(NeighList *list, const std::vector<WallSet *> &with, int groupbit)
{
  if (!known || list != made_of || groupbit != group || builds != neighbor->ncalls ||
      built_at != neighbor->lastcall || (int)origin.size() != count_bodies() || !same_walls(with))
    return false;
  const auto same = [this](int i) {
    const Origin now = origin_of(i), &then = origin[i];
    return now.tag == then.tag && now.type == then.type && now.mask == then.mask &&
           sys.body[i].owned == (i < atom->nlocal);
  };
  for (int i = 0; i < (int)origin.size(); i++)
    if (!same(i)) return false;
  return true;
}

void BodyScene::reload(const ContactLaws *laws, double s)
{
  sys.set = laws->contact_set();
  for (int i = 0, n = 0; i < (int)walls.size(); i++) {
    if (!walls[i]->motion().moves()) {
      n += (int)walls[i]->walls().size();
      continue;
    }
    for (const pd_wall &now : walls[i]->walls(s, sys.hprev)) {
      pd_wall &w = sys.wall[n++];
      w.x = now.x;
      w.q = now.q;
      w.v = now.v;
      w.w = now.w;
      w.v0 = now.v0;
      w.w0 = now.w0;
    }
  }
  pd_system_reset(&sys);
  load();
}

/* at set-up the host may have started its count of lists anew */
bool BodyScene::renew(const ContactLaws *laws, NeighList *list, const std::vector<WallSet *> &with,
                      int groupbit)
{
  bool kept = false;
  all_together(lmp, FLERR, [&] {
    kept = !update->setupflag && fits(list, with, groupbit);
    if (kept)
      reload(laws);
    else
      make(laws, list, with, groupbit, 0.0);
  });
  return kept;
}

void BodyScene::set_bodies(int groupbit)
{
  for (int i = 0; i < count_bodies(); i++) {
    sys.body[i] = pd_body();
    set_body(i, groupbit);
  }
}

void BodyScene::set_body(int i, int groupbit)
{
  const ShapeOfType &s = shapes[atom->type[i]];
  pd_body &b = sys.body[i];
  b.shape = s.shape ? s.shape : no_shape;
  b.inertia.mass = s.shape ? s.mass : 1.0;
  b.inertia.j = s.shape ? pd_v_load(s.moments) : pd_v(1.0, 1.0, 1.0);
  b.tag = (long)atom->tag[i];
  b.owned = i < atom->nlocal;
  b.mobile = others ? others->moves(i) : (atom->mask[i] & groupbit) && s.shape;
  b.prescribed = others && s.shape && !b.mobile && others->drives(i);
  b.row = -1;
  if (others && b.mobile) require_shape(i);
}

void BodyScene::require_shape(int i) const
{
  if (!shapes[atom->type[i]].shape)
    throw LocalError(fmt::format("Atom {} of type {} has no shape: give the type one with fix "
                                 "polyhedron/shape",
                                 atom->tag[i], atom->type[i]));
}

/* as the atom has it, accelerations left out */
pd_state BodyScene::state_of(int i) const
{
  static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
  const double *q = atom->ellipsoid[i] < 0 ? unturned : avec->bonus[atom->ellipsoid[i]].quat;
  pd_state s = pd_state();
  s.x = pd_v_load(atom->x[i]);
  s.q = quat_load(q);
  s.v = pd_v_load(atom->v[i]);
  s.w = omega_of(pd_q_matrix(s.q), sys.body[i].inertia.j, atom->angmom[i]);
  return s;
}

void BodyScene::load(int first)
{
  if (first == 0) load_free_walls();
  for (int i = first; i < count_bodies(); i++) {
    pd_body &b = sys.body[i];
    const pd_state s = state_of(i);
    b.start.x = s.x;
    b.start.q = s.q;
    b.u = b.alpha = pd_v(0.0, 0.0, 0.0);
    const bool goes = b.mobile || b.prescribed;
    b.start.v = goes ? s.v : pd_v(0.0, 0.0, 0.0);
    b.start.w = goes ? s.w : pd_v(0.0, 0.0, 0.0);
    if (!others || !b.mobile) continue;
    pd_body_constrain(&b, others->constraint(i, b.start));
    pd_constraint_fit_velocity(&b.constraint, &b.start);
  }
  if (cell) cell->load(&sys);
}

bool BodyScene::is_current()
{
  const auto same = [](pd_vec3 a, pd_vec3 b) { return memcmp(&a, &b, sizeof a) == 0; };
  for (int i = 0; i < count_bodies(); i++) {
    pd_state now = state_of(i);
    const pd_state &then = sys.body[i].start;
    pd_constraint_fit_velocity(&sys.body[i].constraint, &now);
    if (!same(now.x, then.x) || memcmp(&now.q, &then.q, sizeof now.q) != 0) return false;
    if (sys.body[i].mobile && !(same(now.v, then.v) && same(now.w, then.w))) return false;
  }
  return true;
}

void BodyScene::store()
{
  store_free_walls();
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys.body[i];
    if (!pd_body_is_moving(&b)) continue;
    pd_v_store(atom->x[i], b.start.x);
    quat_store(avec->bonus[atom->ellipsoid[i]].quat, b.start.q);
    if (!b.mobile) continue; /* its velocity is its integrator's */
    pd_v_store(atom->v[i], b.start.v);
    pd_v_store(atom->angmom[i],
               pd_mv(pd_rotate_diag(pd_q_matrix(b.start.q), b.inertia.j), b.start.w));
  }
}

void BodyScene::set_loads(const std::vector<LoadSet *> &fixes, double s0, double s1)
{
  if (!fixes.empty()) all_together(lmp, FLERR, [&] { take_loads(fixes, s0, s1); });
}

void BodyScene::take_loads(const std::vector<LoadSet *> &fixes, double s0, double s1)
{
  std::vector<pd_load> loads;
  load_fix.clear();
  for (int i = 0; i < (int)fixes.size(); i++) {
    fixes[i]->append(s0, s1, &loads);
    load_fix.resize(loads.size(), i);
  }
  for (const pd_load &l : loads) {
    const pd_body &b = sys.body[l.body];
    if (b.mobile) continue;
    if (others && others->freezes(l.body))
      throw LocalError(
          fmt::format("Fix load/polyhedron: body {} is held by fix freeze: take it out "
                      "of one of the two groups, or hold it by fix lock/polyhedron",
                      b.tag));
    throw LocalError(fmt::format(
        "Fix load/polyhedron: body {} is not integrated by fix implicit/polyhedron", b.tag));
  }
  require(pd_system_set_loads(&sys, (int)loads.size(), loads.data()));
}

void BodyScene::share_work(const std::vector<LoadSet *> &fixes) const
{
  for (int i = 0; i < sys.nload; i++) fixes[load_fix[i]]->add_work(sys.load[i].work);
}

/* the states are untouched by a substep that is not committed */
void BodyScene::take_back() const
{
  for (int i = 0; i < sys.nbody; i++) sys.body[i].u = sys.body[i].alpha = pd_v(0.0, 0.0, 0.0);
}

void BodyScene::keep_memory(bool accept)
{
  if (accept) pd_system_accept_friction(&sys);
  if (remembered) remembered->leave_to(lent, has_list);
}

void BodyScene::return_memory()
{
  if (remembered) remembered->take();
}

std::string BodyScene::partner(const pd_contact_pair *pair) const
{
  if (pair->wall) return fmt::format("wall {}", walls[wall_of[pair->b]]->name);
  return name_of(pd_body_name(&sys.body[pair->b]));
}

std::string BodyScene::name_of(long number) const
{
  if (number < 0) return fmt::format("wall {}", walls[wall_of[-number - 1]]->name);
  return fmt::format("body {}", number);
}

/* The remedy where many bodies touch: shapes that are smaller by about the gap all around. Then
 * bodies and walls part at once, as contact dynamics has left them. */
std::string BodyScene::smaller_shapes(const pd_contact_pair &l) const
{
  double size = shapes[atom->type[l.a]].size;
  if (!l.wall && l.b < count_bodies()) size = fmin(size, shapes[atom->type[l.b]].size);
  return fmt::format("; where many touch, as fix contact/dynamics leaves them: define their shapes "
                     "anew with fix polyhedron/shape, smaller by a factor scale {:.3g}",
                     1.0 - 2.0 * l.law->gbar / size);
}

void BodyScene::find_overlap(const char *who)
{
  for (int i = 0; i < sys.nbody; i++) {
    const pd_state &o = sys.body[i].start;
    const double sum = o.x.x + o.x.y + o.x.z + o.v.x + o.v.y + o.v.z + o.q.w + o.q.x + o.q.y +
                       o.q.z + o.w.x + o.w.y + o.w.z;
    if (!std::isfinite(sum))
      throw LocalError(fmt::format("{}: {} has a position, velocity or orientation that is "
                                   "not a finite number",
                                   who, name_of(pd_body_name(&sys.body[i]))));
    pd_system_set_pose(&sys, i, pd_v(0.0, 0.0, 0.0), pd_v(0.0, 0.0, 0.0));
  }
  double depth;
  pd_status status;
  const int bad = pd_system_overlap(&sys, &depth, &status);
  require(status);
  if (bad < 0) return;
  const pd_contact_pair *l = &sys.pair[bad];
  if (!l->wall && sys.body[l->a].tag == sys.body[l->b].tag)
    throw LocalError(
        fmt::format("{}: body {} reaches into its own periodic image at step {}, depth "
                    "{:.6g}: use a larger box",
                    who, sys.body[l->a].tag, update->ntimestep, depth));
  throw LocalError(
      fmt::format("{}: body {} and {} overlap at step {}, depth {:.6g}: place them apart, best by "
                  "the gap at which contact begins, {:.6g}{}",
                  who, sys.body[l->a].tag, partner(l), update->ntimestep, depth, l->law->gbar,
                  depth < l->law->gbar ? smaller_shapes(*l) : ""));
}
